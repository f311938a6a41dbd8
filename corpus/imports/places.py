"""Where outputs stand in a study's arrays: keys to ordinals, for judgements and scores."""

from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import chain, repeat

import numpy as np
from numpy.typing import NDArray

from corpus.imports.row_problem import RowProblem
from corpus.imports.statements import query
from corpus.models import Job, Output, Study
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM

UNKNOWN = -1
LEFT_OUT = -2
PSEUDO_SYSTEMS = frozenset({SOURCE_SYSTEM, REFERENCE_SYSTEM})
WITHOUT_TEXTS = (
    "If the texts are not to be had, import without texts (--without-texts; without_texts in "
    "study.json, on the page and by the API): then keys make segments, systems and outputs"
)
_VARIANT, _ROW = 48, 20
"""Bits behind the variant and behind the number of the segment in a key of 64 bits."""


class Places:
    """Ordinals by segment, system and variant.

    They are a sorted array of packed keys: 12 bytes an output, whether most segments have outputs
    of most systems, or two of hundreds as in pairwise votes.

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
        self._made: dict[int, int] = {}
        stored = (
            Output.objects.filter(study=study)
            .values_list("segment__key", "system__name", "variant", "ordinal")
            .iterator(chunk_size=20_000)
        )
        staged = query(
            """SELECT segment_key, system_name, variant, ordinal FROM corpus_stagedtext
               WHERE job_id = %(job)s AND ordinal IS NOT NULL""",
            {"job": job.pk},
        )
        keys, ordinals = array("q"), array("i")
        for segment, system, variant, ordinal in chain(stored, staged):
            keys.append(self._key(segment, system, variant))
            ordinals.append(ordinal)
        order = np.argsort(np.asarray(keys, dtype=np.int64), kind="stable")
        self._keys = array("q", np.asarray(keys, dtype=np.int64)[order].tobytes())
        self._ordinals = np.asarray(ordinals, dtype=np.int32)[order]
        self._next = max(ordinals, default=-1) + 1
        self._holds_no_texts = study.without_texts or not self._columns.keys() - PSEUDO_SYSTEMS

    def _key(self, segment: str, system: str, variant: int) -> int:
        row = self._rows.setdefault(segment, len(self._rows))
        column = self._columns.setdefault(system, len(self._columns))
        return variant << _VARIANT | row << _ROW | column

    def find(self, segment: str, system: str, variant: int = 1) -> int:
        """Return the ordinal; `UNKNOWN`, or `LEFT_OUT` if sampling left the segment out."""
        row, column = self._rows.get(segment), self._columns.get(system)
        if row is not None and column is not None:
            key = variant << _VARIANT | row << _ROW | column
            place = bisect_right(self._keys, key) - 1
            if place >= 0 and self._keys[place] == key:
                return int(self._ordinals[place])
            if key in self._made:
                return self._made[key]
        return LEFT_OUT if segment in self._sampled_out else UNKNOWN

    def find_or_make(self, segment: str, system: str, variant: int = 1) -> int:
        """Return what `find` returns, and the next ordinal for an output that is not known."""
        found = self.find(segment, system, variant)
        if found != UNKNOWN or system in self._references:
            return found
        ordinal = self._next + len(self._made)
        self._made[self._key(segment, system, variant)] = ordinal
        return ordinal

    def new_keys(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield segment, system, variant and ordinal of each output that was made, in order."""
        segments, systems = list(self._rows), list(self._columns)
        for key, ordinal in self._made.items():
            row, column = _row_and_column(key)
            yield segments[row], systems[column], key >> _VARIANT, ordinal

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
        keys = asked << _VARIANT | rows << _ROW | columns
        known = np.frombuffer(self._keys, np.int64) if self._keys else np.array([-1])
        places = np.searchsorted(known, keys, side="right") - 1
        is_known = (known[places] == keys) & (rows >= 0) & (columns >= 0) & (asked > 0)
        found = np.full(count, UNKNOWN, dtype=np.int32)
        found[is_known] = self._ordinals[places[is_known]]
        if self._sampled_out or self._made or make:
            look = self.find_or_make if make else self.find
            for place in np.flatnonzero(~is_known & (asked > 0)).tolist():
                found[place] = look(segments[place], systems[place], int(asked[place]))
        return found

    def names(self, ordinal: int) -> tuple[str, str]:
        """Return segment and system of an ordinal; empty texts if it is not known."""
        places = np.flatnonzero(self._ordinals == ordinal)
        keys = [self._keys[place] for place in places[:1]]
        keys += [key for key, made in self._made.items() if made == ordinal]
        if not keys:
            return "", ""
        row, column = _row_and_column(keys[0])
        return list(self._rows)[row], list(self._columns)[column]

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


def _row_and_column(key: int) -> tuple[int, int]:
    return (key & (1 << _VARIANT) - 1) >> _ROW, key & (1 << _ROW) - 1


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
