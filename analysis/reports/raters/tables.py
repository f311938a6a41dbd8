"""The raters report as tables."""

from collections.abc import Iterator

from analysis.reports.kind import Content, Table
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS, Row, result_cells

_KEYS = ("aspect", "rater", "campaign", "kind")
_FACTS = ("ratings", "longest_run", "commonest_share", "median_seconds")


def _raters(content: Content) -> Iterator[Row]:
    for row in content["rows"]:
        for statistic, result in row["results"].items():
            described = (*(row[key] for key in _KEYS), statistic)
            yield (*described, *result_cells(result), *(row[key] for key in _FACTS))


def _pairs(content: Content) -> Iterator[Row]:
    for matrix in content["matrices"]:
        names, values, counts = matrix["raters"], matrix["values"], matrix["counts"]
        for first in range(len(names)):
            for second in range(first + 1, len(names)):
                pair = (matrix["aspect"], names[first], names[second])
                numbers = (values[first][second], counts[first][second])
                yield (*pair, *numbers, matrix["signature"])


TABLES = (
    Table(
        "raters",
        "Raters, each beside the others",
        "rows",
        (*_KEYS, "statistic", *RESULT_COLUMNS, *_FACTS),
        _raters,
        (*_KEYS[:2], "statistic", *PRINTED),
    ),
    Table(
        "rater-pairs",
        "Correlation of every two raters",
        "matrices",
        ("aspect", "rater", "other_rater", "value", "n", "signature"),
        _pairs,
    ),
)
