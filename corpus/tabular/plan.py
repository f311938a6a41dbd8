"""A mapping applied to the columns that a file really has."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from corpus.tabular.conversion import Converter, UnconvertibleError, converter, plain_json
from corpus.tabular.fields import Field, TableSpec
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.mapping import Columns, Mapping, columns_of
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.transforming.taking import patterns_of
from corpus.tabular.transforming.translating import translating

EMPTY: dict[str, Any] = {"one": None, "list": (), "map": {}}


@dataclass(frozen=True)
class Slot:
    """Where the value of one field comes from, and what makes it a value.

    Attributes
    ----------
    field
        The field.
    cells
        Index in the row of each of its columns; of a constant the index behind the columns.
    labels
        Of a ``map`` field the label of each cell.
    convert
        Turns a cell into a value; None if the cell is the value.
    is_digest
        Whether the value is a digest of the cell.
    """

    field: Field
    cells: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    convert: Converter | None = None
    is_digest: bool = False

    @property
    def is_single(self) -> bool:
        """Whether the value is that of one cell."""
        return self.field.many == "one"

    def value(self, row: list[Any]) -> Any:
        """Return the field's value; `UnconvertibleError` for the first cell that has none."""
        if self.is_digest:
            return _digest(row[self.cells[0]])
        if self.is_single:
            return self._converted(row[self.cells[0]])
        pairs = [(label, self._converted(cell)) for _, label, cell in self.parts(row)]
        if self.field.many == "map":
            return dict(pairs)
        return tuple(value for _, value in pairs)

    def _converted(self, cell: Any) -> Any:
        return self.convert(cell) if self.convert else cell

    def parts(self, row: list[Any]) -> Iterator[tuple[int, str, Any]]:
        """Yield index, label and content of each cell that counts; empty ones of a list do not."""
        labels = self.labels or ("",) * len(self.cells)
        for index, label in zip(self.cells, labels, strict=True):
            cell = row[index]
            if not self.is_single and isinstance(cell, dict):
                for inner, part in cell.items():
                    yield index, inner, part
            elif self.field.many == "list":
                for part in cell if isinstance(cell, list | tuple) else (cell,):
                    if part not in ("", None, ABSENT):
                        yield index, label, part
            elif not (self.field.many == "map" and cell is ABSENT):
                yield index, label, cell


