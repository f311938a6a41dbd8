"""The page of both rankings: what it says and offers to download."""

from collections.abc import Iterator, Sequence
from typing import Any

from analysis.charts.chart import format_interval, format_number
from analysis.filter.question import DRAWS, OF_Z, SELECTED
from analysis.reports.kind import Early, Report, ReportKind, Size, aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.rankings.report import RankingsReport, rankings_report
from analysis.reports.summaries import (
    MOST_NAMED,
    Sentence,
    aspect_words,
    list_of,
    listed,
    pointing,
    said,
)
from analysis.reports.table import Parts, Table
from analysis.stats.results import Interval, Result
from analysis.tables.flat_table import METRIC_COLUMNS, RESULT_COLUMNS
from analysis.wording import column_labels


def _agreement(content: RankingsReport) -> Iterator[Sentence]:
    """Say for how many metrics the interval of the rank correlation lies above zero."""
    labels = column_labels(content.columns)
    known = [
        (label, column.agreement, interval)
        for label, column in zip(labels, content.columns, strict=True)
        if (interval := column.agreement.interval)
    ]
    if not known:
        return
    start = "The 95 % interval of Kendall’s τ-b between the order of human raters on "
    start += f"{aspect_words(content.aspect)} and that of "
    if len(known) == 1:
        [(label, result, interval)] = known
        lies = "lies" if interval.low > 0 else "does not lie"
        yield said(f"{start}{label} {lies} above zero{_value(result, interval)}.")
        return
    above = [
        (f"{label}{_value(result, interval)}", "")
        for label, result, interval in known
        if interval.low > 0
    ]
    many = f"{len(above) or 'none'} of {len(known)} metrics"
    yield said(f"{start}a metric lies above zero for {many}", *list_of(above))


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
        "Systems",
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


def present(report: Report[RankingsReport], address: Address) -> dict[str, Any]:
    """Return the systems in the order of human raters, with their rank by each metric."""
    content = report.content
    human, columns = content.human, content.columns
    # Systems that nobody rated come last.
    order = sorted(range(len(human)), key=lambda place: human[place].value or len(human) + 1)
    return {
        "summary": (*_agreement(content), *_first(content)),
        "labels": column_labels(columns),
        "rows": [
            (content.systems[place], human[place], [column.ranks[place] for column in columns])
            for place in order
        ],
        "decimals": 0 if all(_is_whole(each) for each in _every_rank(content)) else 1,
        "agreement": [column.agreement for column in columns],
    }


def _every_rank(content: RankingsReport) -> Iterator[Result]:
    yield from content.human
    for column in content.columns:
        yield from column.ranks


def _is_whole(rank: Result) -> bool:
    """Whether a rank and the ends of its interval are: ties share halves."""
    ends = (rank.interval.low, rank.interval.high) if rank.interval else ()
    return all(value is None or float(value).is_integer() for value in (rank.value, *ends))


def _ranks(content: RankingsReport) -> Iterator[Parts]:
    people = {**dict.fromkeys(METRIC_COLUMNS, ""), "metric": "human raters"}
    for named, ranks in (
        (people, content.human),
        *((each, each.ranks) for each in content.columns),
    ):
        for system, rank in zip(content.systems, ranks, strict=True):
            yield named, system, rank


def _cost(size: Size) -> int:
    resampled = size.cells * size.question.resamples // 20
    return (1 + len(size.columns)) * (size.cells * 10 + 2 * resampled)


KIND = ReportKind(
    key="rankings",
    fields=("aspect", "candidates", *SELECTED, "scores", "ddof", *DRAWS),
    needs={"ddof": OF_Z},
    build=rankings_report,
    present=present,
    early=Early(cost=lambda size: (1 + len(size.columns)) * size.cells * 2),
    cost=_cost,
    tables=(
        Table(
            "ranks",
            "Ranks of systems by human raters and by metrics",
            "systems",
            (*METRIC_COLUMNS, "aspect", "system", "human_written", *RESULT_COLUMNS),
            _ranks,
            ("metric", "compared_to", "system", "value", "low", "high", "n"),
        ),
        Table(
            "agreement",
            "Kendall's tau-b between the order of human raters and that of each metric",
            "columns",
            (*METRIC_COLUMNS, "aspect", *RESULT_COLUMNS),
            printed=("metric", "compared_to", "value", "low", "high", "n"),
        ),
    ),
    offers=aspect_offer,
)
