"""The page that compares metrics with each other, by their correlation with human scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.estimates.comparisons import LEVEL
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
from analysis.reports.comparison.report import MOST_METRICS, comparison_cost, comparison_report
from analysis.reports.comparison.tables import TABLES
from analysis.reports.kind import Report, ReportKind
from analysis.reports.offers import aspect_offer
from analysis.reports.summaries import Contest, anchor, contest_sentences, interval_of
from analysis.stats.comparison.metric_permutation import SWAP_COEFFICIENTS
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.picked import picked_words
from analysis.wording import (
    CORRECTIONS,
    SWAPPED,
    SYMBOLS,
    TESTS,
    aspect_heading,
    column_labels,
    p_words,
    selection_words,
    statistic_words,
    variant_words,
)

FEW_SYSTEMS = 15
"""Below, tests and intervals at system level do not quite hold their level, as simulations say."""


def present(report: Report[Mapping[str, Any]], address: Address) -> dict[str, Any]:
    """Return the ranked metrics, the summary and the table of all pairs."""
    content, question = report.content, address.question
    picked = content.get("picked", {})
    names = column_labels(content["metrics"])
    left_out = column_labels(content["left_out"])
    contest = Contest(names, content["pairs"], "metrics", SYMBOLS[question.statistic])
    return {
        "selection": selection_words(question),
        "picked": picked_words(picked, content["aspect"], address),
        "variants": variant_words(question),
        "few_systems": question.level == "system" and len(content["systems"]) < FEW_SYSTEMS,
        "heading": aspect_heading(content["aspect"]),
        "aspect": content["aspect"],
        "systems": content["systems"],
        "segments": content["segments"],
        "statistic": statistic_words(question),
        "summary": contest_sentences(contest, question),
        "ranked": ranked(content["metrics"], names),
        "left_out": [
            (name, entry["reason"])
            for name, entry in zip(left_out, content["left_out"], strict=True)
        ],
        "swapped": SWAPPED[content["swap"]],
        "resampled": content["resample"],
        **compared(content["pairs"], names, question, SYMBOLS[question.statistic]),
    }


def ranked(entries: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[dict[str, Any]]:
    """Return what was compared with rank ranges; a line goes where a cluster begins."""
    rows: list[dict[str, Any]] = []
    for name, entry in zip(names, entries, strict=True):
        same = entry["best"] == entry["worst"]
        rows.append(
            {
                "name": name,
                "trained": entry.get("trained", ()),
                "number": number(entry["result"]),
                "ranks": str(entry["best"]) if same else f"{entry['best']}–{entry['worst']}",
                "cluster": entry["cluster"],
            }
        )
    return rows


def compared(
    pairs: Sequence[Mapping[str, Any]], names: Sequence[str], question: Question, symbol: str
) -> dict[str, Any]:
    """Return the table of all pairs: the difference, and every test beside the one asked for."""
    tests = list(pairs[0]["tests"]) if pairs else []
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
    pair: Mapping[str, Any], names: Sequence[str], tests: Sequence[str], question: Question
) -> dict[str, Any]:
    asked = pair["tests"][question.test]
    shown = asked if asked.get("interval") else asked | {"interval": interval_of(pair) or None}
    adjusted = pair["adjusted"][question.test]
    return {
        "anchor": anchor(pair),
        "first": names[pair["first"]],
        "second": names[pair["second"]],
        "number": number(shown),
        "adjusted": [_p(adjusted[name]) for name in CORRECTIONS],
        "p_values": [_p(pair["tests"][test].get("p_value")) for test in tests],
        "detected": pair["detected"],
        "equivalent": pair["equivalent"],
    }


def _p(value: float | None) -> str:
    return "–" if value is None else p_words(value)


KIND = ReportKind(
    key="comparison",
    title="Comparison",
    group="Metrics",
    answers="which metrics correlate better with human scores than which others",
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
    content=dict,
    build=lambda asked: comparison_report(asked.data, asked.question, asked.progress),
    present=present,
    cost=lambda size: comparison_cost(
        size.question, size.cells, size.systems, min(MOST_METRICS, len(size.columns))
    ),
    tables=TABLES,
    figures=comparison_figures,
    sections={"differences": "Differences"},
    flat=("differences",),
    offers=aspect_offer,
)
