"""The answer of both rankings: which metrics were shown to order systems as people do."""

from analysis.charts.chart import counted, format_number
from analysis.reports.rankings.report import RankingsReport
from analysis.reports.summaries import MOST_NAMED, Sentence, joined, said
from analysis.result_values import interval_words
from analysis.wording import column_labels


def agreement_sentences(content: RankingsReport) -> list[Sentence]:
    """Say for how many metrics the interval of the rank correlation lies above zero."""
    labels = column_labels(content.columns)
    known = [
        (label, column.agreement, interval)
        for label, column in zip(labels, content.columns, strict=True)
        if (interval := column.agreement.interval)
    ]
    if not known:
        return []
    above = [
        (f"{label} (τ-b = {format_number(result.value)}, 95 % CI {interval_words(result)})", "")
        for label, result, interval in known
        if interval.low > 0
    ]
    many = f"{len(above) or 'none'} of {counted(len(known), 'metric')}"
    start = (
        f"The 95 % interval of Kendall’s τ-b between the order of human raters on {content.aspect} "
        f"and that of a metric lies above zero for {many}"
    )
    if not above:
        return [said(f"{start}.")]
    shown = above[:MOST_NAMED]
    more = len(above) - len(shown)
    return [said(f"{start}: ", *joined(shown), f", and {more} more." if more else ".")]
