"""The page that shows each rater beside the others."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from analysis.charts.chart import counted, format_number
from analysis.charts.heat_map import metric_matrix
from analysis.filter.question import DRAWS, RATINGS, Question
from analysis.reports.figure import Figure, figure
from analysis.reports.kind import Early, Report, ReportKind
from analysis.reports.page_address import Address, Choices
from analysis.reports.raters.labels import Divided
from analysis.reports.raters.report import Rater, RatersReport, Side, raters_report
from analysis.reports.summaries import Sentence, aspect_words, digits, effect_sign, listed, said
from analysis.reports.table import Parts, Table
from analysis.shown_numbers import number
from analysis.stats.results import Undefined
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS
from analysis.wording import aspect_heading

_KEYS = ("aspect", "rater", "campaign", "kind")
_FACTS = ("ratings", "longest_run", "commonest_share", "median_seconds")


def _pairs(content: RatersReport) -> Iterator[Parts]:
    for matrix in content.matrices:
        for first, second, numbers in matrix.pairs():
            both = {"rater": matrix.raters[first], "other_rater": matrix.raters[second]}
            yield matrix, both, numbers


def _divided_items(content: RatersReport) -> Iterator[Parts]:
    for found in content.divided:
        for item in found.most:
            answers = zip(found.categories, item.counts, strict=True)
            words = ", ".join(f"{category}: {count}" for category, count in answers if count)
            yield found, item, {"answers": words}


def _soft_labels(content: RatersReport) -> Iterator[Parts]:
    for found in content.divided:
        soft = found.soft
        unfitted = {"posterior": None, "model_signature": None}
        columns = zip(soft.segment, soft.system, soft.other, soft.counts, strict=True)
        posteriors = soft.posterior or [None] * len(soft.counts)
        for (segment, system, other, counts), posterior in zip(columns, posteriors, strict=True):
            named = {"segment": segment, "system": system, "other_system": other}
            raters = sum(counts)
            for place, category in enumerate(found.categories):
                own = {"category": category, "raters": raters, "share": counts[place] / raters}
                fitted = {"posterior": posterior[place]} if posterior else unfitted
                yield found, soft, named, own, fitted


TABLES: tuple[Table[Any], ...] = (
    Table(
        "raters",
        "Raters, each compared with the others",
        "rows",
        (*_KEYS, "statistic", *RESULT_COLUMNS, *_FACTS),
        printed=(*_KEYS[:2], "statistic", *PRINTED),
    ),
    Table(
        "rater-pairs",
        "Correlation of every two raters",
        "matrices",
        ("aspect", "rater", "other_rater", "value", "n", "signature"),
        _pairs,
    ),
    Table(
        "rater-sides",
        "Share of preferences for side A, by rater",
        "sides",
        ("rater", *RESULT_COLUMNS),
    ),
    Table(
        "raters-as-labels",
        "How often each rater is right, by models of raters",
        "labels.raters",
        ("aspect", "rater", "labels", "competence", *RESULT_COLUMNS),
    ),
    Table(
        "divisions", "How far raters are divided", "divided", ("aspect", "measure", *RESULT_COLUMNS)
    ),
    Table(
        "divided-items",
        "Items that divide raters most",
        "divided",
        (
            *("aspect", "segment", "system", "other_system", "answers"),
            *("relative_entropy", "ordinal_agreement", "bimodality"),
        ),
        _divided_items,
    ),
    Table(
        "soft-labels",
        "Soft labels: share of raters and posterior of each category",
        "divided",
        (
            *("aspect", "segment", "system", "other_system", "category", "raters", "share"),
            *("posterior", "signature", "model_signature"),
        ),
        _soft_labels,
        ("aspect", "segment", "system", "category", "raters", "share", "posterior"),
    ),
)


def rater_figures(content: RatersReport, question: Question, choices: Choices) -> Iterator[Figure]:
    """Yield the matrix of raters, one an aspect with two raters or more."""
    for place, matrix in enumerate(content.matrices, 1):
        if len(matrix.raters) > 1:
            yield figure(
                f"rater-matrix-{place}",
                metric_matrix,
                partial(matrix.rows, matrix.raters),
                "over outputs that both rated; ordered by hierarchical clustering",
                order=[matrix.raters[index] for index in matrix.order],
                title=f"Raters compared with each other on {matrix.aspect}",
                statistic="Pearson r",
                things="raters",
            )


def _alike(rows: Sequence[Rater]) -> Iterator[Sentence]:
    """Say how far each correlates with the others."""
    found = _known(rows, "agreement")
    if len(found) < 2:
        return
    low, high = (end(found, key=lambda entry: entry[1]) for end in (min, max))
    yield said(
        f"Each rater’s r with the mean of the others lies between {_named(*low)} and "
        f"{_named(*high)}."
    )


def _severe(rows: Sequence[Rater]) -> Iterator[Sentence]:
    """Say who is stricter and who is milder."""
    found = _known(rows, "severity")
    apart = [(row, value) for row, value in found if effect_sign(row.results["severity"])]
    if not found:
        return
    if not apart:
        yield said("No rater is seen to be stricter or milder: each interval of severity holds 0.")
        return
    severe, lenient = (end(apart, key=lambda entry: entry[1]) for end in (min, max))
    ends = [f"the most severe is {_named(*severe)}"] if severe[1] < 0 else []
    ends += [f"the most lenient {_named(*lenient)}"] if lenient[1] > 0 else []
    many = f"{len(apart)} of {counted(len(found), 'interval')} of severity"
    exclude = "excludes" if len(apart) == 1 else "exclude"
    yield said(f"{many}, one for each rater and aspect, {exclude} 0: {listed(ends)}.")


def _without(content: RatersReport) -> Iterator[Sentence]:
    """Say whose absence raises alpha most."""
    all_of = {each.aspect: each.alpha.value for each in content.overall}
    rises = [
        (value - before, row, before, value)
        for row, value in _known(content.rows, "alpha-without")
        if (before := all_of.get(row.aspect)) is not None
    ]
    if not rises:
        return
    rise, row, before, value = max(rises, key=lambda entry: entry[0])
    if rise <= 0:
        yield said("Krippendorff’s α is not higher without any one of them.")
        return
    yield said(
        f"Leaving out one rater raises Krippendorff’s α most on {aspect_words(row.aspect)}: from "
        f"{format_number(before, 2)} to {format_number(value, 2)} without {row.rater}."
    )


def _known(rows: Sequence[Rater], name: str) -> list[tuple[Rater, float]]:
    return [
        (row, result.value)
        for row in rows
        if (result := row.results.get(name)) and result.value is not None
    ]


def _named(row: Rater, value: float) -> str:
    return f"{digits(value)} ({row.rater}, {aspect_words(row.aspect)})"


MOST_LISTED = 200
"""Raters by side on the page; a download has all."""
LONG_RUN = 10
"""Equal answers in a row from which on they are marked."""
DIVISIONS = {
    "entropy": "Mean entropy, of the largest possible",
    "ordinal-agreement": "Mean agreement A of an item",
    "polarised": "Items with A below 0, %",
    "bimodal": "Items with two peaks, of those with ten answers, %",
}
"""Results of a divided aspect in words."""
SHARES = ("polarised", "bimodal")
RESULTS = ("severity", "spread", "agreement", "icc-without", "alpha-without", "order-without")


def present(report: Report[RatersReport], address: Address) -> dict[str, Any]:
    """Return one table an aspect."""
    content = report.content
    return {
        "summary": (*_alike(content.rows), *_severe(content.rows), *_without(content)),
        "panels": [
            {
                "aspect": overall.aspect,
                "heading": aspect_heading(overall.aspect),
                "place": place,
                "overall": [overall.icc, overall.alpha],
                "timed": any(row.median_seconds is not None for row in rows),
                "rows": [_row(row, report.early) for row in rows],
            }
            for place, overall in enumerate(content.overall, 1)
            if (rows := [row for row in content.rows if row.aspect == overall.aspect])
            or len(content.matrices[place - 1].raters) > 1
        ],
        "sides": _listed(content.sides),
        "all_sides": len(content.sides),
        "labels": [
            vars(found)
            | {
                "heading": aspect_heading(found.aspect),
                "prevalence": zip(found.categories, found.prevalence, strict=True),
            }
            for found in content.labels
        ],
        "divided": [_divided(found) for found in content.divided],
        "long_run": LONG_RUN,
    }


def _divided(found: Divided) -> dict[str, Any]:
    """Return how far raters are divided over an aspect, and over which items most."""
    return vars(found) | {
        "heading": aspect_heading(found.aspect),
        "kept": len(found.soft.segment),
        "has_modes": any(item.bimodality is not None for item in found.most),
        "facts": [
            (words, number(found.results[name], percent=name in SHARES), 1 if name in SHARES else 2)
            for name, words in DIVISIONS.items()
            if found.ordered or name == "entropy"
        ],
        "most": [
            vars(item)
            | {
                "system": f"{item.system}, {item.other}" if item.other else item.system,
                "answers": ", ".join(
                    f"{count} × {category}"
                    for category, count in zip(found.categories, item.counts, strict=True)
                    if count
                ),
            }
            for item in found.most
        ],
    }


def _listed(sides: Sequence[Side]) -> Sequence[Side]:
    """Return those that a page lists: of very many raters the ones with the most preferences."""
    if len(sides) <= MOST_LISTED:
        return sides
    return sorted(sides, key=lambda side: -side.result.n)[:MOST_LISTED]


def _row(row: Rater, early: bool) -> dict[str, Any]:
    missing = None if early else Undefined("fewer than two raters")
    return vars(row) | {"numbers": [row.results.get(name, missing) for name in RESULTS]}


KIND = ReportKind(
    key="raters",
    lays_out=lambda data: bool(data.judgements.on_scale),
    fields=("aspect", "direction", *RATINGS, "systems", "leave_out", "where", *DRAWS),
    build=raters_report,
    present=present,
    early=Early(
        cost=lambda size: len(size.data.judgements.annotators) * (size.cells * 8 + size.ratings)
    ),
    cost=lambda size: len(size.data.judgements.annotators) * (size.cells * 40 + size.ratings),
    tables=TABLES,
    figures=rater_figures,
    picture=("rater-matrix",),
    sections={"rater-matrix": "Raters compared with each other"},
    flat=("rater-matrix",),
)
