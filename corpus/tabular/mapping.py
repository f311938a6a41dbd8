"""Which columns of a file become which fields of a table, as data that can be stored and edited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from corpus.tabular.checked_json import CheckedJson
from corpus.tabular.fields import TableSpec
from corpus.tabular.readers import Dialect
from corpus.tabular.wide import Wide as Wide

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
    wide
        Fields spread over columns.
    attributes
        Columns kept beside the fields.
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

    Examples
    --------
    >>> Mapping.from_dict({"table": "outputs", "columns": {"segment": "id", "output": "text"},
    ...                    "constants": {"system": "BART"}}).constants
    {'system': 'BART'}
    """

    table: str
    columns: dict[str, Columns] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)
    wide: Wide | None = None
    attributes: tuple[str, ...] = ()
    explode: str | None = None
    missing: tuple[str, ...] = ()
    delimiter: str | None = None
    encoding: str | None = None
    quote: str = '"'
    header: tuple[str, ...] | bool = True
    comment: str = ""
    distinct: bool = False

    @property
    def dialect(self) -> Dialect:
        """How the file is written."""
        return Dialect(self.encoding, self.delimiter, self.quote, self.header, self.comment)

    @property
    def given(self) -> set[str]:
        """Names of the fields that get a value."""
        wide = {self.wide.name, self.wide.value} if self.wide else set()
        return {*self.columns, *self.constants, *self.digests, *wide}

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
        names: dict[str, None] = {}
        for columns in self.columns.values():
            names.update(dict.fromkeys(columns_of(columns)))
        names.update(dict.fromkeys(self.digests.values()))
        if self.wide:
            names.update(dict.fromkeys(self.wide.columns))
            if not self.wide.columns:
                names[self.wide.column] = None
        names.update(dict.fromkeys(self.attributes))
        return tuple(names)

    def resolved(self, columns: Sequence[str], spec: TableSpec) -> Mapping:
        """Return the mapping with its patterns replaced by the columns of the file they meet."""
        chosen: dict[str, Columns] = {}
        for name, value in self.columns.items():
            chosen[name] = value
            if isinstance(value, str) and "{name}" in value and value not in columns:
                found = Wide("", "", pattern=value).labelled(columns)
                many = spec.field(name).many if name in spec.names else "one"
                chosen[name] = found if many == "map" else tuple(found.values())
        wide = self.wide
        if wide is not None and not wide.columns and wide.column not in columns:
            wide = replace(wide, columns=tuple(wide.labelled(columns).values()))
        return replace(self, columns=chosen, wide=wide)

    def missing_fields(self, spec: TableSpec) -> tuple[str, ...]:
        """Return what the table needs and the mapping does not give; "a or b" for either."""
        given = self.given
        needed = [f.name for f in spec.fields if f.required and f.name not in given]
        either = [" or ".join(group) for group in spec.one_of if not given & set(group)]
        return (*needed, *either)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready dictionary with the settings that differ from their defaults."""
        plain = Mapping(self.table)
        result: dict[str, Any] = {"table": self.table}
        for each in fields(self):
            value = getattr(self, each.name)
            if value != getattr(plain, each.name):
                result[each.name] = _plain(value)
        return result

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
            With one problem per key that is unknown or has a value of the wrong kind.
        """
        checked = CheckedJson(data, name)
        table = checked.text("table", required=True)
        mapping = cls(
            table=table or "",
            columns=_columns(checked),
            constants=checked.mapping("constants"),
            digests=checked.texts_by_name("digests"),
            wide=_wide(checked),
            attributes=checked.texts("attributes"),
            explode=checked.text("explode"),
            missing=checked.texts("missing"),
            delimiter=checked.text("delimiter"),
            encoding=checked.text("encoding"),
            quote=checked.text("quote", default='"') or "",
            header=_header(checked),
            comment=checked.text("comment") or "",
            distinct=checked.flag("distinct"),
        )
        checked.finish({each.name for each in fields(cls)})
        return mapping


def columns_of(columns: Columns) -> tuple[str, ...]:
    """Return the column or columns of one field as a tuple."""
    if isinstance(columns, str):
        return (columns,)
    return tuple(columns.values()) if isinstance(columns, dict) else columns


def _plain(value: Any) -> Any:
    if isinstance(value, Wide):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _columns(checked: CheckedJson) -> dict[str, Columns]:
    result: dict[str, Columns] = {}
    for name, value in checked.mapping("columns").items():
        inner = value.values() if isinstance(value, dict) else value
        if isinstance(value, str):
            result[name] = value
        elif isinstance(value, list | dict) and all(isinstance(i, str) for i in inner):
            result[name] = dict(value) if isinstance(value, dict) else tuple(value)
        else:
            checked.note(f"columns.{name}", value, "a column, a list or an object of columns")
    return result


def _header(checked: CheckedJson) -> tuple[str, ...] | bool:
    """Return whether there is a line with names, or the names."""
    value = checked.value("header")
    if value is None or isinstance(value, bool):
        return value is not False
    if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
        return tuple(value)
    checked.note("header", value, "true, false, or a list of the names of all columns")
    return True


def _wide(checked: CheckedJson) -> Wide | None:
    inner = checked.inner("wide")
    if inner is None:
        return None
    wide = Wide(
        name=inner.text("name", required=True) or "",
        value=inner.text("value", required=True) or "",
        columns=inner.texts("columns"),
        pattern=inner.text("pattern"),
        skip_empty=inner.flag("skip_empty"),
    )
    if "{name}" not in wide.column or not (wide.columns or wide.pattern):
        inner.note("", wide.pattern, "columns, or a pattern with {name}")
    inner.unknown({each.name for each in fields(Wide)})
    return wide
