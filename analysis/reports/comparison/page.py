"""The page that compares metrics with each other, by their correlation with human scores."""

from collections.abc import Iterator
from typing import Any

from analysis.charts.dots import metric_dots
from analysis.explorer.links import metric_link
from analysis.filter.question import DRAWS, OF_SEGMENTS, OF_Z, SELECTED, Question
from analysis.reports.comparison.report import (
    MOST_METRICS,
    ComparisonReport,
    comparison_cost,
    comparison_report,
)
from analysis.reports.correlation.report import values_cost
from analysis.reports.figure import Figure, figure, intervals
from analysis.reports.kind import Early, Report, ReportKind, aspect_offer
from analysis.reports.page_address import Address, Choices
from analysis.reports.pair_tests import (
    PLACES,
    TEST_COLUMNS,
    compared,
    difference_figure,
    ranked,
    tests_of,
)
from analysis.reports.table import Parts, Table, compared_with
from analysis.result_values import result_values
from analysis.stats.comparison.metric_permutation import SWAP_COEFFICIENTS
from analysis.tables.flat_table import METRIC_COLUMNS, RESULT_COLUMNS
from analysis.verdicts.metrics import metric_sentences
from analysis.wording import SWAPPED, SYMBOLS, column_labels, statistic_words


def comparison_figures(
    content: ComparisonReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield the metrics in their order, and the differences between them."""
    if len(content.metrics) < 2:
        return
    names = column_labels(content.metrics)
    asked = question.but(aspect=content.aspect)
    links = [metric_link(asked, column) for column in content.metrics]
    yield figure(
        "metrics",
        metric_dots,
        lambda: (
            {"metric": name, "link": link, **result_values(each.result)}
            for name, link, each in zip(names, links, content.metrics, strict=True)
        ),
        intervals("95 % intervals of each alone"),
        title=f"Correlation with human scores of {content.aspect}",
        statistic=statistic_words(question),
    )
    yield difference_figure(
        names,
        links,
        content.pairs,
        question,
        title=f"Differences between metrics on {content.aspect}",
        statistic=statistic_words(question),
        things="metrics",
    )


_OTHER = tuple(f"other_{key}" for key in METRIC_COLUMNS)


def _pairs(content: ComparisonReport) -> Iterator[Parts]:
    for pair in content.pairs:
        other = compared_with(content.metrics[pair.second])
        yield from tests_of(pair, content.metrics[pair.first], other)


TABLES: tuple[Table[Any], ...] = (
    Table(
        "metrics",
        "Metrics by correlation with human scores, with rank ranges",
        "metrics",
        (*METRIC_COLUMNS, *PLACES, *RESULT_COLUMNS),
        printed=("metric", "compared_to", *PLACES, "value", "low", "high", "n"),
    ),
    Table(
        "pairs",
        "Differences between every two metrics, one test a row",
        "pairs",
        (*METRIC_COLUMNS, *_OTHER, *TEST_COLUMNS, *RESULT_COLUMNS),
        _pairs,
        (
            *("metric", "compared_to", "other_metric", "other_compared_to", "test"),
            *("value", "low", "high", "p_value", "holm"),
        ),
    ),
)


FEW_SYSTEMS = 15
"""Below, tests and intervals at system level do not quite hold their level, as simulations say."""


def present(report: Report[ComparisonReport], address: Address) -> dict[str, Any]:
    """Return the ranked metrics, the summary and the table of all pairs."""
    content, question = report.content, address.question
    names = column_labels(content.metrics)
    return {
        "few_systems": question.level == "system" and len(content.systems) < FEW_SYSTEMS,
        "statistic": statistic_words(question),
        "summary": metric_sentences(content, question),
        "ranked": ranked(names, content.metrics),
        "swapped": SWAPPED[content.swap],
        "resampled": content.resample,
        **compared(content.pairs, names, question, SYMBOLS[question.statistic]),
    }


KIND = ReportKind(
    key="comparison",
    fields=(
        *("aspect", "statistic", "level", "candidates", "test", "correction"),
        *SELECTED,
        *("grouping", "scores", "ddof", "swap", "resample", "margin", *DRAWS),
    ),
    values={
        "statistic": SWAP_COEFFICIENTS,
        "test": ("permutation", "bootstrap", "williams"),
        "resample": ("standard", "segments", "systems"),
    },
    needs={"ddof": OF_Z, "grouping": OF_SEGMENTS},
    build=comparison_report,
    present=present,
    early=Early(
        cost=lambda size: values_cost(
            size.question, size.segments, size.systems, len(size.columns), 1
        ),
        awaits=lambda content: ("differences",) * (len(content.metrics) > 1),
    ),
    cost=lambda size: comparison_cost(
        size.question, size.cells, size.systems, min(MOST_METRICS, len(size.columns))
    ),
    tables=TABLES,
    figures=comparison_figures,
    picture=("metrics", "differences"),
    sections={"metrics": "Metrics", "differences": "Differences"},
    flat=("differences",),
    offers=aspect_offer,
)
