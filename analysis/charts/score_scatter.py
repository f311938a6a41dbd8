"""Outputs by metric score and human score: circles as large as their number, and both margins."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from analysis.charts.axes import Channel, number_axis, tooltip
from analysis.charts.chart import Chart, Value, counted
from analysis.charts.describing import highest
from analysis.charts.drawing import Titles, draw, nothing_to_draw
from analysis.charts.layers import Layer, layer
from analysis.charts.table import Row, Table, count, defined, interval, number, numbers, texts

_WIDTH, _HEIGHT, _MARGIN = 320, 300, 50
_CLOSE = {"spacing": 6, "bounds": "flush"}
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
    titles.setdefault("name", "score-scatter")
    metric = numbers(metric_low="Metric from", metric_high="Metric to")
    human = numbers(human_low="Human from", human_high="Human to")
    table = Table((*metric, *human, _OUTPUTS), rows)
    if not rows:
        return nothing_to_draw(table, titles, "No output has both scores.")
    x, y = _scale(table, "metric"), _scale(table, "human")
    axes = {"x": number_axis("metric", metric_label, x), "y": number_axis("human", human_label, y)}
    return draw(
        table,
        titles,
        description=_describe(table, f"{human_label} over {metric_label}"),
        title_width=_WIDTH + 60,
        data={"values": [_datum(row) for row in rows]},
        **_CLOSE,
        vconcat=[
            {"width": _WIDTH, "height": _MARGIN} | _histogram("x", "y", "metric", x),
            {
                **_CLOSE,
                "hconcat": [
                    {"width": _WIDTH, "height": _HEIGHT} | _circles(axes, table.links()),
                    {"width": _MARGIN, "height": _HEIGHT} | _histogram("y", "x", "human", y),
                ],
            },
        ],
    )


def _scale(table: Table, which: str) -> dict[str, Any]:
    low, high = min(table.numbers(f"{which}_low")), max(table.numbers(f"{which}_high"))
    margin = 0.0 if high > low else 0.5
    return {"domain": [low - margin, high + margin], "nice": False, "zero": False}


def _histogram(along: str, across: str, which: str, scale: Mapping[str, Any]) -> Layer:
    bounds: Channel = {"field": f"{which}_low", "type": "quantitative", "scale": scale}
    counts: Channel = {"aggregate": "sum", "field": "n", "type": "quantitative"}
    return layer(
        {"type": "bar", "style": "bar", "binSpacing": 1},
        {
            along: bounds | {"axis": None},
            f"{along}2": {"field": f"{which}_high"},
            across: counts | {"axis": None},
        },
    )


def _circles(axes: Mapping[str, Channel], links: Mapping[str, Any]) -> Layer:
    size = {
        "field": "n",
        "type": "quantitative",
        "scale": {"range": [6, 220], "zero": True},
        "legend": {"title": "Outputs", "orient": "bottom", "tickCount": 3},
    }
    fields = tooltip(*texts(metric_range="Metric", human_range="People"), _OUTPUTS)
    circle = {"type": "circle", "style": "dot", "opacity": 0.75}
    return layer(circle, {**axes, "size": size, "tooltip": fields, **links})


def _datum(row: Row) -> dict[str, Value]:
    datum = dict(row)
    for which in ("metric", "human"):
        low, high = number(row, f"{which}_low") or 0.0, number(row, f"{which}_high") or 0.0
        datum[which] = (low + high) / 2
        datum[f"{which}_range"] = interval(row, f"{which}_low", f"{which}_high")
    return datum


def _describe(table: Table, text: str) -> str:
    most, fullest = highest(defined(table.rows, "n"))
    outputs = int(sum(table.numbers("n")))
    return (
        f"{text} for {counted(outputs, 'output')}; most, {most}, at "
        f"{interval(fullest, 'metric_low', 'metric_high')} of the metric and "
        f"{interval(fullest, 'human_low', 'human_high')} of people."
    )
