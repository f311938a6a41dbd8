"""The page that compares metrics with each other, by their correlation with human scores."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from analysis.estimates.comparisons import LEVEL, PairTests
from analysis.filter.question import (
    DRAWS,
    OF_SEGMENTS,
    OF_Z,
    RATINGS,
    SETTINGS,
    Question,
    number_text,
)
from analysis.reports.comparison.figures import comparison_figures
from analysis.reports.comparison.report import (
    MOST_METRICS,
    ComparisonReport,
    comparison_cost,
    comparison_report,
)
from analysis.reports.comparison.summary import metric_sentences
from analysis.reports.comparison.tables import TABLES
from analysis.reports.correlation.cost import values_cost
from analysis.reports.kind import Early, Report, ReportKind
from analysis.reports.offers import aspect_offer
from analysis.reports.page_address import Address
from analysis.reports.picked_metrics import picked_words
from analysis.reports.summaries import anchor, decimals_of
from analysis.shown_numbers import number
from analysis.stats.comparison.metric_permutation import SWAP_COEFFICIENTS
from analysis.stats.results import Estimate, Result
from analysis.stats.systems.rank_ranges import RankRange
from analysis.wording import (
    CORRECTIONS,
    SWAPPED,
    SYMBOLS,
    TESTS,
    aspect_heading,
    column_labels,
    p_words,
    reasons,
    selection_words,
    statistic_words,
    variant_words,
)

FEW_SYSTEMS = 15
"""Below, tests and intervals at system level do not quite hold their level, as simulations say."""


def present(report: Report[ComparisonReport], address: Address) -> dict[str, Any]:
    """Return the ranked metrics, the summary and the table of all pairs."""
    content, question = report.content, address.question
    names = column_labels(content.metrics)
    rows = ranked(
        (name, each.result, each) for name, each in zip(names, content.metrics, strict=True)
    )
    return {
        "selection": selection_words(question),
        "picked": picked_words(content.picked, content.aspect, address),
        "variants": variant_words(question),
        "few_systems": question.level == "system" and len(content.systems) < FEW_SYSTEMS,
        "heading": aspect_heading(content.aspect),
        "aspect": content.aspect,
        "systems": content.systems,
        "segments": content.segments,
        "statistic": statistic_words(question),
        "summary": metric_sentences(content, question),
        "ranked": [
            row | {"trained": each.trained} for row, each in zip(rows, content.metrics, strict=True)
        ],
        "left_out": reasons(content.left_out),
        "swapped": SWAPPED[content.swap],
        "resampled": content.resample,
        **compared(content.pairs, names, question, SYMBOLS[question.statistic]),
    }


def ranked(compared: Iterable[tuple[str, Result, RankRange]]) -> list[dict[str, Any]]:
    """Return what was compared with rank ranges; a line goes where a cluster begins."""
    rows = list(compared)
    decimals = decimals_of(result.value for _, result, _ in rows)
    return [
        {
            "name": name,
            "number": number(result),
            "decimals": decimals,
            "ranks": str(at.best) if at.best == at.worst else f"{at.best}–{at.worst}",
            "cluster": at.cluster,
        }
        for name, result, at in rows
    ]


def compared(
    pairs: Sequence[PairTests], names: Sequence[str], question: Question, symbol: str
) -> dict[str, Any]:
    """Return the table of all pairs: the difference, and every test beside the one asked for."""
    tests = list(pairs[0].tests) if pairs else []
    # The test that decides comes first.
    tests.sort(key=lambda test: test != question.test)
    return {
        "symbol": symbol,
        "level": LEVEL,
        "decided_by": TESTS[question.test],
        "correction": CORRECTIONS[question.correction],
        "margin": number_text(question.margin),
        "tests": [TESTS[test] for test in tests],
        "pairs": [_pair(pair, names, tests, question) for pair in pairs],
    }


def _pair(
    pair: PairTests, names: Sequence[str], tests: Sequence[str], question: Question
) -> dict[str, Any]:
    asked = pair.tests[question.test]
    if isinstance(asked, Estimate) and not asked.interval:
        asked = replace(asked, interval=pair.interval)
    adjusted = pair.adjusted[question.test]
    return {
        "anchor": anchor(pair),
        "first": names[pair.first],
        "second": names[pair.second],
        "number": number(asked),
        "adjusted": [p_words(adjusted[name]) for name in CORRECTIONS],
        "p_values": [p_words(pair.tests[test].p_value) for test in tests],
        "detected": pair.detected,
        "equivalent": pair.equivalent,
    }


KIND = ReportKind(
    key="comparison",
    fields=(
        *("aspect", "statistic", "level", "candidates", "test", "correction"),
        *(*SETTINGS, "direction", "humans", *RATINGS),
        *("metric", "systems", "leave_out", "where"),
        *("grouping", "scores", "ddof", "swap", "resample", "margin", *DRAWS),
    ),
    values={
        "statistic": SWAP_COEFFICIENTS,
        "test": ("permutation", "bootstrap", "williams"),
        "resample": ("standard", "segments", "systems"),
    },
    needs={"ddof": OF_Z, "grouping": OF_SEGMENTS},
    content=ComparisonReport,
    build=lambda asked: comparison_report(
        asked.data, asked.question, asked.bootstrap, asked.progress, asked.divide
    ),
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
