"""Dots with intervals, row by row: systems' means, metrics, and metrics in each stratum."""

from collections.abc import Sequence
from typing import Any, Unpack

from analysis.charts.axes import (
    AS_WIDE_AS_VALUES,
    FEW_TICKS,
    FROM_ZERO,
    GRID,
    KEY,
    SHOWN,
    categories,
    names_axis,
    number_axis,
    panels,
    tooltip,
)
from analysis.charts.chart import Chart, Column
from analysis.charts.drawing import Titles, draw, draw_rows, summary
from analysis.charts.layers import (
    Layer,
    dots,
    dots_with_intervals,
    intervals,
    known,
    layer,
    undefined_note,
    where,
)
from analysis.charts.table import Row, Table, defined, measured, texts

_NARROW, _WIDE = 190, 300
_ROOMY = 26
_MOST_IN_ROW = 4
"""Panels side by side; more of them would not fit a page."""
_STEP, _PADDING = 13, 8
"""Height of a dot with its interval, and what is left free between two systems."""
_MEAN = (Column("shown", "Mean"), *SHOWN[1:])
_INDEPENDENT = {"scale": {"x": "independent"}}


def system_means(
    rows: Sequence[Row], *, score: str, shared_axis: bool = True, **titles: Unpack[Titles]
) -> Chart:
    """Draw one dot per system and aspect with its interval, one panel per aspect.

    Systems stand in the order of their average over the aspects, the best first, the same in every
    panel; systems without any score come last. Where scales differ, what is averaged is the share
    of systems that a system exceeds.

    Parameters
    ----------
    rows : sequence of Row
        `system`, `aspect` and `mean` with `low`, `high`, `n` and `reason`; at most one per system
        and aspect.
    score : str
        What is averaged, for the axis, such as ``mean rating, 0–100`` or ``mean z-score``.
    shared_axis : bool
        Whether all means are on one scale; otherwise each panel has its own axis.
    """
    names = texts(system="System", aspect="Aspect")
    columns = (*names, *measured("mean", "Mean"))
    table = Table(
        columns, rows, key="mean", panel="aspect", nothing="There is no human score to show."
    )
    aspects = len(table.names("aspect"))
    x = number_axis("mean", score, AS_WIDE_AS_VALUES, FEW_TICKS)
    return draw_rows(
        table,
        titles,
        "system-means",
        description=summary(score, table, "system"),
        y=names_axis("system", _best_first(rows, shared_axis=shared_axis), **GRID),
        fields=(*names, *_MEAN),
        layer=dots_with_intervals(x, table.links()),
        width=_NARROW if aspects > 1 else _WIDE,
        facet=panels("aspect", columns=_MOST_IN_ROW if aspects > _MOST_IN_ROW else 0),
        resolve={} if shared_axis else _INDEPENDENT,
    )


def _best_first(rows: Sequence[Row], *, shared_axis: bool) -> list[str]:
    """Return systems by falling average over the aspects; without any score, at the end."""
    known_means = defined(rows, "mean")
    scores: dict[str, list[float]] = {str(row["system"]): [] for row in rows}
    for mean, row in known_means:
        others = [other for other, of in known_means if of["aspect"] == row["aspect"]]
        exceeded = sum(other < mean for other in others) / len(others)
        scores[str(row["system"])].append(mean if shared_axis else exceeded)
    averages = {name: sum(own) / len(own) if own else None for name, own in scores.items()}
    return sorted(scores, key=lambda name: (averages[name] is None, -(averages[name] or 0.0)))


def metric_dots(
    rows: Sequence[Row],
    *,
    statistic: str,
    ceiling: float | None = None,
    guess: float | None = None,
    **titles: Unpack[Titles],
) -> Chart:
    """Draw one dot with its interval per metric, and how far any metric could get.

    Metrics keep the order of the input; those that compare with the same texts share a panel.

    Parameters
    ----------
    rows : sequence of Row
        `metric`, `compared_to` and `value` with `low`, `high`, `n` and `reason`; at most one per
        metric and text compared with.
    statistic : str
        Name of the number on the axis.
    ceiling : float or None
        The noise ceiling, drawn as a dashed line; its name belongs in the subtitle.
    guess : float or None
        What a metric reaches that knows nothing, drawn as a thin line; named there too.
    """
    columns = (*texts(metric="Metric", compared_to="Compared to"), *measured())
    table = Table(columns, rows, nothing="There is no metric to show.")
    ends = {"y": {"value": 0}, "y2": {"value": "height"}}
    # Of data of their own: drawn once, not once for each metric.
    levels: list[Layer] = [
        {"data": {"values": [{}]}}
        | layer({"type": "rule", "style": style}, {"x": {"datum": level}} | ends)
        for style, level in (("ceiling", ceiling), ("zero", guess))
        if level is not None
    ]
    compared_to = table.names("compared_to")
    return draw(
        table,
        titles,
        "metrics",
        description=summary(statistic, table, "metric", "compared_to"),
        data={"values": table.data()},
        vconcat=[
            *(_compared(table, name, None, levels) for name in compared_to[:-1]),
            *(_compared(table, name, statistic, levels) for name in compared_to[-1:]),
        ],
        spacing=12,
        resolve={"scale": {"x": "shared"}},
    )


