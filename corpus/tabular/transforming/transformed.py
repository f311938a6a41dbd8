"""Rows between reader and plan: cells derived from others, rows left out or made several.

Derived cells stand behind those of the file, under names that the mapping uses. Where a mapping
asks for none of this, the reader is handed on as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from corpus.tabular.fields import TableSpec
from corpus.tabular.mapping import Columns, Mapping
from corpus.tabular.problems import ProblemLog, shorten
from corpus.tabular.readers import Reader, Spot
from corpus.tabular.transforming.derived_columns import DerivedColumns
from corpus.tabular.transforming.splitting import POSITION, element_getter, is_of_element
from corpus.tabular.transforming.steps import (
    Explode,
    Faults,
    Join,
    Keep,
    Number,
    Rows,
    Split,
    Step,
    Take,
    Unfold,
)
from corpus.tabular.transforming.taking import patterns_of
from corpus.tabular.transforming.unfolding import ColumnCells, ObjectCells


class TransformedReader:
    """A reader whose rows went through some steps.

    Parameters
    ----------
    reader
        Of the file.
    columns
        Its columns, and the derived ones.
    steps
        In their order.
    """

    def __init__(self, reader: Reader, columns: DerivedColumns, steps: Sequence[Step]) -> None:
        self._reader = reader
        self._columns = columns
        self._steps = steps
        self.columns = tuple(columns.names)
        self.encoding = reader.encoding
        self.delimiter = reader.delimiter

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        rows: Rows = iter(self._reader)
        for step in self._steps:
            rows = step(rows)
        return rows

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where a cell of the file begins, or the first of those that a cell comes from."""
        index, label = self.behind(index, label) or (0, None)
        return self._reader.spot(index, label)

    def behind(self, index: int, label: str | None = None) -> tuple[int, str | None] | None:
        """Return column and label of the cell of the file that a cell comes from; None if none."""
        last = self._steps[-1]
        if isinstance(last, Unfold) and index >= last.begin:
            return last.place
        found = self._columns.behind(index)
        return (found[0], label) if found else None

    def all_behind(self, index: int) -> tuple[int, ...]:
        """Return every column of the file that a column comes from."""
        return self._columns.behind(index)


def transformed(
    reader: Reader, mapping: Mapping, spec: TableSpec, log: ProblemLog, file: str
) -> tuple[Reader, Mapping]:
    """Return what hands out the rows that a mapping means, and what is left of the mapping.

    The mapping that is left reads derived columns like any other.

    Parameters
    ----------
    reader, mapping, spec
        Of the file; what is wanted of it; the table.
    log
        Takes the problems of single rows, which are left out, and counts the others left out.
    file
        What problems call it.

    Raises
    ------
    TableError
        If the mapping names columns that the file does not have, or makes no sense for it.
    """
    if not mapping.is_transformed:
        return reader, mapping
    work = _Transformation(reader, mapping.resolved(reader.columns, spec), spec, log, file)
    work.number()
    work.take_and_split()
    work.keep()
    work.join()
    work.unfold()
    work.columns.check()
    return (
        TransformedReader(reader, work.columns, work.steps) if work.steps else reader
    ), work.left


