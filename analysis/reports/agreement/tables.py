"""The tables of the agreement report: downloads, and those of choices and protocols on its page."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from analysis.charts.bars import agreement_bars
from analysis.charts.chart import sentence
from analysis.charts.table import Row
from analysis.filter.question import Question
from analysis.reports.agreement.choices import ChoiceRow, OfChoices, OrderRow
from analysis.reports.agreement.report import ALL, AgreementReport, AgreementRow
from analysis.reports.figure import Figure, figure
from analysis.reports.grouping import crossed, grouped
from analysis.reports.page_address import Choices
from analysis.reports.table import Table
from analysis.result_values import result_values
from analysis.stats.agreement.choice_agreement import STATISTICS
from analysis.tables.flat_table import PRINTED, RESULT_COLUMNS
from analysis.wording import AGREEMENT_NAMES

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


_CHART = {"in": "agreement-with-human", "out": "agreement-without-human", "": "agreement"}
HUMANS = {"in": "with human-written systems", "out": "without human-written systems", "": ""}


def agreement_figures(
    content: AgreementReport, question: Question, choices: Choices
) -> Iterator[Figure]:
    """Yield agreement, with and without human-written systems where there are."""
    statistic, attribute = choices.bars, content.batch_attribute
    states = dict.fromkeys(row.humans for row in content.numbers)
    for humans in states:
        rows = [r for r in content.numbers if (r.humans, r.statistic) == (humans, statistic)]
        if any(row.result.value is not None for row in rows):
            title = f"Agreement between raters{f' per {attribute}' if attribute else ''}"
            yield figure(
                _CHART[humans] if len(states) > 1 else "agreement",
                agreement_bars,
                partial(_bars, rows, attribute),
                title=_title(title, humans),
                statistic=AGREEMENT_NAMES[statistic],
            )


def _bars(rows: Sequence[AgreementRow], attribute: str) -> Iterator[Row]:
    for row in rows:
        yield {
            "batch": "all" if row.batch == ALL else f"{attribute} {row.batch}",
            "aspect": row.aspect,
            "overall": row.batch == ALL,
            **result_values(row.result),
        }


def _title(title: str, humans: str) -> str:
    return f"{title}, {HUMANS[humans]}" if humans else title


CONSISTENCY = ("circular-triads", "coefficient-of-consistence")
CONSISTENCY_NAMES = ("Circular triads", "Coefficient of consistence ζ")


def choice_tables(content: AgreementReport) -> list[dict[str, Any]]:
    """Return what was asked as a choice, each with its agreement and, of outputs, its orders."""
    orders = grouped(content.consistency, _asked)
    return [
        _choices(*asked, rows, orders.get(asked, []))
        for asked, rows in grouped(content.choices, _asked).items()
    ]


def _asked(row: OfChoices) -> tuple[str, str]:
    return row.asked, row.humans


def _choices(
    asked: str, humans: str, rows: Sequence[ChoiceRow], orders: Sequence[OrderRow]
) -> dict[str, Any]:
    ordered = any(row.result.value is not None for row in orders)
    return {
        "title": _title(sentence(asked), humans),
        "headings": [AGREEMENT_NAMES[name] for name in STATISTICS],
        "batches": crossed(rows, lambda row: row.batch, lambda row: row.statistic, STATISTICS),
        "reason": rows[0].result.reason if all(row.result.value is None for row in rows) else "",
        "order_headings": CONSISTENCY_NAMES,
        "orders": crossed(
            orders if ordered else (),
            *(lambda row: (row.rater, row.campaign), lambda row: row.statistic, CONSISTENCY),
        ),
        "no_orders": orders[0].result.reason if orders and not ordered else "",
    }


def protocol_tables(content: AgreementReport) -> list[dict[str, Any]]:
    """Return one table for each comparison of protocols; the stricter cut folded away."""
    tables = grouped(
        content.protocols, lambda row: (row.comparison, row.humans, row.at_threshold == "low")
    )
    return [
        {
            "title": _title(comparison, humans),
            "folded": folded,
            "rows": [vars(row) | {"statistic": AGREEMENT_NAMES[row.statistic]} for row in rows],
        }
        for (comparison, humans, folded), rows in tables.items()
    ]
