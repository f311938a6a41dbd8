"""Dots with intervals, row by row: systems' means, metrics, and metrics in each stratum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Unpack

from analysis.charts.axes import FEW_TICKS, SHOWN, names_axis, number_axis, panels, tooltip
from analysis.charts.chart import Chart, Column, counted
from analysis.charts.drawing import (
    Titles,
    described,
    draw,
    highest,
    in_words,
    lowest,
    lowest_and_highest,
    nothing_to_draw,
)
from analysis.charts.layers import Layer, dots, intervals, known, layer, undefined_note, where
from analysis.charts.table import Row, Table, defined, measured, number, texts

_NARROW = 190
_WIDE = 300
_ROW_HEIGHT = 20
_ROOMY = 26
_MOST_IN_ROW = 4
"""Panels side by side; more of them would not fit a page."""


def system_means(
    rows: Sequence[Row],
    *,
    score: str,
    panel: str = "aspect",
    shared_axis: bool = True,
    **titles: Unpack[Titles],
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
    panel : str
        What a panel stands for.
    shared_axis : bool
        Whether all means are on one scale; otherwise each panel has its own axis.
    """
    titles.setdefault("name", "system-means")
    names = texts(system="System", aspect="Aspect")
    table = Table((*names, *measured("mean", "Mean")), rows)
    if not rows:
        return nothing_to_draw(table, titles, "There is no human score to show.")
    systems = _best_first(rows, shared_axis=shared_axis)
    aspects = table.names("aspect")
    x = number_axis("mean", score, {"zero": False, "nice": True}, FEW_TICKS)
    several_rows = len(aspects) > _MOST_IN_ROW
    facet = panels("aspect", {}, "facet" if several_rows else "column")
    return draw(
        table,
        titles,
        description=described(
            f"{score} of {counted(len(systems), 'system')} on {counted(len(aspects), panel)}"
            + "".join(_highest(table, aspect) for aspect in aspects[:6]),
            table,
            "mean",
        ),
        title_width=120 + max(_WIDE, _NARROW * min(len(aspects), _MOST_IN_ROW)),
        data={"values": table.data("mean", panels="aspect")},
        **(facet | {"columns": _MOST_IN_ROW} if several_rows else {"facet": facet}),
        spec={
            "width": _NARROW if len(aspects) > 1 else _WIDE,
            "height": {"step": _ROW_HEIGHT},
            "encoding": {
                "y": names_axis("system", systems, grid=True, gridOpacity=0.6),
                "tooltip": tooltip(*names, Column("shown", "Mean"), *SHOWN[1:]),
            },
            "layer": [intervals("x", x), dots("x", x, **table.links()), undefined_note("mean")],
        },
        **({} if shared_axis else {"resolve": {"scale": {"x": "independent"}}}),
    )


def _best_first(rows: Sequence[Row], *, shared_axis: bool) -> list[str]:
    """Return systems by falling average over the aspects; without any score, at the end."""
    known_means = [
        (str(row["system"]), row["aspect"], mean)
        for row in rows
        if (mean := number(row, "mean")) is not None
    ]
    scores: dict[str, list[float]] = {str(row["system"]): [] for row in rows}
    for system, aspect, mean in known_means:
        others = [other for _, of, other in known_means if of == aspect]
        exceeded = sum(other < mean for other in others) / len(others)
        scores[system].append(mean if shared_axis else exceeded)
    averages = {name: sum(own) / len(own) if own else None for name, own in scores.items()}
    return sorted(scores, key=lambda name: (averages[name] is None, -(averages[name] or 0.0)))


def _highest(table: Table, aspect: str) -> str:
    of_aspect = [row for row in table.rows if row["aspect"] == aspect]
    if not (known_means := defined(of_aspect, "mean")):
        return ""
    value, row = highest(known_means)
    return f"; highest on {aspect}: {row['system']} ({in_words(value)})"


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
    titles.setdefault("name", "metrics")
    names = texts(metric="Metric", compared_to="Compared to")
    table = Table((*names, *measured()), rows)
    if not rows:
        return nothing_to_draw(table, titles, "There is no metric to show.")
    panels = table.names("compared_to")
    panel = _Metrics(table, statistic, {"ceiling": ceiling, "zero": guess})
    words = described(
        f"{statistic} of {counted(len(rows), 'metric')}"
        + lowest_and_highest(defined(rows), "metric", "compared_to"),
        table,
    )
    return draw(
        table,
        titles,
        description=words,
        title_width=_WIDE + 80,
        data={"values": table.data()},
        vconcat=[panel.of(each, last=each == panels[-1]) for each in panels],
        spacing=12,
        resolve={"scale": {"x": "shared"}},
    )


