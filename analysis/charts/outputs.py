"""Pictures of single texts: how often which score, both scores of each, and a map."""

from collections import Counter
from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Unpack

from analysis.charts.axes import Channel, exactly, number_axis, padded, panels, tooltip
from analysis.charts.chart import Chart, Value, counted, format_number
from analysis.charts.drawing import Titles, draw, in_words
from analysis.charts.layers import Layer, layer
from analysis.charts.table import Row, Table, count, defined, interval, number, numbers, texts
from analysis.charts.theme import SHAPES

_PANEL_WIDTH, _PANEL_HEIGHT = 340, 64
_BINS = {"type": "bar", "style": "bar", "binSpacing": 1}


def histograms(
    rows: Sequence[Row], *, score: str, things: str = "Texts", **titles: Unpack[Titles]
) -> Chart:
    """Draw a histogram a group, one below another, as shares of the group.

    Shares, because groups differ in size: one reference a segment beside the outputs of ten
    systems.

    Parameters
    ----------
    rows : sequence of Row
        Bins: `group`, the limits `low` and `high`, the number `n` and the `share` of the group in
        it; every group has every bin, in the order in which it is shown.
    score : str
        What is counted, for the axis.
    things : str
        What a group is, over its column of the table.
    """
    columns = (*texts(group=things), *numbers(low="From", high="To"), count())
    columns += numbers(share="Share")
    nothing = "There is nothing to count."
    table = Table(columns, rows, key="share", panel="group", nothing=nothing)
    x = number_axis("low", score, _limits(table, "low", "high"), {"tickCount": 6, "grid": False})
    y = number_axis("share", None, {"zero": True}, {"format": ".0%", "tickCount": 2})
    bar: dict[str, Any] = {"x": x, "x2": {"field": "high"}, "y": y, "y2": {"datum": 0}}
    bar["tooltip"] = tooltip(*texts(group=things, range="Score", percent="Share"), count())
    return draw(
        table,
        titles,
        "histograms",
        description=_fullest(table, score),
        data={"values": [_bin(row) for row in table.data()]},
        **panels("group", "row", orient="top", labelAnchor="start"),
        spacing=8,
        spec={"width": _PANEL_WIDTH, "height": _PANEL_HEIGHT} | layer(_BINS, bar),
    )


def _bin(row: Row) -> Row:
    share = number(row, "share") or 0.0
    return {**row, "range": interval(row), "percent": f"{format_number(100 * share, 1)} %"}


def _fullest(table: Table, score: str) -> str:
    """Say of each group which bin has most of it."""
    parts = []
    for group in table.names("group"):
        own = defined([row for row in table.rows if row["group"] == group], "share")
        share, row = max(own, key=itemgetter(0))
        low, high = (in_words(number(row, end)) for end in ("low", "high"))
        parts.append(f"{group} {100 * share:.0f} % between {low} and {high}")
    return f"Histograms of {score}; the fullest bins: {', '.join(parts)}."


def _limits(table: Table, low: str, high: str) -> dict[str, Any]:
    """Return the scale from the lowest to the highest limit of bins."""
    start = min(table.numbers(low), default=0.0)
    end = max(table.numbers(high), default=1.0)
    margin = 0.0 if end > start else 0.5
    return exactly([start - margin, end + margin])


_WIDTH, _HEIGHT, _MARGIN = 320, 300, 50
_CLOSE: dict[str, Any] = {"spacing": 6, "bounds": "flush"}
_OUTPUTS = count("n", "Outputs")


def score_scatter(
    rows: Sequence[Row], *, metric_label: str, human_label: str, **titles: Unpack[Titles]
) -> Chart:
    """Draw outputs by both scores, in bins, with a histogram of each score at its margin.

    Parameters
    ----------
    rows : sequence of Row
        Bins with outputs: `metric_low`, `metric_high`, `human_low` and `human_high` are their
        limits, the same throughout; `n` is the number of outputs.
    metric_label, human_label : str
        Titles of the axes.
    """
    metric = numbers(metric_low="Metric from", metric_high="Metric to")
    human = numbers(human_low="Human from", human_high="Human to")
    columns = (*metric, *human, _OUTPUTS)
    table = Table(columns, rows, key="n", nothing="No output has both scores.")
    x, y = (_limits(table, f"{which}_low", f"{which}_high") for which in ("metric", "human"))
    size = {
        "field": "n",
        "type": "quantitative",
        "scale": {"range": [6, 220], "zero": True},
        "legend": {"title": "Outputs", "orient": "bottom", "tickCount": 3},
    }
    circles = {
        "x": number_axis("metric", metric_label, x),
        "y": number_axis("human", human_label, y),
        "size": size,
        "tooltip": tooltip(*texts(metric_range="Metric", human_range="People"), _OUTPUTS),
    }
    circle = {"type": "circle", "style": "dot", "opacity": 0.75}
    return draw(
        table,
        titles,
        "score-scatter",
        description=_describe_circles(table, f"{human_label} over {metric_label}"),
        data={"values": [_circle(row) for row in rows]},
        **_CLOSE,
        vconcat=[
            {"width": _WIDTH, "height": _MARGIN} | _histogram("x", "y", "metric", x),
            {
                **_CLOSE,
                "hconcat": [
                    {"width": _WIDTH, "height": _HEIGHT} | layer(circle, circles | table.links()),
                    {"width": _MARGIN, "height": _HEIGHT} | _histogram("y", "x", "human", y),
                ],
            },
        ],
    )


