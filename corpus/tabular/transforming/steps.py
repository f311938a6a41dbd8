"""What may be done with rows, one step after the other; each adds its cells to the row's end."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Protocol

from corpus.tabular.conversion import UnconvertibleError, is_nothing, text_of
from corpus.tabular.problems import EMPTY_CELLS, Problem, ProblemLog
from corpus.tabular.readers import Reader
from corpus.tabular.transforming.conditions import Condition, failed
from corpus.tabular.transforming.derived_columns import DerivedColumns
from corpus.tabular.transforming.joining import joined
from corpus.tabular.transforming.splitting import split
from corpus.tabular.transforming.taking import Patterns, take_out
from corpus.tabular.transforming.unfolding import Cell

Rows = Iterator[tuple[int, list[Any]]]


class Step(Protocol):
    """What is done with rows, each with its line."""

    def __call__(self, rows: Rows) -> Rows: ...


class Faults:
    """Cells because of which the reader's current row is left out, on their way to the log."""

    def __init__(self, file: str, reader: Reader, columns: DerivedColumns, log: ProblemLog) -> None:
        self.log = log
        self._file = file
        self._reader = reader
        self._columns = columns

    def add(
        self, line: int, index: int, error: UnconvertibleError, label: str | None = None
    ) -> None:
        """Log what is wrong with a cell, at the place in the file from which it comes."""
        if self.log.is_full:
            self.log.count_only()
            return
        behind = self._columns.behind(index)
        spot = self._reader.spot(behind[0], label) if behind else None
        column = self._columns.names[behind[0] if behind else index]
        self.log.add(
            Problem(
                self._file,
                line=spot.line if spot else line,
                column=column.replace("{name}", label or "{name}"),
                position=spot.position if spot else None,
                found=error.found,
                expected=error.expected,
                message=error.message,
                code=error.code,
            )
        )


class Number:
    """Add the number of the row among those of the file."""

    def __call__(self, rows: Rows) -> Rows:
        for number, (line, row) in enumerate(rows, 1):
            row.append(str(number))
            yield line, row


class Take:
    """Put the part that counts in the place of a cell; one that is empty or missing stays."""

    def __init__(
        self, patterns: dict[int, Patterns], missing: Collection[str], faults: Faults
    ) -> None:
        self._patterns = patterns
        self._missing = missing
        self._faults = faults

    def __call__(self, rows: Rows) -> Rows:
        def take(index: int, cell: Any) -> Any:
            if is_nothing(cell, self._missing):
                return cell
            return take_out(text_of(cell), self._patterns[index])

        return _changed(rows, self._patterns, take, self._faults)


class Split:
    """Put the list of its elements in the place of a cell."""

    def __init__(
        self, separators: dict[int, str], missing: Collection[str], faults: Faults
    ) -> None:
        self._separators = separators
        self._missing = missing
        self._faults = faults

    def __call__(self, rows: Rows) -> Rows:
        def elements(index: int, cell: Any) -> Any:
            return split(cell, self._separators[index], self._missing)

        return _changed(rows, self._separators, elements, self._faults)


def _changed(
    rows: Rows, indices: Collection[int], change: Callable[[int, Any], Any], faults: Faults
) -> Rows:
    """Change some cells of each row; a row in which one cannot be changed is a problem."""
    for line, row in rows:
        is_sound = True
        for index in indices:
            try:
                row[index] = change(index, row[index])
            except UnconvertibleError as error:
                faults.add(line, index, error)
                is_sound = False
        if is_sound:
            yield line, row


class Explode:
    """Make a row for each element of a list, and add what the getters take out of it."""

    def __init__(
        self, index: int, getters: list[Callable[[Any, int], Any]], empty: str, log: ProblemLog
    ) -> None:
        self._index = index
        self._getters = getters
        self._empty = empty
        self._log = log

    def __call__(self, rows: Rows) -> Rows:
        for line, row in rows:
            elements = [
                (number, element)
                for number, element in enumerate(row[self._index], 1)
                if element is not None
            ]
            if not elements:
                self._log.counts[self._empty] += 1
            for number, element in elements:
                yield line, [*row, *(get(element, number) for get in self._getters)]


class Keep:
    """Keep the rows that meet all conditions, and count the others by what they do not meet."""

    def __init__(
        self,
        conditions: tuple[tuple[int, Condition], ...],
        missing: tuple[str, ...],
        faults: Faults,
    ) -> None:
        self._conditions = conditions
        self._missing = missing
        self._faults = faults

    def __call__(self, rows: Rows) -> Rows:
        for line, row in rows:
            found = failed(self._conditions, row, self._missing)
            if found is None:
                yield line, row
            elif isinstance(found[1], str):
                self._faults.log.counts[found[1]] += 1
            else:
                self._faults.add(line, found[0], found[1])


class Join:
    """Add a key made of several cells; nothing if all of them are empty."""

    def __init__(self, parts: tuple[int, ...], needed: bool, faults: Faults) -> None:
        self._parts = parts
        self._needed = needed
        self._faults = faults

    def __call__(self, rows: Rows) -> Rows:
        for line, row in rows:
            texts = list(self._texts(line, row))
            if len(texts) == len(self._parts):
                row.append(joined(texts) if any(texts) else "")
                yield line, row

    def _texts(self, line: int, row: list[Any]) -> Iterator[str]:
        """Yield the parts; log those that are none."""
        for index in self._parts:
            try:
                text = text_of(row[index])
                if self._needed and not text:
                    advice = "No part of a key may be empty."
                    raise UnconvertibleError("nothing", "a part of a key", advice, "empty-key")
            except UnconvertibleError as error:
                self._faults.add(line, index, error)
            else:
                yield text


class Unfold:
    """Make a row for each spread cell, and add its labels and the cell.

    Attributes
    ----------
    begin
        Index of the first label in the rows that are handed on; the cell comes last.
    place
        Column of the cell of the current row, and the name inside it if it is an object.
    """

    def __init__(
        self,
        cells: Callable[[list[Any]], Iterable[Cell]],
        begin: int,
        skip_empty: bool,
        missing: Collection[str],
        faults: Faults,
    ) -> None:
        self.begin = begin
        self.place: tuple[int, str | None] = (0, None)
        self._cells = cells
        self._skip_empty = skip_empty
        self._missing = missing
        self._faults = faults

    def __call__(self, rows: Rows) -> Rows:
        for line, row in rows:
            try:
                for labels, index, name, cell in self._cells(row):
                    if self._skip_empty and is_nothing(cell, self._missing):
                        self._faults.log.counts[EMPTY_CELLS] += 1
                        continue
                    self.place = index, name
                    yield line, [*row, *labels, cell]
            except UnconvertibleError as error:
                self._faults.add(line, self.place[0], error)