@dataclass(frozen=True)
class _Metrics:
    """What the panels of `metric_dots` share."""

    table: Table
    statistic: str
    lines: Mapping[str, float | None]
    """Levels across all rows, by their style."""

    def of(self, compared_to: str, *, last: bool) -> dict[str, Any]:
        """Return the panel of what compares with these texts; the last one has the axis."""
        own = [row for row in self.table.rows if row.get("compared_to", "") == compared_to]
        axis = {**FEW_TICKS, "grid": True} | ({} if last else {"labels": False, "ticks": False})
        scale = {"zero": True, "nice": True}
        x = number_axis("value", self.statistic if last else None, scale, axis)
        ends = {"y": {"value": 0}, "y2": {"value": "height"}}
        # Of data of their own: drawn once, not once for each metric.
        once: Layer = {"data": {"values": [{}]}}
        levels = [
            once
            | layer(
                {"type": "rule", "style": style},
                {"x": {"datum": level}} | ends,
            )
            for style, level in self.lines.items()
            if level is not None
        ]
        heading = {"text": f"compared with {compared_to}", "fontSize": 12, "anchor": "start"}
        names = names_axis(
            "metric", [str(row["metric"]) for row in own], grid=True, gridOpacity=0.6
        )
        return ({"title": heading} if compared_to else {}) | {
            "width": _WIDE,
            "height": {"step": _ROOMY},
            "transform": [where("compared_to", compared_to)],
            "encoding": {"y": names, "tooltip": tooltip(*self.table.columns[:2], *SHOWN)},
            "layer": [
                *levels,
                intervals("x", x),
                dots("x", x, **self.table.links()),
                undefined_note("value"),
            ],
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
    titles.setdefault("name", "strata")
    names = texts(metric="Metric", stratum="Stratum")
    table = Table((*names, *measured()), rows, flags=("overall",))
    if not rows:
        return nothing_to_draw(table, titles, "There is no stratum to show.")
    axis = {**FEW_TICKS, "tickCount": 6}
    x = number_axis("value", statistic, {"zero": False, "nice": True, "padding": 8}, axis)
    ring = {"type": "point", "style": "mean", "filled": False, "size": 60, "shape": "diamond"}
    return draw(
        table,
        titles,
        description=_describe_strata(table, statistic),
        title_width=_WIDE + 160,
        data={"values": table.data(panels="metric")},
        facet=panels(
            "metric",
            {"labelAngle": 0, "labelAlign": "left", "labelOrient": "top"}
            | {"labelAnchor": "start", "labelPadding": 4},
            "row",
        ),
        spacing=10,
        spec={
            "width": _WIDE,
            "height": {"step": _ROW_HEIGHT},
            "encoding": {
                "y": names_axis("stratum", table.names("stratum")),
                "tooltip": tooltip(*names, *SHOWN),
            }
            | table.links(),
            "layer": [
                intervals("x", x),
                dots("x", x, where("overall", value=False)),
                layer(ring, {"x": x}, known("value"), where("overall", value=True)),
                undefined_note("value"),
            ],
        },
    )


def _describe_strata(table: Table, statistic: str) -> str:
    metrics = table.names("metric")
    parts = [row for row in table.rows if not row.get("overall")]
    strata = len({row["stratum"] for row in parts})
    text = f"{statistic} of {counted(len(metrics), 'metric')}"
    text += f" in {counted(strata, 'subgroup')}"
    spreads = []
    for metric in metrics:
        own = defined([row for row in parts if row["metric"] == metric], "value")
        if len(own) > 1:
            spreads.append((highest(own)[0] - lowest(own)[0], metric, own))
    if spreads:
        _, metric, own = max(spreads, key=itemgetter(0))
        text += f"; furthest apart is {metric}{lowest_and_highest(own, 'stratum')}"
    return described(text, table)