def _histogram(along: str, across: str, which: str, scale: Mapping[str, Any]) -> Layer:
    bounds: Channel = {"field": f"{which}_low", "type": "quantitative", "scale": scale}
    counts: Channel = {"aggregate": "sum", "field": "n", "type": "quantitative", "axis": None}
    far = {"field": f"{which}_high"}
    return layer(_BINS, {along: bounds | {"axis": None}, f"{along}2": far, across: counts})


def _circle(row: Row) -> dict[str, Value]:
    datum = dict(row)
    for which in ("metric", "human"):
        low, high = number(row, f"{which}_low") or 0.0, number(row, f"{which}_high") or 0.0
        datum[which] = (low + high) / 2
        datum[f"{which}_range"] = interval(row, f"{which}_low", f"{which}_high")
    return datum


def _describe_circles(table: Table, text: str) -> str:
    counts = defined(table.rows, "n")
    if not counts:
        return ""
    most, fullest = max(counts, key=itemgetter(0))
    outputs = int(sum(table.numbers("n")))
    return (
        f"{text} for {counted(outputs, 'output')}; most, {most}, at "
        f"{interval(fullest, 'metric_low', 'metric_high')} of the metric and "
        f"{interval(fullest, 'human_low', 'human_high')} of human raters."
    )


_SIDE = 410
_KEY_ROW = 17
"""Pixels of a line of the keys."""
_SHOWN = 160
"""Characters of a text in its tooltip."""
_FILLING = (("filled", 0.9), ("empty", 0.0), ("half filled", 0.4))
"""Of the points of each style: print in grey shows no hues."""


def text_map(rows: Sequence[Row], **titles: Unpack[Titles]) -> Chart:
    """Draw each text as a point; colour and filling are the style, shape says who wrote it.

    Parameters
    ----------
    rows : sequence of Row
        `segment`, `kind` (who wrote it), `system`, `style`, `text`, and its place `x` and `y`;
        those that come last lie on top.
    """
    names = texts(segment="Segment", kind="Text", system="System", style="Style", text="Words")
    columns = (*names, *numbers(x="Horizontal", y="Vertical"))
    table = Table(columns, rows, nothing="There is no text to draw.")
    styles, kinds = table.names("style"), table.names("kind")
    legend = {"title": None, "offset": 0, "labelLimit": _SIDE // 2 - 40}
    style: Channel = {"field": "style", "type": "nominal", "scale": {"domain": styles}}
    style["legend"] = legend | {"orient": "top-left"}
    shape: Channel = {"field": "kind", "type": "nominal"}
    shape["legend"] = legend | {"orient": "top-right"}
    shape["scale"] = {"domain": kinds, "range": list(SHAPES[: len(kinds)])}
    filling = {"field": "filling", "type": "quantitative", "scale": None, "legend": None}
    # The keys lie inside, above all points.
    key = min(_SIDE / 2, _KEY_ROW * max(len(styles), len(kinds)))
    low, high = padded(table.numbers("y"))
    ranges = {"x": padded(table.numbers("x"))}
    ranges["y"] = (low, high + (high - low) * key / (_SIDE - key))
    titles["subtitle"] = " · ".join(filter(None, (titles.get("subtitle"), _filling(styles))))
    plain = {"type": "quantitative", "axis": None}
    fields = (*texts(words="Text", kind="Written as"), *names[2:4], names[0])
    return draw(
        table,
        titles,
        "text-map",
        description=_describe_map(table, styles),
        width=_SIDE,
        height=_SIDE,
        data={"values": [_point(row, styles) for row in rows]},
        mark={"type": "point", "size": 26, "opacity": 0.8, "strokeWidth": 1.4, "filled": False},
        encoding={axis: plain | {"field": axis, "scale": exactly(ranges[axis])} for axis in "xy"}
        | {"stroke": style, "fill": style, "fillOpacity": filling, "shape": shape}
        | {"tooltip": tooltip(*fields)}
        | table.links(),
    )


def _point(row: Row, styles: Sequence[str]) -> dict[str, Value]:
    words = str(row["text"])
    return {key: value for key, value in row.items() if key != "text"} | {
        "system": row["system"] or "–",
        "filling": _FILLING[styles.index(str(row["style"])) % len(_FILLING)][1],
        "words": words[:_SHOWN] + "…" if len(words) > _SHOWN else words,
    }


def _filling(styles: Sequence[str]) -> str:
    """Say what the filling of points means; the legend shows hues only."""
    words = [f"{how}: {style}" for (how, _), style in zip(_FILLING, styles, strict=False)]
    return ", ".join(words) if len(styles) > 1 else ""


def _describe_map(table: Table, styles: Sequence[str]) -> str:
    parts = []
    for style in styles:
        kinds = Counter(str(row["kind"]) for row in table.rows if row["style"] == style)
        parts.append(f"{style}: {', '.join(f'{kind} {n}' for kind, n in kinds.items())}")
    return f"{counted(len(table.rows), 'text')}, similar ones close together; {'; '.join(parts)}."
