"""Lines: what a number does over the size of a study, a threshold, a score or a probability."""

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from analysis.charts.axes import SHOWN, Channel, categories, exactly, number_axis, padded, tooltip
from analysis.charts.chart import Chart, counted, format_number, in_order
from analysis.charts.drawing import (
    Titles,
    described,
    draw,
    in_words,
    lowest_and_highest,
    nothing_to_draw,
)
from analysis.charts.labels import line_names
from analysis.charts.layers import LINE, Layer, dots, intervals, known, layer
from analysis.charts.table import (
    Row,
    Table,
    count,
    defined,
    interval,
    measured,
    number,
    numbers,
    texts,
)

_HEIGHT = 280
_NAMED_WIDTH = 315
"""Where names are at the right of the lines."""
_APART = 0.008
"""By how much the lines of a sweep are moved apart, so that their intervals do not overlap."""


def plan_curves(
    rows: Sequence[Row], *, reached: str, wanted: float, **titles: Unpack[Titles]
) -> Chart:
    """Draw one line per number of raters over the number of segments, and what is wanted.

    Parameters
    ----------
    rows : sequence of Row
        `raters`, `segments` and `value`, None where undefined; in any order.
    reached : str
        Name of the number on the vertical axis.
    wanted : float
        Plotted as a level line.
    """
    titles.setdefault("name", "plan")
    raters, segments = count("raters", "Raters"), count("segments", "Segments")
    named = [{**row, "line": counted(int(number(row, "raters") or 0), "rater")} for row in rows]
    table = Table((raters, segments, *numbers(value="Value")), named, flags=("line",))
    if not rows:
        return nothing_to_draw(table, titles, "There is no plan to show.")
    sizes, values, lines = table.numbers("segments"), table.numbers("value"), table.names("line")
    description = f"{reached} of studies with {min(sizes):,} to {max(sizes):,} segments for "
    description += f"{counted(len(lines), 'number')} of raters; wanted is {in_words(wanted)}"
    if values:
        description += f"; from {in_words(min(values))} to {in_words(max(values))}"
    scale = {"type": "log", "domain": [min(sizes) / 1.1, max(sizes) * 1.1], "nice": False}
    ticks = {"values": sorted(set(sizes)), "grid": False}
    x = number_axis(
        "segments", "Segments", scale, ticks | {"format": ",d", "labelOverlap": "greedy"}
    )
    y = number_axis("value", reached, exactly([0.0, 1.05 * max([wanted, *values])]), {})
    styles = categories("line", lines, None)
    fields = tooltip(*texts(line="Raters"), segments, SHOWN[0])
    level = {"type": "rule", "style": "whisker", "strokeDash": [4, 3]}
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=_NAMED_WIDTH + 80,
        width=_NAMED_WIDTH,
        height=_HEIGHT,
        data={"values": table.data()},
        layer=[
            layer(level, {"y": {"datum": wanted}}),
            *_lines(x, y, styles, fields),
            *_names(named, "segments", x, y, styles),
        ],
    )


def sweep_curves(rows: Sequence[Row], *, statistic: str, **titles: Unpack[Titles]) -> Chart:
    """Draw one line a setting over the threshold, each point with its interval.

    Parameters
    ----------
    rows : sequence of Row
        `line`, `threshold` (0 for plain texts) and `value` with `low`, `high`, `n` and `reason`;
        in any order. An undefined value leaves a gap in its line.
    statistic : str
        Name of the number on the vertical axis.
    """
    titles.setdefault("name", "sweep-curves")
    columns = (*texts(line="Setting"), *numbers(threshold="Threshold"), *measured())
    lines = in_order(str(row["line"]) for row in rows)
    aside = {line: (i - (len(lines) - 1) / 2) * _APART for i, line in enumerate(lines)}
    moved = [
        {**row, "place": round((number(row, "threshold") or 0.0) + aside[str(row["line"])], 6)}
        for row in rows
    ]
    table = Table(columns, moved, flags=("place",))
    if not rows:
        return nothing_to_draw(table, titles, "There is no setting to show.")
    description = f"{statistic} of {counted(len(rows), 'setting')} on "
    description += counted(len(lines), "line")
    description += lowest_and_highest(defined(rows), "line", "threshold")
    ticks = {"values": sorted(set(table.numbers("threshold"))), "grid": False}
    x = number_axis("place", "Threshold (0: plain texts)", {"zero": False, "padding": 12}, ticks)
    heights = padded(table.numbers("value", "low", "high") or [0.0, 1.0])
    y = number_axis("value", statistic, exactly(heights), {})
    styles = categories("line", lines, None)
    fields = tooltip(*texts(line="Setting", threshold="Threshold"), *SHOWN)
    return draw(
        table,
        titles,
        description=described(description, table),
        title_width=_NAMED_WIDTH + 80,
        width=_NAMED_WIDTH,
        height=_HEIGHT,
        data={"values": table.data()},
        layer=[
            layer(
                {"type": "rule"},
                {"x": x, "y": y | {"field": "low"}, "y2": {"field": "high"}}
                | {"color": styles["color"]},
                known("low"),
            ),
            *_lines(x, y, styles, fields),
            *_names(moved, "threshold", x, y, styles),
        ],
    )


