"""The page and the tables of both rankings."""

from collections.abc import Iterator
from typing import Any

from analysis.filter.question import DRAWS, OF_Z, RATINGS, SETTINGS
from analysis.reports.kind import Early, Report, ReportKind, Size, Table
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.rankings.report import RankingsReport, rankings_report
from analysis.reports.rankings.summary import rankings_sentences
from analysis.shown_numbers import number
from analysis.stats.results import Result
from analysis.tables.flat_table import (
    METRIC_COLUMNS,
    RESULT_COLUMNS,
    Row,
    metric_cells,
    result_cells,
)
from analysis.wording import aspect_heading, column_labels, reasons, selection_words, variant_words


def present(report: Report[RankingsReport], address: Address) -> dict[str, Any]:
    """Return the systems in the order of human raters, with their rank by each metric."""
    content = report.content
    human, columns = content.human, content.columns
    # Systems that nobody rated come last.
    order = sorted(range(len(human)), key=lambda place: human[place].value or len(human) + 1)
    return {
        "selection": selection_words(address.question),
        "variants": variant_words(address.question),
        "picked": picked_words(content.picked, content.aspect, address),
        "summary": rankings_sentences(content),
        "aspect": content.aspect,
        "heading": aspect_heading(content.aspect),
        "segments": content.segments,
        "labels": column_labels(columns),
        "rows": [
            (
                content.systems[place],
                number(human[place]),
                [number(column.ranks[place]) for column in columns],
            )
            for place in order
        ],
        "decimals": 0 if all(_is_whole(each) for each in _every_rank(content)) else 1,
        "agreement": [number(column.agreement) for column in columns],
        "left_out": reasons(content.left_out),
    }


def _every_rank(content: RankingsReport) -> Iterator[Result]:
    yield from content.human
    for column in content.columns:
        yield from column.ranks


def _is_whole(rank: Result) -> bool:
    """Whether a rank and the ends of its interval are: ties share halves."""
    ends = (rank.interval.low, rank.interval.high) if rank.interval else ()
    return all(value is None or float(value).is_integer() for value in (rank.value, *ends))


def _ranks(content: RankingsReport) -> Iterator[Row]:
    metrics = ((metric_cells(column), column.ranks) for column in content.columns)
    for described, ranks in ((("human raters", "", "", ""), content.human), *metrics):
        for system, rank in zip(content.systems, ranks, strict=True):
            of_system = (content.aspect, system.system, bool(system.human))
            yield (*described, *of_system, *result_cells(rank))


def _agreement(content: RankingsReport) -> Iterator[Row]:
    for column in content.columns:
        yield (*metric_cells(column), content.aspect, *result_cells(column.agreement))


def _cost(size: Size) -> int:
    resampled = size.cells * size.question.resamples // 20
    return (1 + len(size.columns)) * (size.cells * 10 + 2 * resampled)


KIND = ReportKind(
    key="rankings",
    fields=(
        *("aspect", "candidates", *SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where", "scores", "ddof", *DRAWS),
    ),
    needs={"ddof": OF_Z},
    content=RankingsReport,
    build=lambda asked: rankings_report(
        asked.data, asked.question, asked.bootstrap, asked.progress, asked.divide
    ),
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
            _agreement,
            ("metric", "compared_to", "value", "low", "high", "n"),
        ),
    ),
    offers=aspect_offer,
)
