"""The tables of the agreement report: downloads, and those of choices and protocols on its page."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from analysis.charts.bars import agreement_bars
from analysis.charts.table import Row
from analysis.filter.question import Question
from analysis.reports.agreement.choices import ChoiceRow, OfChoices, OrderRow
from analysis.reports.agreement.protocols import ProtocolRow
from analysis.reports.agreement.report import (
    ALL,
    AgreementReport,
    AgreementRow,
)
from analysis.reports.figure import Figure, figure
from analysis.reports.page_address import Choices
from analysis.reports.table import Table
from analysis.result_values import result_values
from analysis.stats.agreement.choice_agreement import STATISTICS
from analysis.stats.results import Result
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
OfChoice = TypeVar("OfChoice", bound=OfChoices)


def choice_tables(content: AgreementReport) -> list[dict[str, Any]]:
    """Return what was asked as a choice, each with its agreement and, of outputs, its orders."""
    return [
        _asked(
            *(asked, humans),
            *(_of(content.choices, asked, humans), _of(content.consistency, asked, humans)),
        )
        for asked, humans in dict.fromkeys((row.asked, row.humans) for row in content.choices)
    ]


def _of(rows: Sequence[OfChoice], asked: str, humans: str) -> list[OfChoice]:
    return [row for row in rows if (row.asked, row.humans) == (asked, humans)]


def _asked(
    asked: str, humans: str, rows: Sequence[ChoiceRow], orders: Sequence[OrderRow]
) -> dict[str, Any]:
    title = f"{asked[:1].upper()}{asked[1:]}"
    ordered = any(row.result.value is not None for row in orders)
    return {
        "title": _title(title, humans),
        "headings": [AGREEMENT_NAMES[name] for name in STATISTICS],
        "batches": [_batch(rows, batch) for batch in dict.fromkeys(row.batch for row in rows)],
        "reason": rows[0].result.reason if all(row.result.value is None for row in rows) else "",
        "order_headings": CONSISTENCY_NAMES,
        "orders": _orders(orders) if ordered else [],
        "no_orders": orders[0].result.reason if orders and not ordered else "",
    }


def protocol_tables(content: AgreementReport) -> list[dict[str, Any]]:
    """Return one table for each comparison of protocols; the stricter cut folded away."""
    tables: dict[tuple[str, str, bool], list[ProtocolRow]] = {}
    for row in content.protocols:
        key = (row.comparison, row.humans, row.at_threshold == "low")
        tables.setdefault(key, []).append(row)
    return [
        {
            "title": _title(comparison, humans),
            "folded": folded,
            "rows": [vars(row) | {"statistic": AGREEMENT_NAMES[row.statistic]} for row in rows],
        }
        for (comparison, humans, folded), rows in tables.items()
    ]


def _batch(rows: Sequence[ChoiceRow], batch: str) -> dict[str, Any]:
    own = {row.statistic: row for row in rows if row.batch == batch}
    first = own[STATISTICS[0]]
    return {
        "name": batch,
        "overall": batch == ALL,
        "pairs": first.pairs,
        "raters": first.raters,
        "numbers": [own[name].result for name in STATISTICS],
    }


def _orders(rows: Sequence[OrderRow]) -> list[dict[str, Any]]:
    """Return one row for all raters, the majority and each rater."""
    found: dict[tuple[str, str], dict[str, Result]] = {}
    for row in rows:
        found.setdefault((row.campaign, row.rater), {})[row.statistic] = row.result
    return [
        {
            "rater": rater,
            "campaign": campaign,
            "numbers": [own[name] for name in CONSISTENCY],
        }
        for (campaign, rater), own in found.items()
    ]