def _digest(cell: Any) -> str:
    if cell in ("", None, ABSENT):
        advice = "Without a text there is nothing to make a key of."
        raise UnconvertibleError("nothing", "a text", advice, "empty-key")
    return hashlib.sha256(str(cell).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Plan:
    """How rows of one file become records of one table.

    Attributes
    ----------
    columns
        Of the file.
    constants
        Put behind each row.
    slots
        One per field, in order.
    wide
        Label and index of each spread cell; None if nothing is spread.
    family
        Index of the column that holds all spread cells of a JSON object, if one does.
    attributes
        Name and index of the columns kept.
    groups
        Slots of which one must have a value.
    """

    columns: tuple[str, ...]
    constants: tuple[Any, ...]
    slots: tuple[Slot, ...]
    wide: tuple[tuple[str, int], ...] | None
    family: int | None
    attributes: tuple[tuple[str, int], ...]
    groups: tuple[tuple[int, ...], ...]

    def column(self, index: int) -> str:
        """Return the name of the column behind an index, for problems."""
        if index < len(self.columns):
            return self.columns[index]
        return next(slot.field.name for slot in self.slots if index in slot.cells)

    def kept(self, row: list[Any], typed: bool) -> dict[str, Any]:
        """Return the attributes of a row."""
        if not typed:
            return {name: row[index] for name, index in self.attributes}
        return {
            name: plain_json(row[index])
            for name, index in self.attributes
            if row[index] is not ABSENT
        }


def make_plan(
    mapping: Mapping,
    spec: TableSpec,
    columns: tuple[str, ...],
    file: str,
    *,
    typed: bool,
    own: int | None = None,
) -> Plan:
    """Compile a mapping for a file.

    Parameters
    ----------
    mapping, spec
        What is wanted; the mapping's table is the spec's.
    columns
        What the file has.
    file
        What problems call it.
    typed
        Whether cells may be other than text.
    own
        How many of the columns are the file's own; None if all are.

    Raises
    ------
    TableError
        With one problem per unknown field, per column that the file does not have, and per
        required field without a column.
    """
    mapping = mapping.resolved(columns, spec)
    problems = list(_problems(mapping, spec, columns, file, ", ".join(columns[:own])))
    if problems:
        raise TableError(*problems)
    index = {name: number for number, name in enumerate(columns)}
    constants = _converted_constants(mapping, spec, file)
    constant_index = {name: len(columns) + n for n, name in enumerate(mapping.constants)}
    spread = {mapping.wide.name, mapping.wide.value} if mapping.wide else set()
    if mapping.wide:
        constant_index[mapping.wide.name] = len(columns) + len(constants)
        constant_index[mapping.wide.value] = len(columns) + len(constants) + 1
        constants += ["", ""]
    by_name = {name: number for number, name in enumerate(spec.names)}
    slots = []
    for field in spec.fields:
        alone = any(mapping.given & set(g) == {field.name} for g in spec.one_of if field.name in g)
        make = converter(
            field,
            mapping.missing,
            may_be_empty=not field.required and not alone and field.name not in spread,
            typed=typed,
        )
        make = _translating(field.name, make, mapping, file)
        value = mapping.columns.get(field.name)
        if field.name in constant_index:
            convert = make if field.name in spread else None
            slots.append(Slot(field, (constant_index[field.name],), (), convert))
        elif field.name in mapping.digests:
            slots.append(
                Slot(field, (index[columns_of(mapping.digests[field.name])[0]],), is_digest=True)
            )
        elif value is not None:
            cells = tuple(index[column] for column in columns_of(value))
            slots.append(Slot(field, cells, _labels(value), make))
        else:
            constant_index[field.name] = len(columns) + len(constants)
            is_text = field.many == "one" and field.kind in {"key", "text", "choice"}
            constants.append("" if is_text else EMPTY[field.many])
            slots.append(Slot(field, (constant_index[field.name],)))
    wide = mapping.wide
    groups = [g for g in spec.one_of if not mapping.missing and not set(g) & spread]
    return Plan(
        columns,
        tuple(constants),
        tuple(slots),
        tuple((label, index[c]) for label, c in wide.labelled(columns).items())
        if wide and wide.columns
        else None,
        index[wide.column] if wide and not wide.columns else None,
        tuple((name, index[name]) for name in mapping.attributes),
        tuple(tuple(by_name[name] for name in group) for group in groups),
    )


def check_given_once(file: str, mapping: Mapping) -> None:
    """Raise a `TableError` if a field gets its value in two ways."""
    if problems := [
        _problem(file, name, name, "a column, a constant or another source, not two", "mapping")
        for name in mapping.given_twice
    ]:
        raise TableError(*problems)


def _converted_constants(mapping: Mapping, spec: TableSpec, file: str) -> list[Any]:
    """Return the values that all records share, as their fields want them."""
    values: list[Any] = []
    for name, constant in mapping.constants.items():
        make = converter(spec.field(name), mapping.missing, may_be_empty=True, typed=True)
        try:
            values.append(make(constant) if make else constant)
        except UnconvertibleError as error:
            problem = _problem(file, name, error.found, error.expected, "mapping")
            raise TableError(problem) from error
    return values


def _translating(
    name: str, make: Converter | None, mapping: Mapping, file: str
) -> Converter | None:
    """Return the converter of a field with what its mapping says of values, if it says anything."""
    if name not in mapping.take and name not in mapping.values:
        return make
    patterns = patterns_of(mapping.take.get(name, ()))
    try:
        return translating(name, make, patterns, mapping.values.get(name, {}), mapping.missing)
    except UnconvertibleError as error:
        problem = _problem(file, f"values.{name}", error.found, error.expected, "mapping")
        raise TableError(problem) from error


def _labels(value: Columns) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, dict) else ()


def _problems(
    mapping: Mapping, spec: TableSpec, columns: tuple[str, ...], file: str, found: str
) -> Iterator[Problem]:
    if mapping.table != spec.name:
        yield _problem(file, None, mapping.table, f"the table {spec.name}", "mapping")
    for name in sorted(mapping.given - set(spec.names)):
        yield _problem(
            file, name, name, f"a field of {spec.name}: " + ", ".join(spec.names), "mapping"
        )
    for name in mapping.missing_fields(spec):
        yield _problem(file, None, found, f"a column for {name}", "missing-column")
    for name in mapping.sources():
        if name not in columns:
            wanted = f"columns like {name}" if "{name}" in name else f"a column {name}"
            yield _problem(file, name, found, wanted, "missing-column")
    spread = {mapping.wide.name, mapping.wide.value} if mapping.wide else set()
    for key, names in (("values", mapping.values), ("take", mapping.take)):
        for name in sorted(names.keys() - mapping.columns.keys() - spread):
            wanted = "a field that a column gives" + (", or a column" if key == "take" else "")
            yield _problem(file, f"{key}.{name}", name, wanted, "mapping")
    for name, value in mapping.columns.items():
        if not columns_of(value):
            yield _problem(file, name, found, "its columns", "missing-column")


def _problem(file: str, column: str | None, found: str, expected: str, code: str) -> Problem:
    return Problem(
        file,
        column=column,
        found=shorten(found),
        expected=expected,
        message="Correct the mapping, or add the column to the file.",
        code=code,
    )