def _names(
    rows: Sequence[Row], over: str, x: Channel, y: Channel, styles: Mapping[str, Channel]
) -> list[Layer]:
    """Return the name of each line beside its last defined value."""
    ascending = sorted(defined(rows), key=lambda known: number(known[1], over) or 0.0)
    last = {str(row["line"]): row for _, row in ascending}
    low, high = y["scale"]["domain"]
    size, color = (_NAMED_WIDTH, _HEIGHT), {"color": styles["color"]}
    return line_names([*last.values()], x, y, domain=(low, high), size=size, encoding=color)


def _lines(
    x: Channel, y: Channel, styles: Mapping[str, Channel], fields: list[dict[str, str]]
) -> list[Layer]:
    """Return lines that differ in colour and dash, with points that differ in shape."""
    color = {"x": x, "y": y, "color": styles["color"]}
    point = {"type": "point", "filled": True, "size": 45, "opacity": 1}
    return [
        layer(LINE, color | {"strokeDash": styles["strokeDash"]}),
        layer(point, color | {"shape": styles["shape"], "tooltip": fields}, known("value")),
    ]


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
    titles.setdefault("name", "calibration")
    of_metric = numbers(metric="Metric mean", low="Lowest score", high="Highest score")
    human = numbers(human="Human mean", human_low="Human low", human_high="Human high")
    table = Table((*of_metric, *human, count()), rows)
    if not rows:
        return nothing_to_draw(table, titles, "No output has both scores.")
    first, last = (in_words(number(rows[end], "human")) for end in (0, -1))
    scale = {"zero": False, "padding": 8}
    x, y = number_axis("metric", metric_label, scale), number_axis("human", human_label, scale)
    fields = tooltip(*texts(range="Scores"), human[0], *SHOWN[1:])
    return draw(
        table,
        titles,
        description=f"{human_label} over {metric_label} in {counted(len(rows), 'bin')}: "
        f"{first} where the metric is lowest, {last} where it is highest.",
        title_width=430,
        width=370,
        height=_HEIGHT,
        data={
            "values": [
                datum
                | {"range": interval(datum)}
                | {"interval": interval(datum, "human_low", "human_high") or "none"}
                for datum in table.data("human")
            ]
        },
        encoding={"x": x},
        layer=_binned(y, "human_low", "human_high", {"tooltip": fields} | table.links()),
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
    titles.setdefault("name", "reliability")
    bins = numbers(lowest="Above", highest="To", confidence="Mean probability")
    accuracy, n = numbers(accuracy="Right", low="Low", high="High"), count("n", "Texts")
    table = Table((*bins, *accuracy, n), rows)
    if not rows:
        return nothing_to_draw(table, titles, "No text was held out.")
    least = min([0.5, *table.numbers("confidence")])
    lowest = min([least, *table.numbers("accuracy", "low")])
    x = number_axis("confidence", "Mean probability", {"domain": [least, 1.0]})
    y = number_axis("accuracy", "Right", {"domain": [lowest, 1.0]})
    fields = tooltip(*texts(range="Probability"), accuracy[0], SHOWN[1], n)
    diagonal = layer(
        {"type": "line", "style": "cross-interval", "strokeDash": [4, 4]}, {"x": x, "y": y}
    )
    ends = [{"confidence": end, "accuracy": end} for end in (least, 1.0)]
    return draw(
        table,
        titles,
        description=_describe_reliability(table),
        title_width=430,
        width=370,
        height=300,
        data={
            "values": [
                datum | {"range": interval(datum, "lowest", "highest")}
                for datum in table.data("accuracy")
            ]
        },
        encoding={"x": x},
        layer=[
            diagonal | {"data": {"values": ends}},
            *_binned(y, "low", "high", {"tooltip": fields}),
        ],
    )


def _binned(y: Channel, low: str, high: str, encoding: Mapping[str, Any]) -> list[Layer]:
    return [
        intervals("y", y, low, high, style="cross-interval"),
        layer({"type": "line", "style": "dot-interval"}, {"y": y}),
        dots("y", y, size=64, **encoding),
    ]


def _describe_reliability(table: Table) -> str:
    furthest = max(table.rows, key=_miscalibration)
    return (
        f"How often the predicted style is right, in {counted(len(table.rows), 'bin')} of its "
        "probability; the dashed line is where a calibrated model would be. Furthest from it: "
        f"right {format_number(number(furthest, 'accuracy'))} where sure to "
        f"{format_number(number(furthest, 'confidence'))}, in "
        f"{counted(int(number(furthest, 'n') or 0), 'text')}."
    )


def _miscalibration(row: Row) -> float:
    return abs((number(row, "accuracy") or 0.0) - (number(row, "confidence") or 0.0))
