"""How a file is written, and its beginning as it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

from corpus.tabular.problems import Problem

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
    element
        Name of the elements of markup that are the records; None for the likeliest.
    """

    encoding: str | None = None
    delimiter: str | None = None
    quote: str = '"'
    header: tuple[str, ...] | bool | None = None
    comment: str | None = None
    element: str | None = None

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Self:
        """Return the dialect of which a dictionary came back from JSON; `TypeError` if none did."""
        if not isinstance(plain, dict):
            raise TypeError("no dictionary")
        for key, value in plain.items():
            if key != "header" and not isinstance(value, str | None):
                raise TypeError(f"{key} is no text")
        header = plain.get("header")
        return cls(**{**plain, "header": tuple(header) if isinstance(header, list) else header})


PLAIN = Dialect()


@dataclass(frozen=True)
class Preview:
    """The beginning of a file, for people.

    Attributes
    ----------
    columns
        Names of the columns; dotted ones of values that lie inside others.
    rows
        The first rows as texts, long ones cut; of a list of objects the first one's values.
    lines
        The physical lines on which they begin.
    encoding, delimiter
        As given or found; None where they mean nothing.
    problems
        What was wrong with rows passed on the way.
    dialect
        What a mapping has to say so that the file is read as it is here.
    counted
        What was passed over on the way, in words.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    encoding: str | None
    delimiter: str | None
    problems: tuple[Problem, ...]
    dialect: Dialect = PLAIN
    counted: tuple[str, ...] = ()