def _compared(
    table: Table, compared_to: str, statistic: str | None, levels: Sequence[Layer]
) -> dict[str, Any]:
    """Return the panel of what compares with these texts; the last one has the axis."""
    own = [str(row["metric"]) for row in table.rows if row.get("compared_to", "") == compared_to]
    axis = {**FEW_TICKS, "grid": True} | ({} if statistic else {"labels": False, "ticks": False})
    x = number_axis("value", statistic, FROM_ZERO, axis)
    heading = {"text": f"compared with {compared_to}", "fontSize": 12, "anchor": "start"}
    return ({"title": heading} if compared_to else {}) | {
        "width": _WIDE,
        "height": {"step": _ROOMY},
        "transform": [where("compared_to", compared_to)],
        "encoding": {
            "y": names_axis("metric", own, **GRID),
            "tooltip": tooltip(*table.columns[:2], *SHOWN),
        },
        "layer": [*levels, *dots_with_intervals(x, table.links())],
    }


def stratum_dots(rows: Sequence[Row], *, statistic: str, **titles: Unpack[Titles]) -> Chart:
    """Draw one dot with its interval per stratum, the metrics one below the other.

    All panels share one axis, so that strata and metrics are compared by eye. Metrics and strata
    keep the order of the input; the dot over all strata is a ring.

    Parameters
    ----------
    rows : sequence of Row
        `metric`, `stratum` and `value` with `low`, `high`, `n` and `reason`; `overall` where it is
        over all strata. At most one per metric and stratum.
    statistic : str
        Name of the number on the axis.
    """
    names = texts(metric="Metric", stratum="Stratum")
    columns = (*names, *measured())
    table = Table(
        columns, rows, ("overall",), panel="metric", nothing="There is no stratum to show."
    )
    scale = AS_WIDE_AS_VALUES | {"padding": 8}
    x = number_axis("value", statistic, scale, FEW_TICKS | {"tickCount": 6})
    ring = {"type": "point", "style": "mean", "filled": False, "size": 60, "shape": "diamond"}
    heading: dict[str, Any] = {"labelAlign": "left", "labelOrient": "top", "labelAnchor": "start"}
    return draw_rows(
        table,
        titles,
        "strata",
        description=summary(statistic, table, "stratum", things="subgroup"),
        y=names_axis("stratum", table.names("stratum")),
        fields=(*names, *SHOWN),
        layer=[
            intervals("x", x),
            dots("x", x, where("overall", value=False)),
            layer(ring, {"x": x}, known("value"), where("overall", value=True)),
            undefined_note("value"),
        ],
        width=_WIDE,
        facet=panels("metric", "row", labelAngle=0, labelPadding=4, **heading),
        encoding=table.links(),
        spacing=10,
    )


def direction_dots(rows: Sequence[Row], **titles: Unpack[Titles]) -> Chart:
    """Draw one dot with its interval per system, metric and direction, one panel per metric.

    Each panel has an axis of its own, which its directions share. Systems, metrics and directions
    keep the order of the input; directions differ in colour and shape.

    Parameters
    ----------
    rows : sequence of Row
        `system`, `score` (the metric), `direction` and `mean` with `low`, `high`, `n` and
        `reason`; at most one per system, metric and direction. One direction may be empty.
    """
    names = texts(system="System", score="Metric", direction="Direction")
    columns = (*names, *measured("mean", "Mean"))
    table = Table(
        columns, rows, key="mean", panel="score", nothing="There is no metric score to show."
    )
    scores, directions = table.names("score"), table.names("direction")
    width = _NARROW if len(scores) > 1 else _WIDE
    x = number_axis("mean", None, AS_WIDE_AS_VALUES, FEW_TICKS)
    styles = categories("direction", directions, KEY if len(directions) > 1 else None)
    rule, dot, note = dots_with_intervals(x, table.links())
    rule["encoding"]["color"] = styles["color"]
    dot["mark"] = {"type": "point", "filled": True, "size": 60, "opacity": 1}
    dot["encoding"] |= {key: styles[key] for key in ("color", "shape")}
    offset: dict[str, Any] = {"field": "direction", "type": "nominal"}
    offset |= {"scale": {"domain": directions, "paddingOuter": 0.4}}
    return draw_rows(
        table,
        titles,
        "direction-dots",
        description=summary("means", table, "system", "direction"),
        y=names_axis("system", table.names("system"), **GRID),
        fields=(*names, *_MEAN),
        layer=[rule, dot, note],
        width=width,
        height={"step": _STEP * len(directions) + _PADDING, "for": "position"},
        facet=panels("score", labelLimit=width + 30),
        encoding={"yOffset": offset},
        resolve=_INDEPENDENT,
    )
