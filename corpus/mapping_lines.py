"""Parts of a mapping as lines that people write: keys, chosen rows, parts of cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from corpus.tabular.mapping import Mapping
from corpus.tabular.transforming.conditions import Condition

ROW_NUMBER = "row number"
_SEPARATORS = {"tab": "\t", "space": " "}


class LineError(ValueError):
    """A line that says nothing; the message says which and what was expected."""


def lines_of_keys(mapping: Mapping) -> str:
    """Return keys of several columns, and those that are numbers of rows: ``segment = a + b``."""
    lines = [f"{name} = {' + '.join(columns)}" for name, columns in mapping.joined.items()]
    lines += [f"{name} = {ROW_NUMBER}" for name in mapping.numbered]
    return "\n".join(lines)


def read_keys(text: str) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Return joined columns by field, and numbered fields."""
    joined: dict[str, tuple[str, ...]] = {}
    numbered = []
    for line, name, said in _pairs(text, "a field, = and columns, such as segment = doc + line"):
        if said == ROW_NUMBER:
            numbered.append(name)
            continue
        columns = tuple(column.strip() for column in said.split(" + "))
        if len(columns) < 2 or not all(columns):
            raise LineError(f"{line!r}: expected two columns or more with + between them.")
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
            raise LineError(
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


def lines_of_parts(mapping: Mapping) -> str:
    """Return the patterns of parts that count: ``score = grammaticality={}``."""
    return "\n".join(
        f"{name} = {pattern}"
        for name, patterns in mapping.take.items()
        for pattern in ((patterns,) if isinstance(patterns, str) else patterns)
    )


def read_parts(text: str) -> dict[str, str | tuple[str, ...]]:
    """Return patterns by field or column; several lines of one are tried in turn."""
    found: dict[str, tuple[str, ...]] = {}
    for _, name, pattern in _pairs(text, "a field, = and a text with {}, such as score = s={}"):
        found[name] = (*found.get(name, ()), pattern)
    return {name: each[0] if len(each) == 1 else each for name, each in found.items()}


def lines_of_splits(mapping: Mapping) -> str:
    """Return what stands between elements of cells: ``scores = |``."""
    names = {separator: word for word, separator in _SEPARATORS.items()}
    return "\n".join(f"{column} = {names.get(at, at)}" for column, at in mapping.split.items())


def read_splits(text: str) -> dict[str, str]:
    """Return the separators by column."""
    expected = "a column, = and what is between elements, such as scores = | (or tab, json)"
    return {name: _SEPARATORS.get(at, at) for _, name, at in _pairs(text, expected)}


def _pairs(text: str, expected: str) -> Iterable[tuple[str, str, str]]:
    """Yield each line with what is before and after its first equals sign."""
    for line in filter(None, map(str.strip, text.splitlines())):
        name, sign, said = line.partition(" = ")
        if not (sign and name.strip() and said.strip()):
            raise LineError(f"{line!r}: expected {expected}.")
        yield line, name.strip(), said.strip()
