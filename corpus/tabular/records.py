"""The records of a file: the rows of one table, converted and checked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any

from corpus.tabular.conversion import UnconvertibleError, is_nothing
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.mapping import Mapping, Wide
from corpus.tabular.opening import Opened, open_records
from corpus.tabular.placing import (
    NOTHING,
    CellPlace,
    cell_behind,
    column_shown,
    slot_cell,
    spread_cells,
    traced,
)
from corpus.tabular.plan import Plan
from corpus.tabular.problems import EMPTY_CELLS, REPEATED, Problem, ProblemLog, TableError
from corpus.tabular.readers import Reader

Record = tuple[int, tuple[Any, ...]]
Checked = Callable[[Iterable[tuple[int, list[Any]]]], Iterator[Record]]


def records(
    source: SourceFile,
    mapping: Mapping,
    spec: TableSpec,
    log: ProblemLog,
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> Iterator[Record]:
    """Yield the records that a file holds of one table.

    Rows with problems are left out and logged, all problems of a row at once. A problem that
    ends the reading of the file is logged too; nothing is raised.

    Parameters
    ----------
    source, mapping, spec
        The file, which of its columns are which fields, and the table.
    log
        Takes the problems.
    limits
        How much the file may hold.

    Yields
    ------
    tuple
        ``(line, values)``: the physical line on which the row begins (of Parquet the row) and
        the values in the order of the spec's fields, followed by the dictionary of attributes
        if the table keeps other columns. A field without a column is ``""`` (key, text,
        choice), None, ``()`` or ``{}``.
    """
    try:
        with open_records(source, mapping, spec, log, limits) as opened:
            found = checked_rows(source, opened, spec, log)(opened.reader)
            yield from _distinct(found, log) if mapping.distinct else found
    except TableError as error:
        log.extend(error.problems)


def checked_rows(source: SourceFile, opened: Opened, spec: TableSpec, log: ProblemLog) -> Checked:
    """Return what makes records of rows; the last row is the one that the reader handed out last.

    Its inner loop is a few C calls per row and one Python call per cell that needs checking.
    """
    reader, plan, mapping, typed = opened
    constants = list(plan.constants)
    pick = itemgetter(*(slot.cells[0] if slot.cells else 0 for slot in plan.slots), 0)
    simple = [
        (number, slot.convert)
        for number, slot in enumerate(plan.slots)
        if slot.convert and slot.is_single
    ]
    built = [
        (number, slot)
        for number, slot in enumerate(plan.slots)
        if slot.is_digest or (not slot.is_single and slot.cells[0] < len(plan.columns))
    ]
    wide = mapping.wide
    keeps = spec.keep_other_columns_as_attributes
    groups = plan.groups

    def checked(rows: Iterable[tuple[int, list[Any]]]) -> Iterator[Record]:
        for line, row in rows:
            row += constants
            for cells in _spread(row, plan, wide, mapping, log) if wide else (row,):
                values = list(pick(cells))
                try:
                    for number, convert in simple:
                        values[number] = convert(values[number])
                    for number, slot in built:
                        values[number] = slot.value(cells)
                except UnconvertibleError:
                    _explain(source, reader, plan, mapping, cells, line, log)
                    log.refuse_row(source.name, cells)
                    continue
                if groups and not all(any(values[n] not in NOTHING for n in g) for g in groups):
                    _explain_group(source, reader, plan, values, line, log)
                    log.refuse_row(source.name, cells)
                    continue
                if keeps:
                    values[-1] = plan.kept(cells, typed)
                else:
                    values.pop()
                yield line, tuple(values)

    return checked


def _spread(
    row: list[Any], plan: Plan, wide: Wide, mapping: Mapping, log: ProblemLog
) -> Iterator[list[Any]]:
    """Yield one row per spread cell, with its label and content in the last two places."""
    name = slot_cell(plan, wide.name)
    value = slot_cell(plan, wide.value)
    for label, _, cell in spread_cells(row, plan):
        if wide.skip_empty and is_nothing(cell, mapping.missing):
            log.counts[EMPTY_CELLS] += 1
            continue
        copy = row.copy()
        copy[name] = label
        copy[value] = cell
        yield copy


def _explain(
    source: SourceFile,
    reader: Reader,
    plan: Plan,
    mapping: Mapping,
    row: list[Any],
    line: int,
    log: ProblemLog,
) -> None:
    """Log every cell of a row that has no value."""
    for slot in plan.slots:
        for index, label, part in slot.parts(row):
            try:
                slot.value(row) if slot.is_digest else slot.convert and slot.convert(part)
            except UnconvertibleError as error:
                if log.is_full:
                    log.count_only()
                    continue
                cell = cell_behind(plan, mapping, slot.field.name, index, label, row)
                place = traced(reader, cell)
                spot = reader.spot(*place) if place else None
                log.add(
                    Problem(
                        source.name,
                        line=spot.line if spot else line,
                        column=column_shown(plan, place) if place else slot.field.name,
                        position=spot.position if spot else None,
                        found=error.found,
                        expected=error.expected,
                        message=error.message,
                        code=error.code,
                    )
                )


def _explain_group(
    source: SourceFile, reader: Reader, plan: Plan, values: list[Any], line: int, log: ProblemLog
) -> None:
    """Log a row in which all fields of a group are empty."""
    for group in plan.groups:
        if any(values[number] not in NOTHING for number in group):
            continue
        names = [plan.slots[number].field.name for number in group]
        cells = [plan.slots[n].cells[0] for n in group]
        index = next((cell for cell in cells if cell < len(plan.columns)), None)
        place = traced(reader, CellPlace(index, None) if index is not None else None)
        spot = reader.spot(*place) if place and not log.is_full else None
        log.add(
            Problem(
                source.name,
                line=spot.line if spot else line,
                column=column_shown(plan, place) if place else None,
                position=spot.position if spot else None,
                found="nothing",
                expected=" or ".join(names),
                message="If an empty cell means a missing value, say so in the mapping (missing).",
                code="no-value",
            )
        )


def _distinct(found: Iterator[Record], log: ProblemLog) -> Iterator[Record]:
    """Pass over records that repeat an earlier one, remembering 16 bytes of each."""
    seen: set[bytes] = set()
    for line, values in found:
        digest = hashlib.blake2b(repr(values).encode(errors="replace"), digest_size=16).digest()
        if digest not in seen:
            seen.add(digest)
            yield line, values
        else:
            log.counts[REPEATED] += 1
