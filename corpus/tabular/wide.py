"""Fields spread over columns: which columns, and what their names say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tabular.json_paths import label_in


@dataclass(frozen=True)
class Wide:
    """Two fields spread over columns: one record per cell.

    Attributes
    ----------
    name
        Field that takes the label of the column.
    value
        Field that takes the cell.
    columns
        The columns; empty if all that match `pattern`.
    pattern
        Column name with ``{name}`` (or ``*``) for the label, such as ``score_{name}``. Without a
        pattern the label is the column's name. In JSON Lines ``outputs.{name}`` takes whatever
        keys each object has.
    skip_empty
        Whether an empty cell is no record, instead of an empty text or a missing number.
    """

    name: str
    value: str
    columns: tuple[str, ...] = ()
    pattern: str | None = None
    skip_empty: bool = False

    @property
    def column(self) -> str:
        """The pattern as the name of a column that holds all cells of a JSON object."""
        return (self.pattern or "{name}").replace("*", "{name}", 1)

    def label(self, column: str) -> str | None:
        """Return the label in a column's name; None if the name does not match the pattern."""
        if self.pattern is None:
            return column
        start, _, end = self.column.partition("{name}")
        return label_in(column, start, end)

    def labelled(self, columns: Sequence[str]) -> dict[str, str]:
        """Return label and column of each cell, given the columns of the file."""
        chosen = self.columns or [c for c in columns if self.label(c) is not None]
        return {self.label(column) or column: column for column in chosen}
