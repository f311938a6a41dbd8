"""Tables of agreement on choices and under two protocols, for the page of agreement."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.reports.agreement.figures import HUMANS
from analysis.reports.agreement.report import ALL
from analysis.stats.agreement.choice_agreement import STATISTICS
from analysis.views.numbers import number
from analysis.wording import AGREEMENT_NAMES

CONSISTENCY = ("circular-triads", "coefficient-of-consistence")
CONSISTENCY_NAMES = ("Circular triads", "Coefficient of consistence ζ")
Rows = Sequence[Mapping[str, Any]]


def choice_tables(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what was asked as a choice, each with its agreement and, of outputs, its orders."""
    choices, orders = content.get("choices", []), content.get("consistency", [])
    return [
        _asked(
            asked,
            humans,
            [row for row in choices if (row["asked"], row["humans"]) == (asked, humans)],
            [row for row in orders if (row["asked"], row["humans"]) == (asked, humans)],
        )
        for asked, humans in dict.fromkeys((row["asked"], row["humans"]) for row in choices)
    ]


def _asked(asked: str, humans: str, rows: Rows, orders: Rows) -> dict[str, Any]:
    title = f"{asked[:1].upper()}{asked[1:]}"
    undefined = [row["result"]["reason"] for row in rows if row["result"]["kind"] == "undefined"]
    return {
        "title": f"{title}, {HUMANS[humans]}" if humans else title,
        "headings": [AGREEMENT_NAMES[name] for name in STATISTICS],
        "batches": [_batch(rows, batch) for batch in dict.fromkeys(row["batch"] for row in rows)],
        "reason": undefined[0] if len(undefined) == len(rows) else "",
        "order_headings": CONSISTENCY_NAMES,
        "orders": _orders(orders),
        "no_orders": next((row["result"]["reason"] for row in orders[:1] if _none(orders)), ""),
    }


def protocol_tables(content: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return one table for each comparison of protocols; the stricter cut folded away."""
    rows = content.get("protocols", [])
    tables = dict.fromkeys((r["comparison"], r["humans"], r["at_threshold"] == "low") for r in rows)
    return [
        {
            "title": f"{comparison}, {HUMANS[humans]}" if humans else comparison,
            "folded": folded,
            "rows": [
                {
                    "first": row["first"],
                    "second": row["second"],
                    "statistic": AGREEMENT_NAMES[row["statistic"]],
                    "outputs": row["outputs"],
                    "numbers": [number(result) for result in row["results"].values()],
                }
                for row in rows
                if (row["comparison"], row["humans"], row["at_threshold"] == "low")
                == (comparison, humans, folded)
            ],
        }
        for comparison, humans, folded in tables
    ]


def _none(rows: Rows) -> bool:
    return all(row["result"]["kind"] == "undefined" for row in rows)


def _batch(rows: Rows, batch: str) -> dict[str, Any]:
    own = {row["statistic"]: row for row in rows if row["batch"] == batch}
    first = own[STATISTICS[0]]
    return {
        "name": batch,
        "overall": batch == ALL,
        "pairs": first["pairs"],
        "raters": first["raters"],
        "numbers": [number(own[name]["result"]) for name in STATISTICS],
    }


def _orders(rows: Rows) -> list[dict[str, Any]]:
    """Return one row for all raters, the majority and each rater; none without any triad."""
    if _none(rows):
        return []
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        found.setdefault((row["campaign"], row["rater"]), {})[row["statistic"]] = row
    return [
        {
            "rater": rater,
            "campaign": campaign,
            "numbers": [number(own[name]["result"]) for name in CONSISTENCY],
        }
        for (campaign, rater), own in found.items()
    ]
