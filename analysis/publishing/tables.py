"""The tables of a publication: those of the study's archive as Parquet, raters renamed and sorted.

The order of ratings in a study is that in which they came: who was invited first, and who worked
at the same time. That of a publication follows texts and new names. The same rows give the same
bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.data.arrays import Integers
from analysis.publishing.content import Column, DataFile
from analysis.publishing.personal_data import Pseudonyms
from annotation.models import Campaign
from corpus.models import Segment, Study, System
from corpus.tables.register import ExportedTable, handler_for, handlers
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import columns_in

if TYPE_CHECKING:
    import pyarrow

FOLDER = "data"
ROWS_AT_A_TIME = 20_000
ROWS_IN_A_GROUP = 100_000
TEXT, INTEGER, NUMBER = "text", "integer", "number"
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

    parts: list[list[Any]] = [[] for _ in columns]
    remaining = iter(rows)
    while some := list(islice(remaining, ROWS_AT_A_TIME)):
        for place, cells in enumerate(zip(*some, strict=True)):
            parts[place].append(_part(arrow, cells))
    arrays = [_together(arrow, part) for part in parts]
    return arrow.Table.from_arrays(arrays, names=list(columns))


def _part(arrow: Any, cells: tuple[Any, ...]) -> Any:
    """Return cells as an array of the type that they have; of empty ones alone, of no type."""
    types = {type(cell) for cell in cells if cell is not None and cell != ""}
    if not types:
        return arrow.nulls(len(cells))
    if types <= {int, float}:
        kind = arrow.int64() if types == {int} else arrow.float64()
        return arrow.array([None if cell == "" else cell for cell in cells], kind)
    return arrow.array(["" if cell is None else str(cell) for cell in cells], arrow.string())


def _together(arrow: Any, parts: list[Any]) -> Any:
    kinds = {part.type for part in parts}
    by_width = (arrow.string(), arrow.float64(), arrow.int64())
    kind = next((each for each in by_width if each in kinds), arrow.string())
    whole = arrow.chunked_array([part.cast(kind) for part in parts], kind)
    return whole.fill_null("") if kind == arrow.string() else whole


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
        arrays.cast(schema), path, row_group_size=ROWS_IN_A_GROUP, compression="zstd"
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

    fields = {
        column: name
        for name, source in mapping.get("columns", {}).items()
        for column in columns_in(source)
    }
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


RENAMED = frozenset({"", "person", "place"})
"""Kinds of raters that are people, or may be."""


@dataclass(frozen=True)
class PublishedTable:
    """A table with its rows as arrays."""

    table: ExportedTable
    arrays: pyarrow.Table


def pseudonyms_of(study: Study, seed: str) -> Pseudonyms:
    """Return what renames the raters of a study."""
    tasks = Campaign.objects.filter(study=study, set__isnull=False)
    return Pseudonyms(seed, dict(tasks.values_list("slug", "set__slug")))


def published_tables(
    study: Study, names: Pseudonyms, *, comments: bool
) -> Iterator[PublishedTable]:
    """Yield every table of a study as it is published."""
    for handler in handlers():
        for table in handler.export(study):
            if handler.spec.name == "ratings":
                yield _ratings(study, table, names, comments)
            else:
                yield PublishedTable(table, typed(table.columns, table.rows))


def _ratings(
    study: Study, table: ExportedTable, names: Pseudonyms, comments: bool
) -> PublishedTable:
    place = {name: table.columns.index(name) for name in ("campaign", "rater", "rater_kind")}

    def renamed() -> Iterator[tuple[Any, ...]]:
        for row in table.rows:
            cells = list(row)
            campaign, rater, kind = (cells[each] for each in place.values())
            if rater and kind in RENAMED:
                cells[place["rater"]] = names.name(campaign, rater)
            yield tuple(cells)

    arrays = _sorted(study, typed(table.columns, renamed()))
    if not comments and "comment" in table.columns:
        columns = dict(table.mapping["columns"])
        del columns["comment"]
        kept = [name for name in table.columns if name != "comment"]
        table = replace(table, columns=kept, mapping={**table.mapping, "columns": columns})
        arrays = arrays.drop_columns(["comment"])
    return PublishedTable(table, arrays)


def _sorted(study: Study, arrays: pyarrow.Table) -> pyarrow.Table:
    """Sort ratings by campaign, texts, new name and aspect, each in an order that names nobody.

    The texts are in their natural order (`analysis.data.arrays`), so that an import has the
    ratings in the order in which published reports were computed.
    """
    segments = dict(Segment.objects.filter(study=study).values_list("key", "ordinal"))
    first, second = (
        _places(study, arrays, segments, system, variant)
        for system, variant in (("against", "against_variant"), ("system", "variant"))
    )
    is_pair = first >= 0
    first, second = np.where(is_pair, first, second), np.where(is_pair, second, -1)
    order = np.lexsort(
        (
            _ranked(arrays, "aspect", _appearance(arrays["aspect"])),
            _whole(arrays, "revision"),
            _ranked(arrays, "rater", _alphabet(arrays["rater"])),
            second,
            first,
            _ranked(arrays, "campaign", _appearance(arrays["campaign"])),
        )
    )
    return arrays.take(order)


def _places(
    study: Study, arrays: pyarrow.Table, segments: Mapping[str, int], system: str, variant: str
) -> Integers:
    """Return a number for each text that sorts as texts naturally do; −1 where there is none."""
    systems, outer = {}, {}
    for name, ordinal, kind in System.objects.filter(study=study).values_list(
        "name", "ordinal", "kind"
    ):
        systems[name], outer[name] = ordinal, int(kind == System.Kind.SYSTEM)
    of_segment = _ranked(arrays, "segment", segments)
    of_system = _ranked(arrays, system, systems)
    is_system = _ranked(arrays, system, outer) == 1
    size = max([*segments.values(), *systems.values(), 0]) + 1
    place = np.where(is_system, of_system, of_segment) * size
    place += np.where(is_system, of_segment, of_system) + is_system * size * size
    number = _whole(arrays, variant)
    place = place * (int(number.max(initial=0)) + 1) + number
    return np.where(of_system < 0, -1, place)


def _ranked(arrays: pyarrow.Table, name: str, rank: Mapping[str, int]) -> Integers:
    """Return the rank of each cell of a column, −1 where it has none."""
    coded = arrays[name].combine_chunks().dictionary_encode()
    ranks = np.array([rank.get(cell, -1) for cell in coded.dictionary.to_pylist()], dtype=np.int64)
    found: Integers = ranks[coded.indices.to_numpy()]
    return found


def _whole(arrays: pyarrow.Table, name: str) -> Integers:
    """Return a column of whole numbers, 0 where there is none."""
    if name not in arrays.column_names or str(arrays[name].type) != "int64":
        return np.zeros(arrays.num_rows, dtype=np.int64)
    found: Integers = arrays[name].fill_null(0).to_numpy().astype(np.int64)
    return found


def _appearance(column: Any) -> dict[str, int]:
    return {name: place for place, name in enumerate(column.unique().to_pylist())}


def _alphabet(column: Any) -> dict[str, int]:
    return {name: place for place, name in enumerate(sorted(column.unique().to_pylist()))}
