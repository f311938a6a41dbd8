"""The answer of both rankings: which metrics were shown to order systems as people do."""

from collections.abc import Iterator, Sequence

from analysis.charts.chart import format_interval, format_number
from analysis.reports.rankings.report import RankingsReport
from analysis.reports.summaries import (
    MOST_NAMED,
    Sentence,
    aspect_words,
    list_of,
    listed,
    pointing,
    said,
)
from analysis.stats.results import Interval, Result
from analysis.wording import column_labels


def rankings_sentences(content: RankingsReport) -> list[Sentence]:
    """Say how far metrics order the systems as people do, and who is first by both."""
    return [*agreement_sentences(content), *_first(content)]


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
    start = "The 95 % interval of Kendall’s τ-b between the order of human raters on "
    start += f"{aspect_words(content.aspect)} and that of "
    if len(known) == 1:
        [(label, result, interval)] = known
        lies = "lies" if interval.low > 0 else "does not lie"
        return [said(f"{start}{label} {lies} above zero{_value(result, interval)}.")]
    above = [
        (f"{label}{_value(result, interval)}", "")
        for label, result, interval in known
        if interval.low > 0
    ]
    many = f"{len(above) or 'none'} of {len(known)} metrics"
    return [said(f"{start}a metric lies above zero for {many}", *list_of(above))]


def _value(result: Result, interval: Interval) -> str:
    limits = format_interval(interval.low, interval.high, 2)
    return f" (τ-b = {format_number(result.value, 2)}, 95 % CI {limits})"


def _first(content: RankingsReport) -> Iterator[Sentence]:
    """Say who is first by human raters, and for which metrics too."""
    best = _best(content, content.human)
    if len(content.systems) < 2 or not best or not content.columns:
        return
    labels = column_labels(content.columns)
    same = [
        label
        for label, column in zip(labels, content.columns, strict=True)
        if _best(content, column.ranks) == best
    ]
    start = f"Human raters put {listed(best[:MOST_NAMED])} first, by mean score; "
    if len(labels) == 1:
        by_metric = listed(_best(content, content.columns[0].ranks)[:MOST_NAMED])
        does = f"so does {labels[0]}" if same else f"{labels[0]} puts {by_metric} first"
        yield said(f"{start}{does}.")
    else:
        names = f": {listed(same)}" if 0 < len(same) <= MOST_NAMED else ""
        many = f"{len(same) or 'none'} of {len(labels)} metrics"
        yield said(f"{start}so {'does' if len(same) < 2 else 'do'} {many}{names}.")
    yield pointing(
        "Ranks are without tests: whether one system is better than another is tested in the "
        "report ",
        "System comparison",
        "system-comparison",
    )


def _best(content: RankingsReport, ranks: Sequence[Result]) -> list[str]:
    """Return the systems of the best rank: several, if they are tied."""
    known = [rank.value for rank in ranks if rank.value is not None]
    return [
        system.system
        for system, rank in zip(content.systems, ranks, strict=True)
        if known and rank.value == min(known)
    ]
