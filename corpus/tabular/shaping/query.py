"""A mapping written as what it is: one SELECT over the tables of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from corpus.tabular.guesses.columns import ELEMENT, POSITION
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.shaping.conversion import UnconvertibleError, converter
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Condition, columns_of
from corpus.tabular.shaping.mapping import Mapping as Choices
from corpus.tabular.shaping.taking import fault_of_taking, patterns_of, taken
from corpus.tabular.shaping.wide import WidePattern, split_names
from corpus.tabular.sql import (
    FAULTS,
    ROW,
    all_faults,
    fault,
    literal,
    no_number,
    quoted,
    table_name,
)

JSON = "json"
ATTRIBUTE = "attribute."
"""Begins the column of an attribute that is called like a field."""


def select_of(choices: Choices, spec: TableSpec, file: str, columns: Mapping[str, Any]) -> str:
    """Write the SELECT that a mapping means.

    Parameters
    ----------
    choices, spec
        The mapping, and the table that it fills.
    file
        Name of the file.
    columns
        Name and DuckDB type of each of its columns.

    Raises
    ------
    TableError
        If the mapping names a column that is not there, or gives a field twice or not at all.
    """
    return _Writer(choices, spec, file, columns).written()


def left_out_of(
    choices: Choices, spec: TableSpec, file: str, columns: Mapping[str, Any]
) -> Iterator[tuple[str, str]]:
    """Yield why rows are left out by the conditions of a mapping, and a SELECT of them."""
    yield from _Writer(choices, spec, file, columns).left_out()


def expression(name: str, columns: Mapping[str, Any]) -> str:
    """Return the dotted name of a value as SQL."""
    return _Writer(Choices(""), TableSpec("", "", ()), "", columns).sql(name)


def leaves(columns: Mapping[str, Any]) -> list[str]:
    """Return the dotted names of all values: ``a.b`` in an object, ``ratings[].score`` in a list.

    What has the type of a map is one value.
    """
    found: list[str] = []

    def walk(name: str, kind: Any) -> None:
        if kind.id == "struct":
            for key, inner in kind.children:
                walk(f"{name}.{key}", inner)
        elif kind.id == "list" and _holds_objects(kind):
            walk(f"{name}{ELEMENT}", dict(kind.children)["child"])
        else:
            found.append(name)

    for name, kind in columns.items():
        walk(name, kind)
    return found


def _holds_objects(kind: Any) -> bool:
    inner = dict(kind.children)["child"]
    return inner.id == "struct" or (inner.id == "list" and _holds_objects(inner))


class _Writer:
    """Writes one SELECT; notes what the mapping asks for in vain."""

    def __init__(
        self, choices: Choices, spec: TableSpec, file: str, columns: Mapping[str, Any]
    ) -> None:
        self._choices = choices
        self._spec = spec
        self._file = file
        self._columns = columns
        self._scope: dict[str, tuple[str, Any]] = {
            name: (quoted(name), kind) for name, kind in columns.items()
        }
        self._problems: list[Problem] = []
        self._faults: list[str] = []

    def written(self) -> str:
        """Return the SELECT."""
        choices = self._choices
        inner = self._from()
        selected = [*self._given(), *self._wide(), *self._attributes()]
        where = self._conditions()
        if self._faults:
            selected.append(f"{all_faults(self._faults)} AS {FAULTS}")
        self._check()
        if self._problems:
            raise TableError(*dict.fromkeys(self._problems))
        lines = ",\n    ".join([ROW, *selected])
        query = f"SELECT\n    {lines}\nFROM {inner}"
        if where:
            query += "\nWHERE " + "\n  AND ".join(where)
        if choices.distinct:
            every = f"min({ROW}) AS {ROW}, * EXCLUDE ({ROW})"
            query = f"SELECT {every} FROM (\n{query}\n)\nGROUP BY ALL\nORDER BY {ROW}"
        return query

    def _conditions(self) -> list[str]:
        """Return what must be true of a row; one that is faulty by then is kept for its problem."""
        found = []
        faulty: list[str] = []
        for each in self._choices.where:
            text = self._text(each)
            reasons = each.reasons(text, self._choices.missing).values()
            if each.is_of_numbers:
                unread = each.unread(text, self._choices.missing)
                first = " AND ".join([*(f"NOT {other}" for other in faulty), unread])
                self._faults.append(f"CASE WHEN {first} THEN {no_number(each.column, text)} END")
                faulty.append(f"({unread})")
            left_out = " OR ".join(f"({reason})" for reason in reasons) or "false"
            found.append(f"({' OR '.join([*faulty, f'NOT ({left_out})'])})")
        return found

    def _text(self, each: Condition) -> str:
        return f"coalesce(CAST({self.sql(each.column)} AS VARCHAR), '')"

    def left_out(self) -> Iterator[tuple[str, str]]:
        """Yield reasons for which rows are left out, each with a SELECT of these."""
        source = self._from()
        met: list[str] = []
        for each in self._choices.where:
            text = self._text(each)
            for words, reason in each.reasons(text, self._choices.missing).items():
                where = " AND ".join([*met, f"({reason})"])
                yield (
                    f"{shorten(each.column, 60)} {words}",
                    f"SELECT 1 FROM {source} WHERE {where}",
                )
                met.append(f"NOT ({reason})")
            if each.is_of_numbers:
                met.append(f"NOT ({each.unread(text, self._choices.missing)})")

    def _from(self) -> str:
        """Return what is read: the table, with a row for each element of a list."""
        source = table_name(self._file)
        choices = self._choices
        path = (choices.explode or "").replace(ELEMENT, "")
        known = ""
        for name in _prefixes(path, self._columns):
            full = f"{known}{ELEMENT}.{name}" if known else name
            sql, kind = self._resolved(full)
            if kind is None or kind.id != "list":
                self._note("explode", full, f"a list called {path}", "mapping")
                self._scope[f"{path}{ELEMENT}"] = self._scope[f"{path}{POSITION}"] = ("NULL", None)
                break
            element, place = f"{full}{ELEMENT}", f"{full}{POSITION}"
            source = (
                f"(\n    SELECT *, unnest({sql}) AS {quoted(element)}, "
                f"generate_subscripts({sql}, 1) AS {quoted(place)}\n    FROM {source}\n)"
            )
            self._scope[element] = (quoted(element), dict(kind.children)["child"])
            self._scope[place] = (f"CAST({quoted(place)} AS VARCHAR)", None)
            known = full
        return source

    def _part(self, field: str, sql: str, column: str) -> str:
        """Return the part of a text that counts; note the fault of one without."""
        choices = self._choices
        patterns = patterns_of(choices.take[field])
        kept = [*choices.missing, *choices.values.get(field, ())]
        self._faults.append(fault_of_taking(column, sql, patterns, kept))
        return taken(sql, patterns, kept)

    def _given(self) -> Iterator[str]:
        """Yield the fields that columns, constants and keys give."""
        choices = self._choices
        for name in self._spec.names:
            if name in choices.columns:
                yield f"{self._field(name)} AS {quoted(name)}"
            elif name in choices.constants:
                yield f"{_constant(choices.constants[name])} AS {quoted(name)}"
            elif name in choices.digests:
                parts = columns_of(choices.digests[name])
                yield f"coalesce(key({self._joined(name, parts)}), '') AS {quoted(name)}"
            elif name in choices.joined:
                yield f"{self._joined(name, choices.joined[name])} AS {quoted(name)}"
            elif name in choices.numbered:
                yield f"CAST({ROW} AS VARCHAR) AS {quoted(name)}"

    def _field(self, name: str) -> str:
        columns = self._choices.columns[name]
        if isinstance(columns, dict):
            entries = (f"{literal(k)}: {self._value(name, c)}" for k, c in columns.items())
            return f"{{{', '.join(entries)}}}"
        if isinstance(columns, str):
            if HOLE_NAME in columns and columns not in self._scope:
                return self._field_of_pattern(name, columns)
            return self._value(name, columns)
        if not columns:
            self._note(name, ", ".join(self._columns), "its columns")
        if len(columns) == 1:
            return self._value(name, columns[0])
        return f"[{', '.join(self._value(name, column) for column in columns)}]"

    def _field_of_pattern(self, name: str, pattern: str) -> str:
        found = self._labelled(pattern)
        if not found:
            self._note(name, ", ".join(self._columns), f"columns like {pattern}")
        if self._spec.field(name).many == "map":
            entries = (f"{literal(k)}: {self._value(name, c)}" for k, c in found.items())
            return f"{{{', '.join(entries)}}}"
        return f"[{', '.join(self._value(name, column) for column in found.values())}]"

    def _value(self, field: str, column: str) -> str:
        """Return a cell as a value of a field: a part of it, what its words mean, or none."""
        return self._meant(field, self.sql(column), column)

    def _meant(self, field: str, sql: str, column: str) -> str:
        choices = self._choices
        if field in choices.take:
            sql = self._part(field, sql, column)
        if meanings := choices.values.get(field):
            entries = ", ".join(f"{literal(k)}: {literal(v)}" for k, v in meanings.items())
            sql = f"choice({sql}, MAP {{{entries}}})"
        kind = self._spec.field(field).kind if field in self._spec.names else "text"
        is_named = field in ("judgement",)
        if choices.missing and (kind not in ("key", "text") or is_named):
            words = ", ".join(literal(word) for word in choices.missing)
            sql = f"missing({sql}, [{words}])"
        if choices.decimal == "," and kind == "number":
            sql = f"number({sql})"
        return sql

    def _joined(self, field: str, parts: Sequence[str]) -> str:
        """Return a key made of texts; a joined one that is needed lacks none of them."""
        for part in parts:
            if self._kind(part) in ("list", "struct", "map"):
                self._note(part, "a list or an object", "a text", "kind")
        if len(parts) == 1:
            return self.sql(parts[0])
        texts = [f"coalesce(CAST({self.sql(part)} AS VARCHAR), '')" for part in parts]
        is_needed = field in self._spec.names and self._spec.field(field).required
        if is_needed and field in self._choices.joined:
            for part, text in zip(parts, texts, strict=True):
                wrong = fault(part, text, "a name", "This may not be empty.", "empty-key")
                self._faults.append(f"CASE WHEN {text} = '' THEN {wrong} END")
        listed = ", ".join(texts)
        return f"CASE WHEN concat({listed}) = '' THEN '' ELSE joined([{listed}]) END"

    def _wide(self) -> Iterator[str]:
        """Yield the column of values that are records of their own."""
        wide = self._choices.wide
        if wide is None:
            return
        if wide.parts is not None:
            yield from self._unfolded(wide.parts)
            return
        name = quoted(f"{wide.value}_by_{wide.name}")
        holder = (wide.pattern or "").removesuffix(".{name}").removesuffix(".*")
        if not wide.columns and holder in self._scope and self._kind(holder) == "map":
            yield f"{self._map_of(holder)} AS {name}"
            return
        found = {wide.label(c) or c: c for c in wide.columns}
        if not wide.columns:
            found = self._labelled(wide.column)
        if not found:
            self._note(wide.name, ", ".join(self._columns), f"columns like {wide.pattern}")
        labels = [self._label(wide.name, label) for label in found]
        is_missing = self._choices.missing and not wide.skip_empty
        if is_missing or len(set(labels)) < len(labels):
            yield self._one_row_each({name: (label,) for label, name in found.items()})
            return
        entries = []
        for label, column in found.items():
            sql = self.sql(column)
            if wide.skip_empty:
                empty = ", ".join(map(literal, ("", *self._choices.missing)))
                sql = f"missing({sql}, [{empty}])"
            shown = literal(self._label(wide.name, label))
            entries.append(f"{shown}: {self._meant(wide.value, sql, column)}")
        yield f"{{{', '.join(entries)}}} AS {name}"

    def _label(self, field: str, label: str) -> str:
        return self._choices.values.get(field, {}).get(label, label)

    def _map_of(self, holder: str) -> str:
        """Return a map with its labels and values as they are meant."""
        wide = self._choices.wide
        assert wide is not None  # noqa: S101  # asked by the caller
        kept = len(self._faults)
        value = "each.value"
        if wide.skip_empty:
            empty = ", ".join(map(literal, ("", *self._choices.missing)))
            value = f"missing({value}, [{empty}])"
        value = self._meant(wide.value, value, holder)
        for number, wrong in enumerate(self._faults[kept:], kept):
            every = f"list_transform(map_entries({self.sql(holder)}), lambda each: {wrong})"
            self._faults[number] = f"list_filter({every}, lambda each: each IS NOT NULL)[1]"
        meanings = self._choices.values.get(wide.name, {})
        entries = ", ".join(f"{literal(k)}: {literal(v)}" for k, v in meanings.items())
        key = f"choice(each.key, MAP {{{entries}}})" if entries else "each.key"
        changed = f"lambda each: {{'key': {key}, 'value': {value}}}"
        return f"map_from_entries(list_transform(map_entries({self.sql(holder)}), {changed}))"

    def _unfolded(self, parts: WidePattern) -> Iterator[str]:
        """Yield fields out of a list with an element for each column whose name says several."""
        wide = self._choices.wide
        assert wide is not None  # noqa: S101  # asked by the caller
        names = wide.columns or leaves(self._columns)
        found, unclear = split_names(parts, names)
        for name in unclear:
            ways = (
                ", ".join(map(" ".join, zip(parts.names, labels, strict=True)))
                for labels in islice(parts.ways(name), 2)
            )
            expected = f"a name that {wide.pattern} splits in one way, not {' or '.join(ways)}"
            self._note(name, name, expected, "ambiguous")
        unfit = [name for name in wide.columns if name not in found and name not in unclear]
        for name in unfit:
            self._note(wide.pattern or "", name, f"a name like {wide.pattern}", "mapping")
        if unfit:
            return
        if not found:
            self._note(wide.pattern or "", ", ".join(self._columns), f"columns like {wide.pattern}")
        yield self._one_row_each(found)

    def _one_row_each(self, found: Mapping[str, Sequence[str]]) -> str:
        """Return a list, unfolded, with an element for each column that has a value.

        Here, unlike in a column for all of them, a value may be missing.
        """
        wide = self._choices.wide
        assert wide is not None  # noqa: S101  # asked by the caller
        entries = []
        for column, labels in found.items():
            sql = self.sql(column)
            named = zip(wide.names, labels, strict=True)
            fields = {field: literal(self._label(field, label)) for field, label in named}
            element = _struct({**fields, wide.value: self._meant(wide.value, sql, column)})
            entries.append(f"CASE WHEN {self._is_given(sql)} THEN {element} END")
        listed = ",\n        ".join(entries)
        kept = f"list_filter([\n        {listed}\n    ], lambda each: each IS NOT NULL)"
        return f"unnest({kept}, recursive := true)"

    def _is_given(self, sql: str) -> str:
        """Return a condition: a spread cell makes a record."""
        wide = self._choices.wide
        empty = ", ".join(map(literal, ("", *self._choices.missing)))
        return f"{sql} NOT IN ({empty})" if wide and wide.skip_empty else f"{sql} IS NOT NULL"

    def _labelled(self, pattern: str) -> dict[str, str]:
        """Return label and name of the values that a pattern with one hole meets."""
        start, _, end = pattern.partition(HOLE_NAME)
        found = {}
        for name in leaves(self._columns):
            if len(name) > len(start) + len(end) and name.startswith(start) and name.endswith(end):
                label = name[len(start) : len(name) - len(end)]
                found[label] = name
        return found

    def _attributes(self) -> Iterator[str]:
        for name in self._choices.attributes:
            taken = name.lower() in (*self._spec.names, ROW, "_file")
            own = ATTRIBUTE if taken or name.startswith(ATTRIBUTE) else ""
            yield f"{self.sql(name)} AS {quoted(own + name)}"

    def sql(self, name: str) -> str:
        """Return a dotted name as SQL."""
        return self._resolved(name)[0]

    def _kind(self, name: str) -> str:
        kind = self._resolved(name)[1]
        return "" if kind is None else str(kind.id)

    def _resolved(self, name: str) -> tuple[str, Any]:
        """Return a dotted name as SQL, and its type; note a name that leads nowhere."""
        if name == POSITION:
            return f"CAST({ROW} AS VARCHAR)", None
        if name.endswith(POSITION) and name not in self._scope:
            expected = f"explode: {name.removesuffix(POSITION)}"
            self._note("explode", name, expected, "mapping")
            return "NULL", None
        if name in self._scope:
            return self._scope[name]
        holders = [k for k in self._scope if name.startswith((f"{k}.", f"{k}["))]
        if holders:
            holder = max(holders, key=len)
            found = _inside(*self._scope[holder], name[len(holder) :])
            if found is not None:
                return found
        self._note(name, ", ".join(self._columns), f"a column {name}")
        return "NULL", None

    def _check(self) -> None:
        choices, spec = self._choices, self._spec
        for name in choices.given_twice:
            self._note(name, name, "a column, a constant or another source, not two", "mapping")
        for name in sorted(choices.given - set(spec.names)):
            expected = f"a field of {spec.name}: " + ", ".join(spec.names)
            self._note(name, name, expected, "mapping")
        keys = [("numbered", name) for name in choices.numbered]
        for key, name in [*keys, *(("joined", name) for name in choices.joined)]:
            if name in spec.names and spec.field(name).kind != "key":
                self._note(f"{key}.{name}", name, "a field of keys", "mapping")
        self._check_meanings()
        for name in choices.missing_fields(spec):
            self._note("", ", ".join(self._columns), f"a column for {name}")

    def _check_meanings(self) -> None:
        """Note meanings of fields that no cell gives, and those that are no values."""
        choices, spec = self._choices, self._spec
        wide = choices.wide
        spread = (*wide.names, wide.value) if wide else ()
        for name, meanings in sorted(choices.values.items()):
            if name not in (*choices.columns, *spread) or name not in spec.names:
                self._note(f"values.{name}", name, "a field that columns give", "mapping")
                continue
            convert = converter(spec.field(name), choices.missing, may_be_empty=True, typed=False)
            for text in meanings.values():
                try:
                    _ = convert and convert(text)
                except UnconvertibleError as error:
                    self._note(f"values.{name}", text, error.expected, "mapping")

    def _note(self, column: str, found: str, expected: str, code: str = "missing-column") -> None:
        message = "Correct the mapping, or add the column to the file."
        self._problems.append(
            Problem(self._file, None, column or None, shorten(found), expected, message, code)
        )


HOLE_NAME = "{name}"


def _inside(sql: str, kind: Any, rest: str) -> tuple[str, Any] | None:
    """Return what lies in a value at the end of a path; None if nothing does."""
    if not rest:
        return sql, kind
    if kind is None:
        return None
    if rest.startswith(ELEMENT) and kind.id == "list":
        inner = _inside("element", dict(kind.children)["child"], rest[len(ELEMENT) :])
        if inner is None:
            return None
        if inner[0] == "element":
            return sql, kind
        return f"list_transform({sql}, lambda element: {inner[0]})", kind
    if rest.startswith(".") and kind.id == "struct":
        keys = [k for k, _ in kind.children if f"{rest}.".startswith((f".{k}.", f".{k}["))]
        for key in sorted(keys, key=len, reverse=True):
            inner = dict(kind.children)[key]
            if found := _inside(f"{sql}.{quoted(key)}", inner, rest[len(key) + 1 :]):
                return found
    if rest.startswith(".") and kind.id == JSON:
        path = "$" + "".join(f'."{key}"' for key in rest[1:].split("."))
        inside = f"json_extract_string({sql}, {literal(path)})"
        return f"CASE WHEN json_valid({sql}) THEN {inside} END", None
    if rest.startswith(".") and kind.id == "map":
        return f"{sql}[{literal(rest[1:])}]", dict(kind.children)["value"]
    return None


def _prefixes(path: str, columns: Mapping[str, Any]) -> list[str]:
    """Return the names of the lists on a path, one in another."""
    if not path:
        return []
    if path in columns:
        return [path]
    found: list[str] = []
    kinds: Any = dict(columns)
    rest = path
    name = ""
    while rest:
        part, _, rest = rest.partition(".")
        name = f"{name}.{part}" if name else part
        kind = kinds.get(part)
        if kind is None:
            return [path]
        if kind.id == "list":
            found.append(name)
            name = ""
            kind = dict(kind.children)["child"]
        kinds = dict(kind.children) if kind.id == "struct" else {}
    return found or [path]


def _struct(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{literal(name)}: {value}" for name, value in fields.items()) + "}"


def _constant(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return literal("true" if value else "false")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_constant, value))}]"
    if isinstance(value, dict):
        return _struct({key: _constant(inner) for key, inner in value.items()})
    return literal(str(value))
