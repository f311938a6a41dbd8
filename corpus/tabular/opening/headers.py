"""Which rows at the top of a table name its columns, and what they name them."""

import itertools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from corpus.tabular.guesses.columns import canonical, is_number

Row = Sequence[str]
LONG_CELL = 60
_IMPORT_ID = re.compile(r'\s*\{\s*"ImportId"')
_ANSWERS = frozenset({"response", "open-ended response", "open ended response"})
BETWEEN = " / "


@dataclass(frozen=True)
class Header:
    """The top of a table.

    Attributes
    ----------
    skip
        Rows before the header: a title, or empty ones.
    rows
        How many rows the header has; 0 if the table begins with data.
    names
        Of the columns, each once.
    """

    skip: int
    rows: int
    names: tuple[str, ...]


def header_of(
    rows: Sequence[Row],
    known: Collection[str],
    *,
    said: Sequence[str] | bool | None,
) -> Header:
    """Find the header of a table in its first rows.

    Parameters
    ----------
    rows
        The first rows as texts, empty ones too.
    known
        Names of columns that are known: a row with some of them is a header.
    said
        Whether there is one, or the names of the columns where there is none; None to find out.
    """
    skip = _above(rows)
    top = [row for row in rows[skip:] if any(row)]
    width = max((len(row) for row in top[:1]), default=0)
    if isinstance(said, Sequence):
        return Header(skip, 0, named(said))
    count = _header_rows(top)
    if said is False or (said is None and count == 1 and begins_with_data(top, known)):
        return Header(skip, 0, tuple(f"column {n}" for n in range(1, width + 1)))
    return Header(skip, count, named(_joined(top[:count])))


def named(names: Sequence[str]) -> tuple[str, ...]:
    """Return names of columns, each once whatever its case: DuckDB takes `ID` and `id` for one."""
    found: dict[str, str] = {}
    for number, name in enumerate(names, 1):
        plain = name.strip() or f"column {number}"
        unique, times = plain, 1
        while unique.casefold() in found or unique.casefold() == "_row":
            times += 1
            unique = f"{plain} ({times})"
        found[unique.casefold()] = unique
    return tuple(found.values())


def _above(rows: Sequence[Row]) -> int:
    """Return how many rows stand above the table: those with fewer than two filled cells."""
    for number, row in enumerate(rows):
        if sum(1 for cell in row if cell) > 1:
            return number
    return next((n for n, row in enumerate(rows) if any(row)), 0)


def _header_rows(top: Sequence[Row]) -> int:
    """Return how many rows name the columns: 3 (Qualtrics), 2 (groups of columns), or 1."""
    for number in (1, 2):
        if len(top) > number and any(map(_IMPORT_ID.match, top[number])):
            return number + 1
    if len(top) > 2 and _is_said_again(top[0], top[1]):
        return 2
    if len(top) < 3 or len(top[1]) != len(top[0]) or not _is_grouped(top[0]):
        return 1
    first, second, below = top[0], top[1], top[2:]
    filled = [cell for cell in second if cell]
    pairs = [(a, b) for a, b in zip(_filled_right(first), second, strict=True) if b]
    is_unlike = any(
        cell and not is_number(cell) and _are_numbers([row[n] for row in below if n < len(row)])
        for n, cell in enumerate(second)
    )
    answers = sum(cell.lower() in _ANSWERS for cell in second)
    is_second = len(set(pairs)) == len(pairs) and not any(map(is_number, filled))
    return 2 if filled and is_second and (is_unlike or answers > 0) else 1


def _is_said_again(first: Row, second: Row) -> bool:
    """Whether a row has the names above it in other words: ``StartDate`` and ``Start Date``."""
    pairs = [(canonical(a), canonical(b)) for a, b in zip(first, second, strict=False) if a and b]
    return sum(a == b and bool(a) and not is_number(a) for a, b in pairs) > max(2, len(pairs) // 5)


def _is_grouped(row: Row) -> bool:
    """Whether names stand over several columns: one is followed by nothing, or by itself."""
    return any(b in ("", a) for a, b in itertools.pairwise(row) if a)


def _are_numbers(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(map(is_number, filled))


def _filled_right(row: Row) -> list[str]:
    found: list[str] = []
    for cell in row:
        found.append(cell or (found[-1] if found else ""))
    return found


def _joined(rows: Sequence[Row]) -> list[str]:
    """Return one name for each column: of Qualtrics the first row's, of groups both rows'."""
    if len(rows) != 2:
        return list(rows[0]) if rows else []
    if any(map(_IMPORT_ID.match, rows[1])) or _is_said_again(*rows):
        return list(rows[0])
    names = []
    for number, (group, name) in enumerate(zip(_filled_right(rows[0]), rows[1], strict=True)):
        own = rows[0][number]
        if not name or name == group or name.lower() in _ANSWERS:
            names.append(own or group)
        else:
            names.append(f"{group}{BETWEEN}{name}" if group else name)
    return names


def begins_with_data(rows: Sequence[Row], known: Collection[str]) -> bool:
    """Whether the first row looks like those below it rather than like names of columns."""
    if len(rows) < 2:
        return False
    first = rows[0]
    others = [row for row in rows[1:] if len(row) == len(first) and row != first]
    hits = sum(canonical(cell) in known for cell in first)
    if not others or hits > 1 or 2 * hits >= len(first):
        return False
    columns = [(cell, [row[n] for row in others if row[n]]) for n, cell in enumerate(first)]
    numbers = [
        (cell, is_number(cell)) for cell, below in columns if all(map(is_number, below)) and below
    ]
    if any(cell and not fits for cell, fits in numbers):
        return False
    values = [float(cell) for cell, fits in numbers if fits]
    if values and not _counts(values):
        return True
    filled = [cell for cell in first if cell]
    return (
        len(set(filled)) < len(filled)
        or any(cell and cell in below for cell, below in columns)
        or any(len(cell) > LONG_CELL and _is_long(below) for cell, below in columns)
    )


def _is_long(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(len, cells)) > LONG_CELL / 2 * len(cells)


def _counts(values: Sequence[float]) -> bool:
    """Whether numbers are 1, 2, 3, … or 0, 1, 2, …: names of columns, such as those of raters."""
    return len(values) > 1 and list(values) in (
        list(range(len(values))),
        list(range(1, len(values) + 1)),
    )
