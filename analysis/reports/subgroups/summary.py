"""The answer of the subgroups report: between which subgroups a metric was found to differ."""

from collections.abc import Iterator

from analysis.charts.chart import counted, format_interval, format_number
from analysis.reports.subgroups.content import Difference, SubgroupsReport
from analysis.reports.summaries import MOST_NAMED, Sentence, joined, said
from analysis.wording import column_labels, p_said


def difference_sentences(content: SubgroupsReport, symbol: str) -> list[Sentence]:
    """Say how many differences were detected, which, and what follows from none."""
    if not content.differences:
        return []
    return list(_sentences(content, symbol))


def row_anchor(place: int) -> str:
    """Return the element id of a difference's row."""
    return f"difference-{place}"


def _sentences(content: SubgroupsReport, symbol: str) -> Iterator[Sentence]:
    detected = [(place, row) for place, row in enumerate(content.differences) if row.detected]
    tested = len(content.differences)
    among = f"in {counted(tested, 'comparison')} of a metric between two subgroups"
    if detected:
        shown = [
            (_difference(content, row, symbol), row_anchor(place))
            for place, row in detected[:MOST_NAMED]
        ]
        more = len(detected) - len(shown)
        end = f", and {more} more." if more else "."
        verb = "was" if len(detected) == 1 else "were"
        start = f"{counted(len(detected), 'difference')} {verb} detected {among}: "
        if tested == 1:
            start = "The one difference of a metric between two subgroups was detected: "
        yield said(start, *joined(shown), end)
    else:
        yield said(f"No difference was detected {among}.")
    if len(detected) < tested:
        yield said(
            "No difference detected does not mean that a metric holds equally everywhere: the "
            "interval shows how large a difference may be."
        )


def _difference(content: SubgroupsReport, row: Difference, symbol: str) -> str:
    name = column_labels(content.metrics)[row.metric]
    first, second = (content.strata[side].name for side in (row.first, row.second))
    numbers = [f"{symbol} = {format_number(row.result.value)}"]
    if interval := row.result.interval:
        limits = format_interval(interval.low, interval.high)
        numbers.append(f"{100 * interval.level:g} % CI {limits}")
    if row.p_value is not None:
        numbers.append(p_said(row.p_value))
    side = "lower" if (row.result.value or 0.0) < 0 else "higher"
    return f"{name} is {side} on {first} than on {second} ({', '.join(numbers)})"
