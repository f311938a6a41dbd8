"""The page that compares metrics with each other, by how they go together with people."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from analysis.comparisons import LEVEL
from analysis.fields_of_kinds import VALUES
from analysis.forms import OF_RATINGS, Pairs
from analysis.question import Question, number_text
from analysis.reports.summaries import anchor, interval_of
from analysis.stats.metric_permutation import SWAP_COEFFICIENTS
from analysis.views.address import Address
from analysis.views.numbers import number
from analysis.views.pages import Report, ReportPage, report_page
from analysis.views.picked import picked_words
from analysis.wording import (
    COEFFICIENTS,
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
from corpus.access import study_view
from corpus.models import Study

FEW_SYSTEMS = 15
"""Below, tests and intervals at system level do not quite hold their level, as simulations say."""


def present(report: Report, address: Address) -> dict[str, Any]:
    """Return the ranked metrics, the summary and the table of all pairs."""
    content, question = report["content"], address.question
    picked = content.get("picked", {})
    names = column_labels(content["metrics"])
    left_out = column_labels(content["left_out"])
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
        "summary": content["summary"],
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


def offers(report: Report | None) -> dict[str, Pairs]:
    """Return the choices that a comparison of metrics knows."""
    return {
        "statistic": tuple(
            ("" if name == "pearson" else name, COEFFICIENTS[name]) for name in SWAP_COEFFICIENTS
        ),
        "test": tuple(
            ("" if name == "permutation" else name, TESTS[name])
            for name in VALUES["comparison", "test"]
        ),
    } | aspect_offer(report)


def aspect_offer(report: Report | None) -> dict[str, Pairs]:
    """Return the aspects; a comparison is of one, the first where none is chosen."""
    if report is None or not report["content"]["aspects"]:
        return {}
    first, *others = report["content"]["aspects"]
    return {"aspect": (("", first), *((aspect, aspect) for aspect in others))}


PAGE = ReportPage(
    kind="comparison",
    title="Comparison",
    fields=(
        *("aspect", "statistic", "level", "candidates", "test", "correction"),
        *("compared_to", "text_setting", "direction", "humans", "withdrawn", *OF_RATINGS),
        *("metric", "systems", "leave_out", "where"),
        *("grouping", "scores", "ddof", "swap", "resample", "margin", "resamples", "seed"),
    ),
    present=present,
    offers=offers,
)


@require_safe
@study_view
def comparison(request: HttpRequest, study: Study) -> HttpResponse:
    """Show which metrics track people better than which others."""
    return report_page(request, study, PAGE)
