"""The columns of a file with those derived from them, and what each comes from."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.tabular.problems import Problem, TableError, shorten


class DerivedColumns:
    """Names and indices of columns: those of the file first, derived ones behind them.

    Parameters
    ----------
    columns
        Of the file.
    file
        What problems call it.
    """

    def __init__(self, columns: Sequence[str], file: str) -> None:
        self.names = list(columns)
        self._width = len(self.names)
        self._file = file
        self._indices = {name: index for index, name in enumerate(self.names)}
        self._behind: dict[int, tuple[int, ...]] = {}
        self._problems: list[Problem] = []

    def add(self, name: str, behind: Sequence[int]) -> int:
        """Add a column that is derived from others; return its index."""
        index = self._indices[name] = len(self.names)
        self.names.append(name)
        self._behind[index] = tuple(
            dict.fromkeys(below for each in behind for below in self.behind(each))
        )
        return index

    def add_nameless(self, about: str, behind: Sequence[int]) -> str:
        """Add a column that no mapping can name; return the name that it got."""
        while about in self._indices:
            about += " "
        self.add(about, behind)
        return about

    def __contains__(self, name: str) -> bool:
        return name in self._indices

    def index(self, name: str) -> int:
        """Return the index of a column; one that there is not is noted for `check`."""
        if name not in self._indices:
            self.note(name, ", ".join(self.names[: self._width]), f"a column {name}")
            return 0
        return self._indices[name]

    def behind(self, index: int) -> tuple[int, ...]:
        """Return the columns of the file from which a column comes."""
        return (index,) if index < self._width else self._behind[index]

    def note(self, column: str, found: str, expected: str, code: str = "missing-column") -> None:
        """Note what is wrong with the mapping of a column."""
        message = "Correct the mapping, or add the column to the file."
        self._problems.append(
            Problem(self._file, None, column, None, shorten(found), expected, message, code)
        )

    def check(self) -> None:
        """Raise a `TableError` with what was noted, if anything was."""
        if self._problems:
            raise TableError(*dict.fromkeys(self._problems))
