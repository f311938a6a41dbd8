"""What every reader of a table offers, whatever the format of its file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

WHITESPACE = "whitespace"


@dataclass(frozen=True)
class Dialect:
    """How a text file is written, as far as its owner says.

    Attributes
    ----------
    encoding
        Of files without byte-order mark; None: UTF-8.
    delimiter
        None: a tab in TSV; in CSV what the header has most of, of ``,`` ``;`` and tab.
        `WHITESPACE`: runs of spaces and tabs.
    quote
        The quote character; empty if quotes are characters like any other.
    header
        Whether the first line has the names of the columns; or the names, of a table without
        such a line. None: a preview finds it out, any other reading takes the first line.
    comment
        With what lines begin that are passed over; empty if with nothing. None: a preview
        finds it out, any other reading passes over no line.
    """

    encoding: str | None = None
    delimiter: str | None = None
    quote: str = '"'
    header: tuple[str, ...] | bool | None = None
    comment: str | None = None

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Return the dialect of which a dictionary came back from JSON; `TypeError` if none did."""
        if not isinstance(plain, dict):
            raise TypeError("no dictionary")
        header = plain.get("header")
        return cls(**{**plain, "header": tuple(header) if isinstance(header, list) else header})


PLAIN = Dialect()


class Spot(NamedTuple):
    """A place in a file: physical line and character in it, both counted from 1."""

    line: int
    position: int | None


class Reader(Protocol):
    """Rows of a file, streamed, with the place of each field of the current row.

    Iterating yields ``(line, row)``: the physical line on which the record begins, and the
    values in the order of `columns`. Rows that cannot be read go to the problem log and are
    left out; a file that cannot be read raises `TableError`.
    """

    @property
    def columns(self) -> Sequence[str]:
        """Names of the columns."""

    @property
    def encoding(self) -> str | None:
        """The codec in use; None for binary formats."""

    @property
    def delimiter(self) -> str | None:
        """What stands between fields, if anything does."""

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]: ...

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where a field of the row handed out last begins; `label` names a part of it."""
