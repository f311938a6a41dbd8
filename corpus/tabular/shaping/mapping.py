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
from corpus.tabular.problems import refused
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.wide import Wide as Wide

USUAL = Dialect(header=True, comment="")
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
    expressions
        Per field what its value is, as SQL: ``joined([doc, line])``.
    wide
        Fields spread over columns.
    attributes
        Columns kept beside the fields.
    where
        What must be true of a row, as SQL; other rows are left out and counted.
    explode
        Path of a list in JSON of which each element makes a record.
    dialect
        How the file is written.
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
    expressions: dict[str, str] = field(default_factory=dict)
    wide: Wide | None = None
    attributes: tuple[str, ...] = ()
    where: str = ""
    explode: str | None = None
    dialect: Dialect = USUAL
    distinct: bool = False
    query: str = ""

    def __post_init__(self) -> None:
        if self.wide:
            self.wide.parts  # noqa: B018  # raises if the pattern makes no sense

    @property
    def given(self) -> set[str]:
        """Names of the fields that get a value; of a query, those that it names."""
        words = re.findall(r"\w+", self.query)
        named = (part for word in words for part in (word, *word.split("_by_")))
        spread = (*self.wide.names, self.wide.value) if self.wide else ()
        sources = (self.columns, self.constants, self.digests, self.expressions)
        return {*chain(*sources), *spread, *named}

    def named(self) -> tuple[str, ...]:
        """Return every column that is named, once each, also those made of others."""
        names: dict[str, None] = {}
        for columns in (*self.columns.values(), *self.digests.values()):
            names.update(dict.fromkeys(columns_of(columns)))
        if self.wide:
            names.update(dict.fromkeys(self.wide.columns or (self.wide.pattern,)))
        names.update(dict.fromkeys(self.attributes))
        return tuple(names)

    def sources(self) -> tuple[str, ...]:
        """Return every column of the file that is used, once each."""
        return tuple(name for name in self.named() if name != POSITION)

    def resolved(self, columns: Sequence[str]) -> Mapping:
        """Return the mapping with the pattern of wide columns replaced by those that it meets."""
        wide = self.wide
        if wide is None or wide.columns:
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
