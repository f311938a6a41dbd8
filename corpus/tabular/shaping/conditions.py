"""Which rows of a file a table takes: conditions on its columns, all of which must hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tabular.problems import shorten
from corpus.tabular.shaping.faults import is_number, is_one_of
from corpus.tabular.sql import literal

MOST_CONDITIONS = 100


@dataclass(frozen=True)
class Condition:
    """What the cells of a column must be; texts are compared exactly.

    Attributes
    ----------
    column
        The column.
    allowed, refused
        Texts of which the cell must be one, or none; None if any will do.
    empty
        Whether the cell must be empty, or must not be; None if either will do.
    at_least, at_most
        Bounds of a number; None if there is none.
    """

    column: str
    allowed: tuple[str, ...] | None = None
    refused: tuple[str, ...] | None = None
    empty: bool | None = None
    at_least: float | None = None
    at_most: float | None = None

    def reasons(self, text: str, missing: Sequence[str]) -> dict[str, str]:
        """Return why a row may be left out, with what is then true of its text, as SQL."""
        number = f"TRY_CAST({text} AS DOUBLE)"
        is_missing = is_one_of(text, ["", *missing])
        found: dict[str, str] = {}
        if self.allowed is not None:
            found[f"is not {_either(self.allowed)}"] = f"NOT {is_one_of(text, self.allowed)}"
        for each in self.refused or ():
            found[f"is {shorten(each, 40) or 'empty'}"] = f"{text} = {literal(each)}"
        if self.empty is not None:
            words = "is not empty" if self.empty else "is empty"
            found[words] = f"{text} {'<>' if self.empty else '='} ''"
        if self.is_of_numbers:
            found["is missing"] = is_missing
        if self.at_least is not None:
            below = f"coalesce({number} < {self.at_least!r}, false)"
            found[f"is below {self.at_least:g}"] = f"NOT {is_missing} AND {below}"
        if self.at_most is not None:
            above = f"coalesce({number} > {self.at_most!r}, false)"
            found[f"is above {self.at_most:g}"] = f"NOT {is_missing} AND {above}"
        return found

    @property
    def is_of_numbers(self) -> bool:
        """Whether the cells must be numbers."""
        return self.at_least is not None or self.at_most is not None

    def unread(self, text: str, missing: Sequence[str]) -> str:
        """Return a condition: a text should be a number, and is none."""
        return f"NOT {is_one_of(text, ['', *missing])} AND NOT {is_number(text)}"


def _either(texts: tuple[str, ...]) -> str:
    shown = [shorten(text, 40) or "empty" for text in texts[:3]]
    return " or ".join(shown) + (" …" if len(texts) > len(shown) else "")
