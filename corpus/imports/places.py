"""Where outputs stand in a study's arrays: keys to ordinals, for judgements and scores.

One integer an output, in one array a variant, whatever the length of keys; look-ups cost two
dictionary reads. Texts of the same import are included once they are numbered.
"""

from collections.abc import Collection, Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Job, Output, Study

UNKNOWN = -1
LEFT_OUT = -2


class Places:
    """Ordinals by segment, system and variant."""

    def __init__(
        self, study: Study, job: Job, sampled_out: set[str], references: Collection[str] = ()
    ) -> None:
        self._sampled_out = sampled_out
        self._references = references
        self._rows: dict[str, int] = {}
        self._columns: dict[str, int] = {}
        self._ordinals: dict[int, NDArray[np.int32]] = {}
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

    def _put(self, segment: str, system: str, variant: int, ordinal: int) -> None:
        row = self._rows.setdefault(segment, len(self._rows))
        column = self._columns.setdefault(system, len(self._columns))
        table = self._ordinals.get(variant)
        if table is None or row >= table.shape[0] or column >= table.shape[1]:
            table = self._grown(table, row, column)
            self._ordinals[variant] = table
        table[row, column] = ordinal

    def _grown(self, table: NDArray[np.int32] | None, row: int, column: int) -> NDArray[np.int32]:
        known = table if table is not None else np.empty((0, 0), dtype=np.int32)
        rows = max(known.shape[0], 2 * row + 64 if row >= known.shape[0] else 0)
        columns = max(known.shape[1], 2 * column + 4 if column >= known.shape[1] else 0)
        grown = np.full((rows, columns), UNKNOWN, dtype=np.int32)
        grown[: known.shape[0], : known.shape[1]] = known
        return grown

    def find(self, segment: str, system: str, variant: int = 1) -> int:
        """Return the ordinal; `UNKNOWN`, or `LEFT_OUT` if sampling left the segment out."""
        row = self._rows.get(segment)
        column = self._columns.get(system)
        if row is not None and column is not None:
            table = self._ordinals.get(variant)
            if table is not None and row < table.shape[0] and column < table.shape[1]:
                return int(table[row, column])
        return LEFT_OUT if segment in self._sampled_out else UNKNOWN

    def find_all(
        self, segments: Sequence[str], systems: Sequence[str], variants: Sequence[int]
    ) -> NDArray[np.int32]:
        """Return what `find` returns for each."""
        count = len(segments)
        rows = np.fromiter(map(self._rows.get, segments, repeat(-1)), np.int64, count)
        columns = np.fromiter(map(self._columns.get, systems, repeat(-1)), np.int64, count)
        asked = np.fromiter(variants, np.int64, count)
        found = np.full(count, UNKNOWN, dtype=np.int32)
        for variant in np.unique(asked):
            table = self._ordinals.get(int(variant), np.empty((0, 0), dtype=np.int32))
            known = (asked == variant) & (rows >= 0) & (rows < table.shape[0])
            known &= (columns >= 0) & (columns < table.shape[1])
            found[known] = table[rows[known], columns[known]]
        if self._sampled_out:
            for place in np.flatnonzero(found == UNKNOWN).tolist():
                if segments[place] in self._sampled_out:
                    found[place] = LEFT_OUT
        return found

    def describe(self, ordinal: int) -> str:
        """Return segment and system of an ordinal, for messages."""
        for table in self._ordinals.values():
            for row, column in np.argwhere(table == ordinal):
                return f"{list(self._rows)[row]}, {list(self._columns)[column]}"
        return str(ordinal)

    def why_unknown(
        self, file: int, line: int, segment: str, system: str, field: str = "system"
    ) -> RowProblem:
        """Explain why an output was not found."""
        if segment not in self._rows:
            return unknown_segment(file, line, segment)
        known = system in self._columns
        if system in self._references:
            return _of_a_reference(file, line, field, system)
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
