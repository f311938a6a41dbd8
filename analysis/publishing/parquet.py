"""Exported tables as Parquet with typed columns, the same bytes for the same rows."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis.publishing.documents.content import Column, DataFile
from corpus.tables.register import ExportedTable, handler_for
from corpus.tabular.shaping.fields import TableSpec

if TYPE_CHECKING:
    import pyarrow

FOLDER = "data"
ROWS_AT_A_TIME = 20_000
ROWS_IN_A_GROUP = 100_000
TEXT, INTEGER, NUMBER, EMPTY = "text", "integer", "number", "empty"
OF_TEXTS = frozenset({"segments", "outputs", "masked_texts"})
"""Tables whose cells are texts that somebody wrote or a system made."""


def path_of(table: ExportedTable) -> str:
    """Return where the table lies in a publication.

    Examples
    --------
    >>> path_of(ExportedTable.plain("ratings", ["rater"], []))
    'data/ratings.parquet'
    """
    return f"{FOLDER}/{table.file_name.removesuffix('.csv')}.parquet"


def typed(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> pyarrow.Table:
    """Return rows as a table of Arrow: whole numbers, numbers and texts, by what the cells are.

    An empty cell among numbers is a missing one; among texts it stays an empty text.
    """
    import pyarrow as arrow

    parts: list[list[tuple[str, Any]]] = [[] for _ in columns]
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_AT_A_TIME)):
        for place, cells in enumerate(zip(*some, strict=True)):
            parts[place].append(_part(arrow, cells))
    arrays = [_together(arrow, part) for part in parts]
    return arrow.Table.from_arrays(arrays, names=list(columns))


def _part(arrow: Any, cells: tuple[Any, ...]) -> tuple[str, Any]:
    types = {type(cell) for cell in cells if cell is not None and cell != ""}
    if not types:
        return EMPTY, len(cells)
    if types <= {int}:
        return INTEGER, arrow.array([None if c == "" else c for c in cells], arrow.int64())
    if types <= {int, float}:
        return NUMBER, arrow.array([None if c == "" else c for c in cells], arrow.float64())
    texts = [c if isinstance(c, str) else "" if c is None else str(c) for c in cells]
    return TEXT, arrow.array(texts, arrow.string())


def _together(arrow: Any, parts: list[tuple[str, Any]]) -> Any:
    kinds = {kind for kind, _ in parts}
    wanted = next((kind for kind in (TEXT, NUMBER, INTEGER) if kind in kinds), TEXT)
    kind_of = {TEXT: arrow.string(), NUMBER: arrow.float64(), INTEGER: arrow.int64()}[wanted]
    arrays = []
    for kind, part in parts:
        if kind == EMPTY:
            empty = "" if wanted == TEXT else None
            arrays.append(arrow.array([empty] * part, kind_of))
        else:
            arrays.append(part if kind == wanted else part.cast(kind_of))
    return arrow.chunked_array(arrays, kind_of)


def write(table: ExportedTable, arrays: pyarrow.Table, folder: Path) -> DataFile:
    """Write a table below a folder and return what its documents say of it."""
    import pyarrow.parquet as parquet

    spec = handler_for(str(table.mapping["table"])).spec
    described = tuple(_columns(arrays, table.mapping, spec))
    schema = arrays.schema.with_metadata(
        {"title": spec.title, **{f"column {c.name}": c.description for c in described}}
    )
    path = folder / path_of(table)
    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(
        arrays.cast(schema),
        path,
        row_group_size=ROWS_IN_A_GROUP,
        compression="zstd",
    )
    content = path.read_bytes()
    return DataFile(
        path=path_of(table),
        table=spec.name,
        title=spec.title,
        rows=arrays.num_rows,
        columns=described,
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        has_texts=spec.name in OF_TEXTS,
    )


def _columns(
    arrays: pyarrow.Table, mapping: Mapping[str, Any], spec: TableSpec
) -> Iterator[Column]:
    import pyarrow as arrow

    fields: dict[str, str] = {}
    for name, columns in mapping.get("columns", {}).items():
        for column in [columns] if isinstance(columns, str) else list(columns):
            fields[column] = name
    for column in arrays.schema:
        kind = INTEGER if arrow.types.is_integer(column.type) else TEXT
        kind = NUMBER if arrow.types.is_floating(column.type) else kind
        yield Column(column.name, kind, _described(column.name, fields, mapping, spec))


def _described(
    column: str, fields: Mapping[str, str], mapping: Mapping[str, Any], spec: TableSpec
) -> str:
    if column in fields and fields[column] in spec.names:
        field = spec.field(fields[column])
        return field.help or field.name.replace("_", " ")
    if column in mapping.get("attributes", ()):
        return f"attribute {column} of the {spec.name.replace('_', ' ')}"
    return column.replace("_", " ")
