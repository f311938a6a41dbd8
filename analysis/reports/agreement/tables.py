"""Flat tables of the agreement report: scales, choices, orders, protocols."""

from collections.abc import Iterator, Mapping
from typing import Any

from analysis.flat_table import RESULT_COLUMNS, FlatTable, as_json, result_cells
from analysis.table_titles import PRINTED, make_table

_SCALES = ("aspect", "low", "high", "step", "source", "categorical", "not_pooled_because")
_ASKED = ("asked", "aspect", "protocol", "ties", "humans")
_KEYS = {
    "choices": (*_ASKED, "batch", "statistic"),
    "consistency": (*_ASKED, "rater", "campaign", "statistic"),
}
_PROTOCOLS = (
    *("comparison", "first", "second", "statistic", "threshold", "at_threshold", "outputs"),
    "humans",
)
_PRINTED = {
    "choices": ("asked", "batch", "statistic"),
    "consistency": ("asked", "rater", "statistic"),
}


def further_agreement_tables(content: Mapping[str, Any]) -> Iterator[FlatTable]:
    """Yield tables that a report that was frozen before may lack; they are empty there."""
    scales = (tuple(row[key] for key in _SCALES) for row in content.get("scales", []))
    yield make_table("agreement", "scales", _SCALES, scales)
    for name, keys in _KEYS.items():
        rows = (
            (
                *(row[key] for key in keys),
                *result_cells(row["result"]),
                as_json(row["conditions"]),
            )
            for row in content.get(name, [])
        )
        columns = (*keys, *RESULT_COLUMNS, "conditions")
        yield make_table("agreement", name, columns, rows, (*_PRINTED[name], *PRINTED))
    rows = (
        (
            *(row[key] for key in _PROTOCOLS),
            quantity,
            *result_cells(result),
            as_json(row["conditions"]),
        )
        for row in content.get("protocols", [])
        for quantity, result in row["results"].items()
    )
    columns = (*_PROTOCOLS, "quantity", *RESULT_COLUMNS, "conditions")
    printed = ("comparison", "first", "second", "statistic", "quantity", *PRINTED)
    yield make_table("agreement", "protocols", columns, rows, printed)
