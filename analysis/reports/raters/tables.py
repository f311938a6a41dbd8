"""The tables of the raters report."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from analysis.reports.raters.report import RatersReport
from analysis.reports.table import Table
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS, TableRow

_KEYS = ("aspect", "rater", "campaign", "kind")
_FACTS = ("ratings", "longest_run", "commonest_share", "median_seconds")


def _pairs(content: RatersReport) -> Iterator[TableRow]:
    for matrix in content.matrices:
        for first, second in combinations(range(len(matrix.raters)), 2):
            yield (
                matrix.aspect,
                *(matrix.raters[first], matrix.raters[second]),
                *(matrix.values[first][second], matrix.counts[first][second]),
                matrix.signature,
            )


def _divided_items(content: RatersReport) -> Iterator[TableRow]:
    for found in content.divided:
        for item in found.most:
            answers = zip(found.categories, item.counts, strict=True)
            yield (
                *(found.aspect, item.segment, item.system, item.other),
                ", ".join(f"{category}: {count}" for category, count in answers if count),
                *(item.entropy, item.agreement, item.bimodality),
            )


def _soft_labels(content: RatersReport) -> Iterator[TableRow]:
    for found in content.divided:
        soft = found.soft
        posteriors = soft.posterior or [None] * len(soft.counts)
        for item, (counts, posterior) in enumerate(zip(soft.counts, posteriors, strict=True)):
            raters = sum(counts)
            for place, category in enumerate(found.categories):
                yield (
                    *(found.aspect, soft.segment[item], soft.system[item], soft.other[item]),
                    *(category, raters, counts[place] / raters),
                    posterior[place] if posterior else None,
                    *(soft.signature, soft.model_signature if posterior else None),
                )


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
        printed=("rater", *PRINTED),
    ),
    Table(
        "raters-as-labels",
        "How often each rater is right, by models of raters",
        "labels.raters",
        ("aspect", "rater", "labels", "competence", *RESULT_COLUMNS),
        printed=("aspect", "rater", "labels", "competence", *PRINTED),
    ),
    Table(
        "divisions",
        "How far raters are divided",
        "divided",
        ("aspect", "measure", *RESULT_COLUMNS),
        printed=("aspect", "measure", *PRINTED),
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
