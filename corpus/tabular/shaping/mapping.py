"""Which columns of a file become which fields of a table, as data that can be stored and edited."""

import re
from collections.abc import Callable, Sequence
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass, field, replace
from typing import Any

from corpus.tabular.guesses.columns import POSITION
from corpus.tabular.opening.files import Dialect
from corpus.tabular.plain import from_plain, to_plain
from corpus.tabular.problems import refused
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.wide import Wide as Wide
from corpus.tabular.sql import literal, quoted

USUAL = Dialect(header=True, comment="")
EXPRESSION = "="
"""Begins an expression in SQL in the place of a column."""
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"((?:[^"]|"")+)\"""")


def constant(text: object) -> str:
    """Return the expression of a value that all records have."""
    return f"{EXPRESSION} {literal(str(text))}"


def key_made_of(column: str) -> str:
    """Return the expression of a key that is made of a text."""
    return f"{EXPRESSION} key({quoted(column)})"


def list_of(columns: Sequence[str]) -> str:
    """Return a column, or the expression of a list of several."""
    return columns[0] if len(columns) == 1 else f"{EXPRESSION} [{', '.join(map(quoted, columns))}]"


def object_of(columns: AnyMapping[str, str]) -> str:
    """Return the expression of an object whose labels each have a column."""
    entries = (f"{literal(label)}: {quoted(column)}" for label, column in columns.items())
    return f"{EXPRESSION} {{{', '.join(entries)}}}"


def with_names(expression: str, sql: Callable[[str], str]) -> str:
    """Return an expression with other SQL in the place of each name in double quotes.

    Examples
    --------
    >>> with_names('joined(["doc.id", line])', str.upper)
    'joined([DOC.ID, line])'
    """
    return _QUOTED.sub(lambda name: sql(_name(name)) if name[1] else name[0], expression)


def columns_in(source: str) -> list[str]:
    """Return the columns that a field is made of: itself, or those that an expression quotes."""
    if source.startswith(EXPRESSION):
        return [_name(name) for name in _QUOTED.finditer(source) if name[1]]
    return [source] if source else []


def _name(found: re.Match[str]) -> str:
    return found[1].replace('""', '"')


@dataclass(frozen=True)
class Mapping:
    """How one table is read from a file; a file that holds several tables has several.

    Attributes
    ----------
    table
        Name of the table's spec.
    columns
        Per field its column; or, after `EXPRESSION`, what its value is in SQL, in which names in
        double quotes may be dotted: ``= joined(["doc.id", line])``.
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
    >>> Mapping.from_dict({"table": "outputs", "columns": {"segment": "id", "output": "text",
    ...                    "system": "= 'BART'"}}).sources()
    ('id', 'text')
    """

    table: str
    columns: dict[str, str] = field(default_factory=dict)
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
        return {*self.columns, *spread, *named}

    def column(self, field: str) -> str:
        """Return the column of a field, or the one of which it is made; else nothing."""
        used = columns_in(self.columns.get(field, ""))
        return used[0] if len(used) == 1 else ""

    def sources(self) -> tuple[str, ...]:
        """Return every column of the file that is named, once each, also those made of others."""
        names = [name for source in self.columns.values() for name in columns_in(source)]
        spread = (self.wide.columns or (self.wide.pattern,)) if self.wide else ()
        every = dict.fromkeys([*names, *spread, *self.attributes])
        return tuple(name for name in every if name != POSITION)

    def resolved(self, columns: Sequence[str]) -> "Mapping":
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
    def from_dict(cls, data: object, *, name: str = "mapping") -> "Mapping":
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
