"""Which columns of a file become which fields of a table, as data that can be stored and edited."""

from __future__ import annotations

import re
from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from corpus.tabular.guesses.columns import POSITION
from corpus.tabular.opening.files import Dialect
from corpus.tabular.plain import from_plain, to_plain
from corpus.tabular.problems import refused, shorten
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.wide import Wide as Wide
from corpus.tabular.sql import is_number, is_one_of, literal

MOST_CONDITIONS = 100


@dataclass(frozen=True)
class Condition:
    """What the cells of a column must be; texts are compared exactly.

    Attributes
    ----------
    column
        The column.
    allowed, refused
        Texts of which the cell must be one, or none; None if any will do.
    empty
        Whether the cell must be empty, or must not be; None if either will do.
    at_least, at_most
        Bounds of a number; None if there is none.
    """

    column: str
    allowed: tuple[str, ...] | None = None
    refused: tuple[str, ...] | None = None
    empty: bool | None = None
    at_least: float | None = None
    at_most: float | None = None

    def reasons(self, text: str, missing: Sequence[str]) -> dict[str, str]:
        """Return why a row may be left out, with what is then true of its text, as SQL."""
        number = f"TRY_CAST({text} AS DOUBLE)"
        is_missing = is_one_of(text, ["", *missing])
        found: dict[str, str] = {}
        if self.allowed is not None:
            found[f"is not {_either(self.allowed)}"] = f"NOT {is_one_of(text, self.allowed)}"
        for each in self.refused or ():
            found[f"is {shorten(each, 40) or 'empty'}"] = f"{text} = {literal(each)}"
        if self.empty is not None:
            words = "is not empty" if self.empty else "is empty"
            found[words] = f"{text} {'<>' if self.empty else '='} ''"
        if self.at_least is not None or self.at_most is not None:
            found["is missing"] = is_missing
            found["is no number"] = f"NOT {is_number(text)}"
        if self.at_least is not None:
            found[f"is below {self.at_least:g}"] = f"{number} < {self.at_least!r}"
        if self.at_most is not None:
            found[f"is above {self.at_most:g}"] = f"{number} > {self.at_most!r}"
        return found


def _either(texts: tuple[str, ...]) -> str:
    shown = [shorten(text, 40) or "empty" for text in texts[:3]]
    return " or ".join(shown) + (" …" if len(texts) > len(shown) else "")


Columns = str | tuple[str, ...] | dict[str, str]


