"""Fields spread over columns: which columns, and what their names say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from corpus.tabular.guesses.wide_patterns import PLACEHOLDER, WidePattern
from corpus.tabular.opening.json_paths import label_in


@dataclass(frozen=True)
class Wide:
    """Fields spread over columns: one record per cell.

    Attributes
    ----------
    name
        Field that takes the label of the column; empty if the pattern names the fields itself.
    value
        Field that takes the cell.
    columns
        The columns; empty if all that match `pattern`.
    pattern
        Column name with ``{name}`` (or ``*``) for the label, such as ``score_{name}``. Without a
        pattern the label is the column's name. In JSON Lines ``outputs.{name}`` takes whatever
        keys each object has. Without a `name` every placeholder is a field, as in
        ``Answer.{aspect}-{system}``.
    skip_empty
        Whether an empty cell is no record, instead of an empty text or a missing number.
    """

    name: str = ""
    value: str = ""
    columns: tuple[str, ...] = ()
    pattern: str | None = None
    skip_empty: bool = False

    @cached_property
    def parts(self) -> WidePattern | None:
        """The pattern taken apart, if its placeholders are fields."""
        pattern = self.pattern or ""
        says_fields = PLACEHOLDER.search(pattern) and "{name}" not in pattern and not self.name
        return WidePattern.of(pattern) if says_fields else None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that take labels."""
        return self.parts.names if self.parts else (self.name,)

    def meets(self, column: str) -> bool:
        """Return whether a column's name matches the pattern."""
        if self.parts is not None:
            return next(self.parts.ways(column), None) is not None
        return self.label(column) is not None

    @property
    def column(self) -> str:
        """The pattern as the name of a column that holds all cells of a JSON object."""
        if self.parts is not None:
            return self.parts.literals[0] + "{name}"
        return (self.pattern or "{name}").replace("*", "{name}", 1)

    def label(self, column: str) -> str | None:
        """Return the label in a column's name; None if the name does not match the pattern."""
        if self.pattern is None:
            return column
        start, _, end = self.column.partition("{name}")
        return label_in(column, start, end)

    def labelled(self, columns: Sequence[str]) -> dict[str, str]:
        """Return label and column of each cell, given the columns of the file."""
        chosen = self.columns or [c for c in columns if self.meets(c)]
        return {self.label(column) or column: column for column in chosen}
