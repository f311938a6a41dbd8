"""The agreement report as tables."""

from collections.abc import Callable, Iterator
from operator import attrgetter

from analysis.reports.agreement.report import AgreementReport
from analysis.reports.kind import Table
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS, Row, as_json, result_cells

_NUMBERS = ("aspect", "batch", "humans", "statistic")
_SCALES = ("aspect", "low", "high", "step", "source", "categorical", "not_pooled_because")
_ASKED = ("asked", "aspect", "protocol", "ties", "humans")
_CHOICES = (*_ASKED, "batch", "statistic")
_ORDERS = (*_ASKED, "rater", "rater_count", "campaign", "statistic")
_PROTOCOLS = (
    *("comparison", "first", "second", "statistic", "threshold", "at_threshold", "outputs"),
    "humans",
)
_RATERS = ("rater", "kind", "raters", "campaign", "aspect", "ratings", "mean", "sd", "constant")
_RELATIVE = ("group", "statistic")


def _results(part: str, keys: tuple[str, ...]) -> Callable[[AgreementReport], Iterator[Row]]:
    """Return what makes one row of each result in a part of the content."""
    described = attrgetter(*keys)

    def rows(content: AgreementReport) -> Iterator[Row]:
        for row in getattr(content, part):
            yield (*described(row), *result_cells(row.result), as_json(row.conditions))

    return rows


def _protocols(content: AgreementReport) -> Iterator[Row]:
    for row in content.protocols:
        for quantity, result in row.results.items():
            described = (*attrgetter(*_PROTOCOLS)(row), quantity)
            yield (*described, *result_cells(result), as_json(row.conditions))


TABLES: tuple[Table[AgreementReport], ...] = (
    Table(
        "agreement",
        "Agreement between raters",
        "numbers",
        (*_NUMBERS, *RESULT_COLUMNS, "conditions"),
        _results("numbers", _NUMBERS),
        (*_NUMBERS, *PRINTED),
    ),
    Table(
        "scales",
        "Scales of the aspects",
        "scales",
        _SCALES,
        lambda content: map(attrgetter(*_SCALES), content.scales),
    ),
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
    Table(
        "raters",
        "Raters",
        "raters",
        _RATERS,
        lambda content: map(attrgetter(*_RATERS), content.raters),
    ),
    Table(
        "relative",
        "Outputs against their sources",
        "relative",
        (*_RELATIVE, *RESULT_COLUMNS, "conditions"),
        _results("relative", _RELATIVE),
        (*_RELATIVE, *PRINTED),
    ),
)
