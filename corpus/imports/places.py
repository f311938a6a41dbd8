"""Where outputs stand in a study's arrays: keys to ordinals, for judgements and scores."""

from array import array
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Job, Output, Study
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM

UNKNOWN = -1
CELLS_ALWAYS_LAID_OUT = 4_000_000
"""A table of so many cells takes 16 MB, however few of them are taken."""
CELLS_OF_AN_OUTPUT = 16
"""Cells for each output from which on a dictionary is smaller."""
LEFT_OUT = -2
PSEUDO_SYSTEMS = frozenset({SOURCE_SYSTEM, REFERENCE_SYSTEM})
WITHOUT_TEXTS = (
    "If the texts are not to be had, import without texts (--without-texts; without_texts in "
    "study.json, on the page and by the API): then keys make segments, systems and outputs"
)


class OrdinalTable:
    """One integer a cell while most segments have outputs of most systems.

    Pairwise votes have two outputs a segment, of hundreds of systems: these are kept by themselves.
    """

    def __init__(self) -> None:
        self._cells = np.empty((0, 0), dtype=np.int32)
        self._few: dict[int, int] | None = None
        self._count = 0

    def put(self, row: int, column: int, ordinal: int) -> None:
        """Keep the ordinal of a cell."""
        self._count += 1
        if self._few is None:
            rows, columns = self._cells.shape
            if row >= rows or column >= columns:
                self._grow(row, column)
        if self._few is not None:
            self._few[row << 32 | column] = ordinal
        else:
            self._cells[row, column] = ordinal

    def get(self, row: int, column: int) -> int:
        """Return the ordinal of a cell, or `UNKNOWN`."""
        if self._few is not None:
            return self._few.get(row << 32 | column, UNKNOWN)
        rows, columns = self._cells.shape
        return int(self._cells[row, column]) if row < rows and column < columns else UNKNOWN

    def get_all(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return what `get` returns for each; rows and columns below zero are known to be none."""
        if self._few is not None:
            keys = (rows << 32 | columns).tolist()
            found = np.fromiter(map(self._few.get, keys, repeat(UNKNOWN)), np.int32, len(keys))
            found[(rows < 0) | (columns < 0)] = UNKNOWN
            return found
        found = np.full(len(rows), UNKNOWN, dtype=np.int32)
        known = (rows >= 0) & (rows < self._cells.shape[0])
        known &= (columns >= 0) & (columns < self._cells.shape[1])
        found[known] = self._cells[rows[known], columns[known]]
        return found

    def cell_of(self, ordinal: int) -> tuple[int, int] | None:
        """Return row and column of an ordinal, going through all; None if it is not here."""
        if self._few is not None:
            key = next((key for key, value in self._few.items() if value == ordinal), None)
            return None if key is None else divmod(key, 1 << 32)
        found = np.argwhere(self._cells == ordinal)
        return (int(found[0][0]), int(found[0][1])) if len(found) else None

    def _grow(self, row: int, column: int) -> None:
        known = self._cells
        rows = max(known.shape[0], 2 * row + 64 if row >= known.shape[0] else 0)
        columns = max(known.shape[1], 2 * column + 4 if column >= known.shape[1] else 0)
        if rows * columns > max(CELLS_ALWAYS_LAID_OUT, CELLS_OF_AN_OUTPUT * self._count):
            places = np.argwhere(known != UNKNOWN).tolist()
            self._few = {at << 32 | of: int(known[at, of]) for at, of in places}
            self._cells = np.empty((0, 0), dtype=np.int32)
            return
        grown = np.full((rows, columns), UNKNOWN, dtype=np.int32)
        grown[: known.shape[0], : known.shape[1]] = known
        self._cells = grown


class Places:
    """Ordinals by segment, system and variant.

    Parameters
    ----------
    study, job
    sampled_out
        Keys of segments that sampling left out.
    references
        Names of systems whose texts are stored as references.
    """

    def __init__(
        self, study: Study, job: Job, sampled_out: set[str], references: Collection[str] = ()
    ) -> None:
        self._sampled_out = sampled_out
        self._references = references
        self._rows: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._ordinals: dict[int, OrdinalTable] = {}
        self._next = 0
        self.made = array("i")
        """Row, column, variant and ordinal of each output that was made, one after another."""
        stored = (
            Output.objects.filter(study=study)
            .values_list("segment__key", "system__name", "variant", "ordinal")
            .iterator(chunk_size=20_000)
        )
        for segment, system, variant, ordinal in stored:
            self._put(segment, system, variant, ordinal)
        staged = query(
            """SELECT segment_key, system_name, variant, ordinal FROM corpus_stagedtext
               WHERE job_id = %(job)s AND ordinal IS NOT NULL""",
            {"job": job.pk},
        )
        for segment, system, variant, ordinal in staged:
            self._put(segment, system, variant, ordinal)
        self._holds_no_texts = study.without_texts or not self._columns.keys() - PSEUDO_SYSTEMS

    def _put(self, segment: str, system: str, variant: int, ordinal: int) -> tuple[int, int]:
        row = self._rows.setdefault(segment, len(self._rows))
        column = self._columns.setdefault(system, len(self._columns))
        if variant not in self._ordinals:
            self._ordinals[variant] = OrdinalTable()
        self._ordinals[variant].put(row, column, ordinal)
        self._next = max(self._next, ordinal + 1)
        return row, column

    def find(self, segment: str, system: str, variant: int = 1) -> int:
        """Return the ordinal; `UNKNOWN`, or `LEFT_OUT` if sampling left the segment out."""
        row = self._rows.get(segment)
        column = self._columns.get(system)
        if row is not None and column is not None:
            table = self._ordinals.get(variant)
            if table is not None and (found := table.get(row, column)) != UNKNOWN:
                return found
        return LEFT_OUT if segment in self._sampled_out else UNKNOWN

    def find_or_make(self, segment: str, system: str, variant: int = 1) -> int:
        """Return what `find` returns, and the next ordinal for an output that is not known."""
        found = self.find(segment, system, variant)
        if found != UNKNOWN or system in self._references:
            return found
        ordinal = self._next
        row, column = self._put(segment, system, variant, ordinal)
        self.made.extend((row, column, variant, ordinal))
        return ordinal

    def new_keys(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield segment, system, variant and ordinal of each output that was made, in order."""
        segments, systems = list(self._rows), list(self._columns)
        made = iter(self.made)
        for row, column, variant, ordinal in zip(made, made, made, made, strict=True):
            yield segments[row], systems[column], variant, ordinal

    def find_all(
        self,
        segments: Sequence[str],
        systems: Sequence[str],
        variants: Sequence[int],
        *,
        make: bool = False,
    ) -> NDArray[np.int32]:
        """Return what `find` returns for each, or `find_or_make`; a variant of 0 is unknown."""
        count = len(segments)
        rows = np.fromiter(map(self._rows.get, segments, repeat(-1)), np.int64, count)
        columns = np.fromiter(map(self._columns.get, systems, repeat(-1)), np.int64, count)
        asked = np.fromiter(variants, np.int64, count)
        found = np.full(count, UNKNOWN, dtype=np.int32)
        for variant in np.unique(asked):
            if int(variant) in self._ordinals:
                own = asked == variant
                found[own] = self._ordinals[int(variant)].get_all(rows[own], columns[own])
        if self._sampled_out or make:
            look = self.find_or_make if make else self.find
            for place in np.flatnonzero((found == UNKNOWN) & (asked > 0)).tolist():
                found[place] = look(segments[place], systems[place], int(asked[place]))
        return found

    def names(self, ordinal: int) -> tuple[str, str]:
        """Return segment and system of an ordinal; empty texts if it is not known."""
        for table in self._ordinals.values():
            if cell := table.cell_of(ordinal):
                return list(self._rows)[cell[0]], list(self._columns)[cell[1]]
        return "", ""

    def describe(self, ordinal: int) -> str:
        """Return segment and system of an ordinal, for messages."""
        names = self.names(ordinal)
        return ", ".join(names) if any(names) else str(ordinal)

    def why_unknown(
        self, file: int, line: int, segment: str, system: str, field: str = "system"
    ) -> RowProblem:
        """Explain why an output was not found."""
        if system in self._references:
            return _of_a_reference(file, line, field, system)
        if segment not in self._rows:
            problem = unknown_segment(file, line, segment)
        else:
            problem = self._unknown_output(file, line, segment, system, field)
        if self._holds_no_texts:
            return replace(problem, message=f"{problem.message}. {WITHOUT_TEXTS}")
        return problem

    def _unknown_output(
        self, file: int, line: int, segment: str, system: str, field: str
    ) -> RowProblem:
        known = system in self._columns
        return RowProblem(
            file=file,
            line=line,
            field=field,
            found=system,
            expected="a system with an output for this segment",
            message=(
                f"system {system!r} has no output for segment {segment!r}"
                if known
                else f"no system {system!r}; import its outputs first, or correct the name"
            ),
            code="unknown-output" if known else "unknown-system",
        )


def _of_a_reference(file: int, line: int, field: str, system: str) -> RowProblem:
    """Say that a row judges or scores what is stored as a reference."""
    return RowProblem(
        file=file,
        line=line,
        field=field,
        found=system,
        expected="a system",
        message=(
            f"the texts of {system!r} are stored as references, as system_roles says, and "
            "references are not rated or scored: choose human for it"
        ),
        code="unknown-system",
    )


def unknown_segment(file: int, line: int, segment: str) -> RowProblem:
    """Say that a row refers to a segment that is neither stored nor in this import."""
    return RowProblem(
        file=file,
        line=line,
        field="segment",
        found=segment,
        expected="a segment of this study or of this import",
        message=f"no segment {segment!r}; add it to the segments table or correct the key",
        code="unknown-segment",
    )
