"""The replication report as a table."""

from collections.abc import Iterator

from analysis.reports.kind import Table
from analysis.reports.replication.report import ReplicationReport
from analysis.tables.flat_table import RESULT_COLUMNS, Row, as_json, result_cells

_KEYS = ("where", "what", "printed", "published", "decimals", "rounded")


def _values(content: ReplicationReport) -> Iterator[Row]:
    for row in content.rows:
        printed = (row.where, row.what, row.printed, row.published, row.decimals, row.rounded)
        outcome = (row.value, row.state, row.note, as_json(row.conditions))
        yield (*printed, *outcome, *result_cells(row.result))


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
