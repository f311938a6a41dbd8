"""The tables of the raters report."""

from collections.abc import Iterator
from typing import Any

from analysis.reports.raters.report import RatersReport
from analysis.reports.table import Parts, Table
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS

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
        "Raters, each beside the others",
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
