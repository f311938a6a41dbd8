"""What every reader of a table offers, whatever the format of its file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

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
