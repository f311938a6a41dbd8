"""Rows whose cells stand under names that say several things: a row for each cell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from corpus.tabular.conversion import UnconvertibleError
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.transforming.derived_columns import DerivedColumns
from corpus.tabular.transforming.wide_patterns import (
    PLACEHOLDER,
    Labels,
    WidePattern,
    split_names,
)
from corpus.tabular.wide import Wide

Cell = tuple[Labels, int, str | None, Any]
"""Labels, index of the column, the name inside it (of a JSON object), and content."""
ADVICE = (
    "Write a mapping for each value of one placeholder, with that value in the pattern and as a "
    "constant."
)


class ColumnCells:
    """The cells of a table with a header.

    Parameters
    ----------
    wide, columns, file
        Which of the columns of the file; what problems call the file.

    Raises
    ------
    TableError
        If no column matches, or for each column whose name can be split in several ways.
    """

    def __init__(self, wide: Wide, columns: DerivedColumns, file: str) -> None:
        pattern = wide.parts or WidePattern.of("")
        found, unclear = split_names(pattern, wide.columns)
        unlike = [name for name in wide.columns if name not in found and name not in unclear]
        problems = [_unlike(file, wide, name) for name in unlike]
        problems += [_ambiguous(file, wide, pattern, name) for name in unclear]
        if not wide.columns:
            problems = [_unlike(file, wide, ", ".join(columns.names))]
        if problems:
            raise TableError(*problems)
        self.labelled = [(labels, columns.index(name)) for name, labels in found.items()]

    def __call__(self, row: list[Any]) -> Iterator[Cell]:
        for labels, index in self.labelled:
            yield labels, index, None, row[index]


class ObjectCells:
    """The cells of a JSON object, whose keys may differ from record to record.

    A dot in the pattern leads into an object, where there is one; other text splits a key.
    """

    def __init__(self, wide: Wide, index: int) -> None:
        parts = wide.parts or WidePattern.of("")
        holes = [f"{{{name}}}" for name in parts.names]
        pairs = zip(holes, parts.literals[1:], strict=True)
        text = "".join(hole + literal for hole, literal in pairs)
        segments = text.split(".")
        rests = [".".join(segments[depth:]) for depth in range(len(segments))]
        self._segments = [_pattern(segment) for segment in segments]
        self._rests = [_pattern(rest) for rest in rests]
        self._index = index
        self._pattern = wide.pattern or ""

    def __call__(self, row: list[Any]) -> Iterator[Cell]:
        holder = row[self._index]
        if isinstance(holder, dict):
            for labels, name, cell in self._cells(holder, 0):
                yield labels, self._index, name, cell

    def _cells(self, holder: dict[str, Any], depth: int) -> Iterator[tuple[Labels, str, Any]]:
        for key, value in holder.items():
            leads_on = depth + 1 < len(self._segments) and isinstance(value, dict)
            labels = self._labels((self._segments if leads_on else self._rests)[depth], key)
            if labels is None or value is ABSENT:
                continue
            if not leads_on:
                yield labels, key, value
                continue
            for inner, name, cell in self._cells(value, depth + 1):
                yield (*labels, *inner), f"{key}.{name}", cell

    def _labels(self, segment: WidePattern | str, key: str) -> Labels | None:
        """Return what a key says; None if it does not match."""
        if isinstance(segment, str):
            return () if key == segment else None
        ways = segment.ways(key)
        labels = next(ways, None)
        if labels is not None and next(ways, None) is not None:
            expected = f"a name that {self._pattern} splits in one way"
            raise UnconvertibleError(key, expected, ADVICE, "ambiguous")
        return labels


def _pattern(text: str) -> WidePattern | str:
    return WidePattern.of(text) if PLACEHOLDER.search(text) else text


def _unlike(file: str, wide: Wide, found: str) -> Problem:
    return Problem(
        file,
        column=wide.pattern,
        found=shorten(found),
        expected=f"columns like {wide.pattern}",
        message="Correct the mapping, or add the column to the file.",
        code="missing-column",
    )


def _ambiguous(file: str, wide: Wide, pattern: WidePattern, name: str) -> Problem:
    ways = [way for way, _ in zip(pattern.ways(name), range(3), strict=False)]
    shown = " or ".join(
        ", ".join(f"{each} {label}" for each, label in zip(pattern.names, way, strict=True))
        for way in ways[:2]
    )
    return Problem(
        file,
        column=name,
        found=shorten(name),
        expected=f"a name that {wide.pattern} splits in one way, not {shorten(shown)}",
        message=ADVICE,
        code="ambiguous",
    )
