"""Which columns of a file become which fields of a table, as data that can be stored and edited."""

from __future__ import annotations

from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from corpus.tabular.fields import TableSpec
from corpus.tabular.json_paths import label_in
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.readers import Dialect

Columns = str | tuple[str, ...] | dict[str, str]


@dataclass(frozen=True)
class Wide:
    """Two fields spread over columns: one record per cell.

    Attributes
    ----------
    name
        Field that takes the label of the column.
    value
        Field that takes the cell.
    columns
        The columns; empty if all that match `pattern`.
    pattern
        Column name with ``{name}`` (or ``*``) for the label, such as ``score_{name}``. Without a
        pattern the label is the column's name. In JSON Lines ``outputs.{name}`` takes whatever
        keys each object has.
    skip_empty
        Whether an empty cell is no record, instead of an empty text or a missing number.
    """

    name: str
    value: str
    columns: tuple[str, ...] = ()
    pattern: str | None = None
    skip_empty: bool = False

    @property
    def column(self) -> str:
        """The pattern as the name of a column that holds all cells of a JSON object."""
        return (self.pattern or "{name}").replace("*", "{name}", 1)

    def label(self, column: str) -> str | None:
        """Return the label in a column's name; None if the name does not match the pattern."""
        if self.pattern is None:
            return column
        start, _, end = self.column.partition("{name}")
        return label_in(column, start, end)

    def labelled(self, columns: Sequence[str]) -> dict[str, str]:
        """Return label and column of each cell, given the columns of the file."""
        chosen = self.columns or [c for c in columns if self.label(c) is not None]
        return {self.label(column) or column: column for column in chosen}


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
        checked = _Checked(data, name)
        table = checked.text("table", required=True)
        mapping = cls(
            table=table or "",
            columns=checked.columns(),
            constants=checked.mapping("constants"),
            digests=checked.texts_by_name("digests"),
            wide=checked.wide(),
            attributes=checked.texts("attributes"),
            explode=checked.text("explode"),
            missing=checked.texts("missing"),
            delimiter=checked.text("delimiter"),
            encoding=checked.text("encoding"),
            quote=checked.text("quote", default='"') or "",
            header=checked.header(),
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


class _Checked:
    """Decoded JSON whose values are taken out one by one, noting those of the wrong kind."""

    def __init__(self, data: object, name: str, prefix: str = "") -> None:
        self._name = name
        self._prefix = prefix
        self.problems: list[Problem] = []
        self._data: AnyMapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self._note(prefix.rstrip(".") or None, data, "an object in braces")

    def _note(self, key: str | None, found: object, expected: str) -> None:
        self.problems.append(
            Problem(
                self._name,
                column=key,
                found=shorten(found),
                expected=expected,
                message="Correct the mapping.",
                code="mapping",
            )
        )

    def _take(self, key: str, kind: type, expected: str) -> Any:
        value = self._data.get(key)
        if value is None or isinstance(value, kind):
            return value
        self._note(self._prefix + key, value, expected)
        return None

    def text(self, key: str, *, required: bool = False, default: str | None = None) -> str | None:
        value: str | None = self._take(key, str, "a text")
        if required and not value and not any(p.column == key for p in self.problems):
            self._note(self._prefix + key, "nothing", "a text")
        return default if value is None else value

    def header(self) -> tuple[str, ...] | bool:
        """Return whether there is a line with names, or the names."""
        value = self._data.get("header", True)
        if isinstance(value, bool):
            return value
        if isinstance(value, list) and value and all(isinstance(name, str) for name in value):
            return tuple(value)
        self._note("header", value, "true, false, or a list of the names of all columns")
        return True

    def flag(self, key: str) -> bool:
        return bool(self._take(key, bool, "true or false"))

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._take(key, list, "a list of texts") or []
        if not all(isinstance(item, str) for item in value):
            self._note(self._prefix + key, value, "a list of texts")
            return ()
        return tuple(value)

    def mapping(self, key: str) -> dict[str, Any]:
        return dict(self._take(key, dict, "an object in braces") or {})

    def texts_by_name(self, key: str) -> dict[str, str]:
        value = self.mapping(key)
        for name, inner in value.items():
            if not isinstance(inner, str):
                self._note(f"{self._prefix}{key}.{name}", inner, "the name of a column")
        return value

    def columns(self) -> dict[str, Columns]:
        result: dict[str, Columns] = {}
        for name, value in self.mapping("columns").items():
            inner = value.values() if isinstance(value, dict) else value
            if isinstance(value, str):
                result[name] = value
            elif isinstance(value, list | dict) and all(isinstance(i, str) for i in inner):
                result[name] = dict(value) if isinstance(value, dict) else tuple(value)
            else:
                self._note(f"columns.{name}", value, "a column, a list or an object of columns")
        return result

    def wide(self) -> Wide | None:
        if self._data.get("wide") is None:
            return None
        inner = _Checked(self._data["wide"], self._name, "wide.")
        wide = Wide(
            name=inner.text("name", required=True) or "",
            value=inner.text("value", required=True) or "",
            columns=inner.texts("columns"),
            pattern=inner.text("pattern"),
            skip_empty=inner.flag("skip_empty"),
        )
        if "{name}" not in wide.column or not (wide.columns or wide.pattern):
            inner._note("wide", wide.pattern, "columns, or a pattern with {name}")
        self.problems += inner.unknown({each.name for each in fields(Wide)})
        return wide

    def unknown(self, known: set[str]) -> list[Problem]:
        """Return the problems noted, with one for each key that nobody asked for."""
        for key in self._data:
            if key not in known:
                expected = f"one of {', '.join(sorted(known))}"
                self._note(self._prefix + str(key), key, expected)
        return self.problems

    def finish(self, known: set[str]) -> None:
        if self.unknown(known):
            raise TableError(*self.problems)
