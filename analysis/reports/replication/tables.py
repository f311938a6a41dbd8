"""The replication report as a table."""

from collections.abc import Iterator

from analysis.reports.kind import Stored, Table
from analysis.tables.flat_table import RESULT_COLUMNS, Row, as_json, result_cells

_KEYS = ("where", "what", "printed", "published", "decimals", "rounded")


def _values(content: Stored) -> Iterator[Row]:
    for row in content["rows"]:
        outcome = (row["value"], row["state"], row["note"], as_json(row["conditions"]))
        yield (*(row[key] for key in _KEYS), *outcome, *result_cells(row["result"]))


TABLES = (
    Table(
        "replication",
        "Published values beside the recomputed ones",
        "rows",
        (*_KEYS, "recomputed", "outcome", "note", "conditions", *RESULT_COLUMNS),
        _values,
        ("where", "what", "printed", "rounded", "recomputed", "outcome"),
    ),
)
