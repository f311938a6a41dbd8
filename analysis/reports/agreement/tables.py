"""The tables of the agreement report, as its content declares them."""

from analysis.reports.agreement.report import (
    AgreementReport,
)
from analysis.reports.table import Table
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS

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


TABLES: tuple[Table[AgreementReport], ...] = (
    Table(
        "agreement",
        "Agreement between raters",
        "numbers",
        (*_NUMBERS, *RESULT_COLUMNS, "conditions"),
    ),
    Table("scales", "Scales of the aspects", "scales", _SCALES),
    Table(
        "choices",
        "Agreement on choices between two texts",
        "choices",
        (*_CHOICES, *RESULT_COLUMNS, "conditions"),
        printed=("asked", "batch", "statistic", *PRINTED),
    ),
    Table(
        "consistency",
        "Circular triads of preferences between outputs",
        "consistency",
        (*_ORDERS, *RESULT_COLUMNS, "conditions"),
        printed=("asked", "rater", "statistic", *PRINTED),
    ),
    Table(
        "protocols",
        "Agreement under two protocols over the same outputs",
        "protocols",
        (*_PROTOCOLS, "quantity", *RESULT_COLUMNS, "conditions"),
        printed=("comparison", "first", "second", "statistic", "quantity", *PRINTED),
    ),
    Table("raters", "Raters", "raters", _RATERS),
    Table(
        "relative",
        "Outputs against their sources",
        "relative",
        (*_RELATIVE, *RESULT_COLUMNS, "conditions"),
    ),
)