class _Transformation:
    """The steps that a mapping asks for, and what is left of it after them."""

    def __init__(
        self, reader: Reader, mapping: Mapping, spec: TableSpec, log: ProblemLog, file: str
    ) -> None:
        self.columns = DerivedColumns(reader.columns, file)
        self.steps: list[Step] = []
        self.left = mapping
        self._mapping = mapping
        self._spec = spec
        self._file = file
        self._faults = Faults(file, reader, self.columns, log)

    def number(self) -> None:
        """Number the rows, unless the reader has done so."""
        mapping, columns = self._mapping, self.columns
        if mapping.takes_numbers and POSITION not in columns:
            columns.add(POSITION, ())
            self.steps.append(Number())
        for field in mapping.numbered:
            self._must_be_name(field, "numbered")
        numbers = dict.fromkeys(mapping.numbered, POSITION)
        self.left = replace(self.left, columns={**self.left.columns, **numbers}, numbered=())

    def take_and_split(self) -> None:
        """Take parts of cells and lists out of cells, and make rows of the elements of a list."""
        mapping, columns, missing = self._mapping, self.columns, self._mapping.missing
        taken = mapping.taken_columns
        patterns = {columns.index(name): patterns_of(mapping.take[name]) for name in taken}
        separators = {columns.index(name): text for name, text in mapping.split.items()}
        if patterns:
            self.steps.append(Take(patterns, missing, self._faults))
        if separators:
            self.steps.append(Split(separators, missing, self._faults))
        cell = mapping.exploded_cell
        if cell is not None:
            index = columns.index(cell)
            names = [name for name in mapping.named() if is_of_element(name, cell)]
            getters = [element_getter(name, cell) for name in names]
            for name in names:
                columns.add(name, (index,))
            empty = f"rows left out, because {shorten(cell, 60)} is empty"
            self.steps.append(Explode(index, getters, empty, self._faults.log))
        fields = {name: text for name, text in mapping.take.items() if name not in taken}
        self.left = replace(self.left, take=fields, split={})

    def keep(self) -> None:
        """Leave out the rows that do not meet the conditions."""
        where = self._mapping.where
        tests = tuple((self.columns.index(each.column), each) for each in where)
        if tests:
            self.steps.append(Keep(tests, self._mapping.missing, self._faults))
        self.left = replace(self.left, where=())

    def join(self) -> None:
        """Make keys, and texts for digests, of several cells."""
        mapping, keys, digests = self._mapping, {}, dict(self._mapping.digests)
        for field, parts in mapping.joined.items():
            self._must_be_name(field, "joined")
            needed = field in self._spec.names and self._spec.field(field).required
            keys[field] = self._joined(parts, needed)
        for field, columns in mapping.digests.items():
            if not isinstance(columns, str):
                digests[field] = self._joined(columns, False)
        columns_left = {**self.left.columns, **keys}
        self.left = replace(self.left, columns=columns_left, joined={}, digests=digests)

    def _joined(self, parts: tuple[str, ...], needed: bool) -> str:
        if len(parts) == 1:
            return parts[0]
        indices = tuple(map(self.columns.index, parts))
        self.steps.append(Join(indices, needed, self._faults))
        return self.columns.add_nameless(":".join(parts), indices)

    def unfold(self) -> None:
        """Make rows of cells under names that say several things."""
        wide = self._mapping.wide
        if wide is None or wide.parts is None:
            return
        cells: ColumnCells | ObjectCells
        if wide.column in self.columns and not wide.columns:
            cells = ObjectCells(wide, self.columns.index(wide.column))
            behind: tuple[int, ...] = ()
        else:
            cells = ColumnCells(wide, self.columns, self._file)
            behind = () if wide.skip_empty else tuple(index for _, index in cells.labelled)
        labels = {name: self.columns.add_nameless(f"{{{name}}}", ()) for name in wide.names}
        value = self.columns.add_nameless(f"{{{wide.value}}}", behind)
        begin = len(self.columns.names) - len(labels) - 1
        missing = self._mapping.missing
        self.steps.append(Unfold(cells, begin, wide.skip_empty, missing, self._faults))
        fields: dict[str, Columns] = {**self.left.columns, **labels, wide.value: value}
        self.left = replace(self.left, columns=fields, wide=None)

    def _must_be_name(self, field: str, key: str) -> None:
        if field in self._spec.names and self._spec.field(field).kind not in ("key", "text"):
            keys = ", ".join(each.name for each in self._spec.fields if each.kind == "key")
            self.columns.note(f"{key}.{field}", field, f"a key: {keys}", "mapping")
