"""A mapping written as what it is: one SELECT over the tables of a file."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import EXPRESSION, with_names
from corpus.tabular.shaping.mapping import Mapping as Choices
from corpus.tabular.shaping.names import Scope, UnknownNameError, leaves
from corpus.tabular.shaping.wide import Labels, Wide
from corpus.tabular.sql import ROW, literal, quoted

ATTRIBUTE = "attribute."
"""Begins the column of an attribute that is called like a field."""


class QueryWriter:
    """Writes the SELECT that a mapping means; notes what the mapping asks for in vain.

    Parameters
    ----------
    choices, spec
        The mapping, and the table that it fills.
    file
        Name of the file.
    columns
        Name and DuckDB type of each of its columns.
    """

    def __init__(
        self, choices: Choices, spec: TableSpec, file: str, columns: Mapping[str, Any]
    ) -> None:
        self._choices = choices
        self._spec = spec
        self._file = file
        self._columns = columns
        self._scope = Scope(columns)
        self._problems: list[Problem] = []
        self._source = ""
        try:
            self._source = self._scope.unfolded(file, choices.explode or "")
        except UnknownNameError as error:
            self._note("explode", str(error.args[0]), "a list of this name", "mapping")

    def select(self) -> str:
        """Return the SELECT.

        Raises
        ------
        TableError
            If the mapping names a column that is not there, or does not give what is needed.
        """
        selected = [*self._given(), *self._wide(), *self._attributes()]
        self._check()
        if self._problems:
            raise TableError(*dict.fromkeys(self._problems))
        lines = ",\n    ".join([ROW, *selected])
        query = f"SELECT\n    {lines}\nFROM {self._source}"
        if self._choices.where:
            query += f"\nWHERE {self._choices.where}\n"
        if self._choices.distinct:
            every = f"min({ROW}) AS {ROW}, * EXCLUDE ({ROW})"
            query = f"SELECT {every} FROM (\n{query}\n)\nGROUP BY ALL\nORDER BY {ROW}"
        return query

    def left_out(self) -> str:
        """Return a SELECT of how many rows the condition leaves out."""
        where = self._choices.where
        return f"SELECT count(*) FROM {self._source} WHERE ({where}\n) IS NOT true"

    def _given(self) -> Iterator[str]:
        """Yield the fields that columns and expressions give."""
        for name in self._spec.names:
            if source := self._choices.columns.get(name):
                yield f"{self._value(source)} AS {quoted(name)}"

    def _value(self, source: str) -> str:
        if source.startswith(EXPRESSION) and source not in self._scope:
            return with_names(source.removeprefix(EXPRESSION).strip(), self._named)
        return self._sql(source)

    def _named(self, name: str) -> str:
        """Return a name in an expression as SQL; one that is no column may be anything else."""
        try:
            return self._scope.sql(name)
        except UnknownNameError:
            return quoted(name)

    def _wide(self) -> Iterator[str]:
        """Yield the column of values that are records of their own."""
        wide = self._choices.wide
        if wide is None:
            return
        first, *others = wide.names
        name = quoted(f"{wide.value}_by_{first}")
        holder = wide.pattern.removesuffix(f".{{{first}}}")
        if not wide.columns and self._scope.is_map(holder):
            entries = f"map_entries({self._sql(holder)})"
            changed = f"lambda each: {{'key': each.key, 'value': {self._filled('each.value')}}}"
            yield f"map_from_entries(list_transform({entries}, {changed})) AS {name}"
            return
        found, unclear = wide.spread(leaves(self._columns))
        if not self._are_named(wide, found, unclear):
            return
        is_known = any((first, wide.value) == (s.name, s.value) for s in self._spec.wide)
        if others or not is_known or len(set(found.values())) < len(found):
            yield self._one_row_each(wide, found)
            return
        values = {label: self._filled(self._sql(each)) for each, (label,) in found.items()}
        yield f"{_struct(values)} AS {name}"

    def _filled(self, sql: str) -> str:
        """Return a spread cell, or NULL where an empty one is no number."""
        numbers = {field.name for field in self._spec.fields if field.kind == "number"}
        wide = self._choices.wide
        return f"missing({sql}, [''])" if wide and wide.value in numbers else sql

    def _are_named(self, wide: Wide, found: Mapping[str, Labels], unclear: list[str]) -> bool:
        """Whether the pattern of wide columns fits all that are named; note those it does not."""
        pattern = wide.pattern
        for name in unclear:
            ways = (
                ", ".join(map(" ".join, zip(wide.names, labels, strict=True)))
                for labels in islice(wide.parts.ways(name), 2)
            )
            expected = f"a name that {pattern} splits in one way, not {' or '.join(ways)}"
            self._note(name, name, expected, "ambiguous")
        unfit = [name for name in wide.columns if name not in found and name not in unclear]
        for name in unfit:
            self._note(pattern, name, f"a name like {pattern}", "mapping")
        if not (found or unfit):
            self._note(pattern, ", ".join(self._columns), f"columns like {pattern}")
        return not unfit

    def _one_row_each(self, wide: Wide, found: Mapping[str, Labels]) -> str:
        """Return a list, unfolded, with an element for each column that has a value.

        Here, unlike in a column for all of them, a value may be missing.
        """
        entries = []
        for column, labels in found.items():
            sql = self._sql(column)
            fields = dict(zip(wide.names, map(literal, labels), strict=True))
            element = _struct({**fields, wide.value: sql})
            entries.append(f"CASE WHEN {self._filled(sql)} IS NOT NULL THEN {element} END")
        listed = ",\n        ".join(entries)
        kept = f"list_filter([\n        {listed}\n    ], lambda each: each IS NOT NULL)"
        return f"unnest({kept}, recursive := true)"

    def _attributes(self) -> Iterator[str]:
        for name in self._choices.attributes:
            taken = name.lower() in (*self._spec.names, ROW, "_file")
            own = ATTRIBUTE if taken or name.startswith(ATTRIBUTE) else ""
            yield f"{self._sql(name)} AS {quoted(own + name)}"

    def _sql(self, name: str) -> str:
        """Return a name as SQL; note one that leads nowhere."""
        try:
            return self._scope.sql(name)
        except UnknownNameError:
            self._note(name, ", ".join(self._columns), f"a column {name}")
            return "NULL"

    def _check(self) -> None:
        choices, spec = self._choices, self._spec
        for name in sorted(choices.given - set(spec.names)):
            expected = f"a field of {spec.name}: " + ", ".join(spec.names)
            self._note(name, name, expected, "mapping")
        for name in choices.missing_fields(spec):
            self._note("", ", ".join(self._columns), f"a column for {name}")

    def _note(self, column: str, found: str, expected: str, code: str = "missing-column") -> None:
        message = "Correct the mapping, or add the column to the file."
        self._problems.append(
            Problem(self._file, None, column or None, shorten(found), expected, message, code)
        )


def _struct(fields: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{literal(name)}: {value}" for name, value in fields.items()) + "}"
