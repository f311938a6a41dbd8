"""Rows of a content in groups, and as the cells of a table."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def grouped(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, list[Row]]:
    """Return rows by a key, groups and rows in the order in which they come.

    Examples
    --------
    >>> grouped(["bleu", "ter", "beer"], lambda name: name[0])
    {'b': ['bleu', 'beer'], 't': ['ter']}
    """
    groups: dict[Key, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def crossed(
    cells: Iterable[Row],
    row: Callable[[Row], Key],
    column: Callable[[Row], Hashable],
    columns: Sequence[Hashable] = (),
) -> list[tuple[Key, list[Row | None]]]:
    """Return the rows of a table, each with its cells, None where there is none.

    Without `columns`, these are all in the order in which they come.

    Examples
    --------
    >>> crossed(["a1", "a2", "b2"], row=lambda cell: cell[0], column=lambda cell: cell[1])
    [('a', ['a1', 'a2']), ('b', [None, 'b2'])]
    """
    found = list(cells)
    shown = columns or dict.fromkeys(map(column, found))
    return [
        (key, [by_column.get(name) for name in shown])
        for key, own in grouped(found, row).items()
        for by_column in ({column(cell): cell for cell in own},)
    ]
