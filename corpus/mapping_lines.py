"""Parts of a mapping as lines that people write: keys of several columns, and chosen rows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from django.core.exceptions import ValidationError

from corpus.tabular.mapping import Mapping
from corpus.tabular.transforming.conditions import Condition

ROW_NUMBER = "row number"
Keys = tuple[dict[str, tuple[str, ...]], tuple[str, ...]]


def lines_of_keys(mapping: Mapping) -> str:
    """Return keys of several columns, and those that are numbers of rows: ``segment = a + b``."""
    lines = [f"{name} = {' + '.join(columns)}" for name, columns in mapping.joined.items()]
    lines += [f"{name} = {ROW_NUMBER}" for name in mapping.numbered]
    return "\n".join(lines)


def read_keys(text: str) -> Keys:
    """Return joined columns by field, and numbered fields; `ValidationError` says what is odd."""
    joined: dict[str, tuple[str, ...]] = {}
    numbered = []
    for line in filter(None, map(str.strip, text.splitlines())):
        name, _, said = (part.strip() for part in line.partition(" = "))
        columns = tuple(column.strip() for column in said.split(" + "))
        if said == ROW_NUMBER:
            numbered.append(name)
        elif len(columns) < 2 or not all(columns):
            raise ValidationError(
                f"{line!r}: expected a field, = and two columns or more, such as "
                f"segment = doc + line; or segment = {ROW_NUMBER}."
            )
        else:
            joined[name] = columns
    return joined, tuple(numbered)


def lines_of_conditions(conditions: Iterable[Condition]) -> str:
    """Return conditions: ``split is test | dev``, ``score at least 3``."""
    lines = []
    for each in conditions:
        if each.allowed is not None:
            lines.append(f"{each.column} is {' | '.join(each.allowed)}")
        if each.refused is not None:
            lines.append(f"{each.column} is not {' | '.join(each.refused)}")
        if each.empty is not None:
            lines.append(f"{each.column} {'is' if each.empty else 'is not'} empty")
        if each.at_least is not None:
            lines.append(f"{each.column} at least {each.at_least:.15g}")
        if each.at_most is not None:
            lines.append(f"{each.column} at most {each.at_most:.15g}")
    return "\n".join(lines)


def read_conditions_in(text: str, columns: Collection[str]) -> tuple[Condition, ...]:
    """Return the conditions in lines; the longest name of a column at the beginning counts."""
    found = []
    by_length = sorted(columns, key=len, reverse=True)
    for line in filter(None, map(str.strip, text.splitlines())):
        column = next((name for name in by_length if line.startswith(f"{name} ")), None)
        condition = _condition(column, line[len(column) :].strip()) if column else None
        if condition is None:
            raise ValidationError(
                f"{line!r}: expected a column and what its cells must be, such as split is test, "
                "score at least 3 or comment is not empty."
            )
        found.append(condition)
    return tuple(found)


def _condition(column: str, said: str) -> Condition | None:
    if said in ("is empty", "is not empty"):
        return Condition(column, empty=said == "is empty")
    for words, make in _WORDS.items():
        if said.startswith(f"{words} "):
            try:
                return make(column, said[len(words) :].strip())
            except ValueError:
                return None
    return None


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


_WORDS: dict[str, Callable[[str, str], Condition]] = {
    "is not": lambda column, text: Condition(column, refused=_alternatives(text)),
    "is": lambda column, text: Condition(column, allowed=_alternatives(text)),
    "at least": lambda column, text: Condition(column, at_least=float(text)),
    "at most": lambda column, text: Condition(column, at_most=float(text)),
}
