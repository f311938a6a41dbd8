"""The ranking report as a table."""

from collections.abc import Iterator

from analysis.reports.kind import Stored, Table
from analysis.tables.flat_table import RESULT_COLUMNS, Row, as_json, result_cells

_COLUMNS = ("aspect", "system", "human_written", "group", "scores", "rank")


def _means(content: Stored) -> Iterator[Row]:
    for table in content["tables"]:
        for system in table["systems"]:
            described = (table["aspect"], system["system"], bool(system["human"]), system["group"])
            for kind in ("raw", "z"):
                conditions = system["conditions"] | ({"scores": ["z"]} if kind == "z" else {})
                cells = result_cells(system[kind]["result"])
                yield (*described, kind, system[kind]["rank"], *cells, as_json(conditions))


TABLES = (
    Table(
        "ranking",
        "Mean human scores of systems, raw and z",
        "tables",
        (*_COLUMNS, *RESULT_COLUMNS, "conditions"),
        _means,
        ("aspect", "system", "scores", "rank", "value", "low", "high", "n"),
    ),
)