@dataclass(frozen=True)
class Mapping:
    """How one table is read from a file; a file that holds several tables has several.

    Attributes
    ----------
    table
        Name of the table's spec.
    columns
        Per field its column; of a ``list`` field a tuple of columns, of a ``map`` field a
        dictionary from label to column.
    constants
        Per field a value that all records have.
    digests
        Per field a column of which the first 12 hexadecimal digits of the SHA-256 are taken: a
        key for segments that have none of their own.
    joined
        Per field the columns of which its key is made, joined by colons.
    numbered
        Key fields that take the number of the row among those of the file, from 1.
    wide
        Fields spread over columns.
    attributes
        Columns kept beside the fields.
    where
        Conditions that a row must meet; others are left out and counted.
    values
        Per field what texts in its cells mean; other texts are kept.
    explode
        Path of a list in JSON of which each element makes a record.
    missing
        Texts that mean "no value" in fields of numbers and choices, such as ``NA``.
    delimiter, encoding, quote
        How the file is written; None where that is to be found out.
    header
        False if the file begins with data instead of names of columns, which then are called
        ``column 1``, ``column 2``, …; or their names.
    comment
        With what lines begin that are no rows, such as ``#``.
    distinct
        Whether a record that repeats an earlier one of the file is passed over.
    query
        One SELECT that says all of this instead; empty if the choices above do.

    Examples
    --------
    >>> Mapping.from_dict({"table": "outputs", "columns": {"segment": "id", "output": "text"},
    ...                    "constants": {"system": "BART"}}).constants
    {'system': 'BART'}
    """

    table: str
    columns: dict[str, Columns] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    digests: AnyMapping[str, str] = field(default_factory=dict)
    joined: dict[str, tuple[str, ...]] = field(default_factory=dict)
    numbered: tuple[str, ...] = ()
    wide: Wide | None = None
    attributes: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    values: dict[str, dict[str, str]] = field(default_factory=dict)
    explode: str | None = None
    missing: tuple[str, ...] = ()
    delimiter: str | None = None
    encoding: str | None = None
    quote: str = '"'
    header: tuple[str, ...] | bool = True
    comment: str = ""
    distinct: bool = False
    query: str = ""

    def __post_init__(self) -> None:
        if len(self.where) > MOST_CONDITIONS:
            raise ValueError(f"there are more than {MOST_CONDITIONS} conditions")
        if (wide := self.wide) and not (wide.parts or wide.name):
            raise ValueError(f"{wide.pattern!r} names no field")

    @property
    def dialect(self) -> Dialect:
        """How the file is written."""
        return Dialect(self.encoding, self.delimiter, self.quote, self.header, self.comment)

    @property
    def given(self) -> set[str]:
        """Names of the fields that get a value; of a query, those that it names."""
        words = re.findall(r"\w+", self.query)
        named = (part for word in words for part in (word, *word.split("_by_")))
        spread = (*self.wide.names, self.wide.value) if self.wide else ()
        sources = (self.columns, self.constants, self.digests, self.joined, self.numbered)
        return {*chain(*sources), *spread, *named}

    def named(self) -> tuple[str, ...]:
        """Return every column that is used, once each, also those made of others."""
        names: dict[str, None] = {}
        for columns in (*self.columns.values(), *self.digests.values(), *self.joined.values()):
            names.update(dict.fromkeys(columns_of(columns)))
        if self.wide:
            names.update(dict.fromkeys(self.wide.columns or (self.wide.column,)))
        names.update(dict.fromkeys(self.attributes))
        names.update(dict.fromkeys(condition.column for condition in self.where))
        return tuple(names)

    def written(self, dialect: Dialect) -> Mapping:
        """Return the mapping with how the file is written, unless it says so itself."""
        return replace(
            self,
            encoding=self.encoding or dialect.encoding,
            delimiter=self.delimiter or dialect.delimiter,
            quote=self.quote if self.quote != '"' else dialect.quote,
            header=self.header if dialect.header is None else dialect.header,
            comment=self.comment or dialect.comment or "",
        )

    def sources(self) -> tuple[str, ...]:
        """Return every column of the file that is used, once each."""
        return tuple(name for name in self.named() if name != POSITION)

    def resolved(self, columns: Sequence[str]) -> Mapping:
        """Return the mapping with the pattern of wide columns replaced by those that it meets."""
        wide = self.wide
        if wide is None or wide.columns or wide.column in columns:
            return self
        found, unclear = wide.spread(columns)
        return replace(self, wide=replace(wide, columns=(*found, *unclear)))

    def missing_fields(self, spec: TableSpec) -> tuple[str, ...]:
        """Return what the table needs and the mapping does not give; "a or b" for either."""
        if self.query:
            return ()
        given = self.given
        needed = [f.name for f in spec.fields if f.required and f.name not in given]
        either = [" or ".join(group) for group in spec.one_of if not given & set(group)]
        return (*needed, *either)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary with the settings that differ from their defaults."""
        plain: dict[str, Any] = to_plain(self)
        return plain

    @classmethod
    def from_dict(cls, data: object, *, name: str = "mapping") -> Mapping:
        """Read what `to_dict` wrote.

        Parameters
        ----------
        data
            Decoded JSON.
        name
            What problems call it.

        Raises
        ------
        TableError
            If it is something else.
        """
        try:
            mapping: Mapping = from_plain(cls, data)
        except ValueError as error:
            raise refused("no-mapping", name, str(error)) from None
        return mapping


def columns_of(columns: Columns) -> tuple[str, ...]:
    """Return the column or columns of one field as a tuple."""
    if isinstance(columns, str):
        return (columns,)
    return tuple(columns.values()) if isinstance(columns, dict) else columns
