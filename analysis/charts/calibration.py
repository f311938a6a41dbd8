"""What a score or a probability means: the mean human score, or the share that is right, by bin."""

from collections.abc import Sequence
from typing import Any, Unpack

from analysis.charts.axes import SHOWN, Channel, number_axis, tooltip
from analysis.charts.chart import Chart, Column, counted, format_number
from analysis.charts.drawing import Titles, draw, in_words
from analysis.charts.layers import Layer, dots, intervals, layer
from analysis.charts.table import Row, Table, count, interval, number, numbers, texts

_WIDTH = 370


def calibration_curve(
    rows: Sequence[Row], *, metric_label: str, human_label: str, **titles: Unpack[Titles]
) -> Chart:
    """Draw the mean human score over the mean metric score of each bin, with intervals.

    Parameters
    ----------
    rows : sequence of Row
        Bins, ascending: `metric` and `human` are the means, `low` and `high` the limits of the
        bin, `human_low` and `human_high` the interval, `n` the number of outputs.
    metric_label, human_label : str
        Titles of the axes.
    """
    of_metric = numbers(metric="Metric mean", low="Lowest score", high="Highest score")
    human = numbers(human="Human mean", human_low="Human low", human_high="Human high")
    columns = (*of_metric, *human, count())
    table = Table(columns, rows, key="human", nothing="No output has both scores.")
    ends = " to ".join(in_words(number(row, "human")) for row in (*rows[:1], *rows[-1:]))
    scale = {"zero": False, "padding": 8}
    return _draw_bins(
        table,
        titles,
        "calibration",
        description=f"{human_label} over {metric_label} in {counted(len(rows), 'bin')}: {ends} "
        "from where the metric is lowest to where it is highest.",
        x=number_axis("metric", metric_label, scale),
        y=number_axis("human", human_label, scale),
        limits=("human_low", "human_high"),
        edges=("low", "high"),
        fields=(*texts(range="Scores"), human[0], *SHOWN[1:]),
        height=280,
    )


def reliability_diagram(rows: Sequence[Row], **titles: Unpack[Titles]) -> Chart:
    """Draw the share of right predictions over their mean probability, beside the diagonal.

    Parameters
    ----------
    rows : sequence of Row
        Bins, ascending and none empty: `lowest` and `highest` are the limits of the bin,
        `confidence` is the mean probability of the predicted style, `accuracy` the share of
        predictions that are right with its interval, `low` and `high`, and `n` the number of texts.
    """
    bins = numbers(lowest="Above", highest="To", confidence="Mean probability")
    accuracy, n = numbers(accuracy="Right", low="Low", high="High"), count("n", "Texts")
    table = Table((*bins, *accuracy, n), rows, key="accuracy", nothing="No text was held out.")
    least = min([0.5, *table.numbers("confidence")])
    x = number_axis("confidence", "Mean probability", {"domain": [least, 1.0]})
    lowest = min([least, *table.numbers("accuracy", "low")])
    y = number_axis("accuracy", "Right", {"domain": [lowest, 1.0]})
    diagonal = {"type": "line", "style": "cross-interval", "strokeDash": [4, 4]}
    ends = {"data": {"values": [{"confidence": end, "accuracy": end} for end in (least, 1.0)]}}
    return _draw_bins(
        table,
        titles,
        "reliability",
        description=_miscalibration(rows),
        x=x,
        y=y,
        limits=("low", "high"),
        edges=("lowest", "highest"),
        fields=(*texts(range="Probability"), accuracy[0], SHOWN[1], n),
        height=300,
        below=[layer(diagonal, {"x": x, "y": y}) | ends],
    )


def _miscalibration(rows: Sequence[Row]) -> str:
    """Say in which bin the share that is right is furthest from the probability."""
    found = [(number(row, "accuracy") or 0.0, number(row, "confidence") or 0.0) for row in rows]
    far = [abs(right - sure) for right, sure in found]
    if not far:
        return ""
    place = far.index(max(far))
    right, sure = map(format_number, found[place])
    return (
        f"How often the predicted style is right, in {counted(len(rows), 'bin')} of its "
        "probability; the dashed line is where a calibrated model would be. Furthest from it: "
        f"right {right} where sure to {sure}, in "
        f"{counted(int(number(rows[place], 'n') or 0), 'text')}."
    )


def _draw_bins(
    table: Table,
    titles: Titles,
    name: str,
    *,
    x: Channel,
    y: Channel,
    limits: tuple[str, str],
    edges: tuple[str, str],
    fields: Sequence[Column],
    below: Sequence[Layer] = (),
    **around: Any,
) -> Chart:
    """Return a chart of bins: a dot with its interval in each, joined by a line."""
    data = [
        row | {"range": interval(row, *edges), "interval": interval(row, *limits) or "none"}
        for row in table.data()
    ]
    return draw(
        table,
        titles,
        name,
        width=_WIDTH,
        data={"values": data},
        encoding={"x": x},
        layer=[
            *below,
            intervals("y", y, *limits, style="cross-interval"),
            layer({"type": "line", "style": "dot-interval"}, {"y": y}),
            dots("y", y, size=64, tooltip=tooltip(*fields), **table.links()),
        ],
        **around,
    )
