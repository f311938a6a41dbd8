"""Values that belong together because they stand at one position of several lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

KEY, POSITION = "key", "position"
DEEPEST = 5
Spotting = Callable[[str, int], list[str | int]]


class UnequalListsError(Exception):
    """Two lists of different lengths; `steps` lead to the second."""

    def __init__(self, message: str, steps: list[str | int]) -> None:
        super().__init__(message)
        self.steps = steps


def parallel_rows(content: dict[str, Any]) -> tuple[Iterator[dict[str, Any]], Spotting]:
    """Return a row for each position of the lists in an object, and the way to a value of a row.

    What is no list is the same in all rows. A row knows its `position`, counted from 1.

    Raises
    ------
    UnequalListsError
        With the names and lengths of the first list and of one that differs.

    Examples
    --------
    >>> rows, _ = parallel_rows({"source": ["a", "b"], "outputs": {"T5": ["c", "d"]}})
    >>> next(rows)
    {'position': '1', 'source': 'a', 'outputs': {'T5': 'c'}}
    """
    lengths = list(_lengths(content, (), 0))
    first, length = lengths[0] if lengths else ((), 0)
    for steps, other in lengths:
        if other != length:
            words = f"{length} values in {'.'.join(first)}, {other} in {'.'.join(steps)}"
            raise UnequalListsError(words, list(steps))

    def rows() -> Iterator[dict[str, Any]]:
        for number in range(length):
            yield {POSITION: str(number + 1), **_at(content, number, 0)}

    return rows(), lambda name, row: [*name.split("."), row]


def _lengths(value: dict[str, Any], way: tuple[str, ...], depth: int) -> Iterator[Any]:
    for key, inner in value.items():
        if isinstance(inner, list):
            yield (*way, key), len(inner)
        elif isinstance(inner, dict) and depth < DEEPEST:
            yield from _lengths(inner, (*way, key), depth + 1)


def _at(value: dict[str, Any], number: int, depth: int) -> dict[str, Any]:
    found = {}
    for key, inner in value.items():
        if isinstance(inner, list):
            found[key] = inner[number]
        elif isinstance(inner, dict) and depth < DEEPEST:
            found[key] = _at(inner, number, depth + 1)
        else:
            found[key] = inner
    return found


def frame_rows(content: dict[str, Any]) -> tuple[Iterator[dict[str, Any]], Spotting]:
    """Return the rows of a table that was written column by column, each by number of row.

    Examples
    --------
    >>> next(frame_rows({"id": {"0": "s1", "1": "s2"}, "score": {"0": 1, "1": 2}})[0])
    {'key': '0', 'id': 's1', 'score': 1}
    """
    names = list(next(iter(content.values())))

    def rows() -> Iterator[dict[str, Any]]:
        for name in names:
            cells = ((c, v[name]) for c, v in content.items() if isinstance(v, dict) and name in v)
            yield {KEY: name, **dict(cells)}

    return rows(), lambda column, row: [column, names[row]]
