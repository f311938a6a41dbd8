"""The agreement report as tables."""

from collections.abc import Callable, Iterator

from analysis.reports.kind import Stored, Table
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS, Row, as_json, result_cells

_NUMBERS = ("aspect", "batch", "humans", "statistic")
_SCALES = ("aspect", "low", "high", "step", "source", "categorical", "not_pooled_because")
_ASKED = ("asked", "aspect", "protocol", "ties", "humans")
_CHOICES = (*_ASKED, "batch", "statistic")
_ORDERS = (*_ASKED, "rater", "campaign", "statistic")
_PROTOCOLS = (
    *("comparison", "first", "second", "statistic", "threshold", "at_threshold", "outputs"),
    "humans",
)
_RATERS = ("rater", "kind", "raters", "campaign", "aspect", "ratings", "mean", "sd")
_RELATIVE = ("group", "statistic")


def _results(part: str, keys: tuple[str, ...]) -> Callable[[Stored], Iterator[Row]]:
    """Return what makes one row of each result in a part of the content."""

    def rows(content: Stored) -> Iterator[Row]:
        # A report that was frozen before lacks what came later.
        for row in content.get(part, []):
            cells = (*(row[key] for key in keys), *result_cells(row["result"]))
            yield (*cells, as_json(row["conditions"]))

    return rows


def _scales(content: Stored) -> Iterator[Row]:
    for row in content.get("scales", []):
        yield tuple(row[key] for key in _SCALES)


def _protocols(content: Stored) -> Iterator[Row]:
    for row in content.get("protocols", []):
        for quantity, result in row["results"].items():
            described = (*(row[key] for key in _PROTOCOLS), quantity)
            yield (*described, *result_cells(result), as_json(row["conditions"]))


def _raters(content: Stored) -> Iterator[Row]:
    for row in content["raters"]:
        yield (*(row[key] for key in _RATERS), bool(row["constant"]))


TABLES = (
    Table(
        "agreement",
        "Agreement between raters",
        "numbers",
        (*_NUMBERS, *RESULT_COLUMNS, "conditions"),
        _results("numbers", _NUMBERS),
        (*_NUMBERS, *PRINTED),
    ),
    Table("scales", "Scales of the aspects", "scales", _SCALES, _scales),
    Table(
        "choices",
        "Agreement on choices between two texts",
        "choices",
        (*_CHOICES, *RESULT_COLUMNS, "conditions"),
        _results("choices", _CHOICES),
        ("asked", "batch", "statistic", *PRINTED),
    ),
    Table(
        "consistency",
        "Circular triads of preferences between outputs",
        "consistency",
        (*_ORDERS, *RESULT_COLUMNS, "conditions"),
        _results("consistency", _ORDERS),
        ("asked", "rater", "statistic", *PRINTED),
    ),
    Table(
        "protocols",
        "Agreement under two protocols over the same outputs",
        "protocols",
        (*_PROTOCOLS, "quantity", *RESULT_COLUMNS, "conditions"),
        _protocols,
        ("comparison", "first", "second", "statistic", "quantity", *PRINTED),
    ),
    Table("raters", "Raters", "raters", (*_RATERS, "constant"), _raters),
    Table(
        "relative",
        "Outputs against their sources",
        "relative",
        (*_RELATIVE, *RESULT_COLUMNS, "conditions"),
        _results("relative", _RELATIVE),
        (*_RELATIVE, *PRINTED),
    ),
)
