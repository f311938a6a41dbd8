"""Which rows of a file a table takes: conditions on its columns, all of which must hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corpus.tabular.checked_json import CheckedJson
from corpus.tabular.conversion import UnconvertibleError, number_in, text_of
from corpus.tabular.problems import shorten

_KEYS = {"column", "is", "is_not", "empty", "at_least", "at_most"}
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

    def reason(self, cell: Any, missing: tuple[str, ...]) -> str | None:
        """Say why a row with this cell is left out; None if it is not.

        Raises
        ------
        UnconvertibleError
            If the condition is on a number, and the cell is neither a number nor missing.
        """
        text = text_of(cell)
        if self.allowed is not None and text not in self.allowed:
            return f"is not {_either(self.allowed)}"
        if self.refused is not None and text in self.refused:
            return f"is {shorten(text, 40)}" if text else "is empty"
        if self.empty is not None and (text == "") is not self.empty:
            return "is not empty" if text else "is empty"
        if self.at_least is None and self.at_most is None:
            return None
        if text == "" or text in missing:
            return "is missing"
        number = number_in(text)
        if self.at_least is not None and number < self.at_least:
            return f"is below {self.at_least:g}"
        if self.at_most is not None and number > self.at_most:
            return f"is above {self.at_most:g}"
        return None

    def to_plain(self) -> dict[str, Any]:
        """Return what `read_conditions` reads again."""
        plain = {
            "column": self.column,
            "is": None if self.allowed is None else list(self.allowed),
            "is_not": None if self.refused is None else list(self.refused),
            "empty": self.empty,
            "at_least": self.at_least,
            "at_most": self.at_most,
        }
        return {key: value for key, value in plain.items() if value is not None}


def _either(texts: tuple[str, ...]) -> str:
    shown = [shorten(text, 40) or "empty" for text in texts[:3]]
    return " or ".join(shown) + (" …" if len(texts) > len(shown) else "")


def words(condition: Condition, reason: str) -> str:
    """Return under which words a row is counted that a condition leaves out."""
    return f"rows left out, because {shorten(condition.column, 60)} {reason}"


def read_conditions(checked: CheckedJson) -> tuple[Condition, ...]:
    """Return the conditions of a mapping, noting those that make no sense."""
    found = []
    for number, inner in enumerate(checked.objects("where")):
        if number == MOST_CONDITIONS:
            inner.note("", "more conditions", f"at most {MOST_CONDITIONS}")
            break
        condition = Condition(
            inner.text("column", required=True) or "",
            inner.texts("is") if inner.has("is") else None,
            inner.texts("is_not") if inner.has("is_not") else None,
            inner.flag("empty") if inner.has("empty") else None,
            inner.number("at_least"),
            inner.number("at_most"),
        )
        if condition == Condition(condition.column):
            inner.note("", "no condition", "is, is_not, empty, at_least or at_most")
        inner.unknown(_KEYS)
        found.append(condition)
    return tuple(found)


def failed(
    conditions: tuple[tuple[int, Condition], ...], row: list[Any], missing: tuple[str, ...]
) -> tuple[int, str | UnconvertibleError] | None:
    """Return the first cell for which a row is left out, with the words or with what is wrong."""
    for index, condition in conditions:
        try:
            reason = condition.reason(row[index], missing)
        except UnconvertibleError as error:
            return index, error
        if reason is not None:
            return index, words(condition, reason)
    return None
