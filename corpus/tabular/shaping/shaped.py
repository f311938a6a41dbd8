"""What a query found, as records of a table: converted and checked, wide values unfolded."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus.tabular.database import Database, check_select
from corpus.tabular.problems import EMPTY_CELLS, Problem, ProblemLog, TableError
from corpus.tabular.shaping.blocks import LEFT_OUT, WRITTEN_LEFT_OUT, Block, Record, in_columns
from corpus.tabular.shaping.conversion import Converter, UnconvertibleError, converter
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.query import ATTRIBUTE
from corpus.tabular.sql import FAULTS, ROW, is_number, quoted

EMPTY: dict[str, Any] = {"one": None, "list": (), "map": {}}
BY = "_by_"
LABELS = "\n"
"""Joins the labels that a column's name says."""
_PLAIN_KINDS = ("varchar", "list", "struct", "map", "boolean", "integer", "bigint", "double")
_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass
class Fault:
    """A cell of a result that is no value of its field."""

    row: int
    column: str
    error: UnconvertibleError


@dataclass
class _Plan:
    """What is selected of a query, and where in it the fields of a table are."""

    spec: TableSpec
    selected: list[str] = field(default_factory=list)
    row: int | None = None
    faults: int | None = None
    places: dict[str, int] = field(default_factory=dict)
    texts: dict[str, int] = field(default_factory=dict)
    attributes: dict[str, int] = field(default_factory=dict)
    name: str = ""
    value: str = ""
    labels: list[str] = field(default_factory=list)
    spread: int = 0

    def add(self, sql: str) -> int:
        """Select an expression; return its place."""
        self.selected.append(f"{sql} AS {quoted(f'#{len(self.selected)}')}")
        return len(self.selected) - 1


class Shaped:
    """The records of one table out of one query.

    Parameters
    ----------
    database, query, spec
        Where the query runs, one SELECT, and the table that it fills.
    file
        What problems call the query's file.
    log
        Takes the problems.
    lines_of
        Gives physical lines of records by their numbers.
    names
        Of fields, and of labels, the columns that they come from.
    labelled
        Of a field whose values came from several columns, the fields that name the column.
    counts_empty
        Whether wide values that are NULL are cells passed over, and not keys that are absent.
    """

    def __init__(
        self,
        database: Database,
        query: str,
        spec: TableSpec,
        file: str,
        log: ProblemLog,
        lines_of: Callable[[set[int]], Mapping[int, int]] = lambda rows: {},
        names: Mapping[str, str] | None = None,
        *,
        labelled: Mapping[str, Sequence[str]] | None = None,
        counts_empty: bool = False,
    ) -> None:
        self._database = database
        self._query = query
        self._spec = spec
        self._file = file
        self._log = log
        self._lines_of = lines_of
        self._names = names or {}
        self._labelled = labelled or {}
        self._counts_empty = counts_empty
        self._faults: list[Fault] = []

    def blocks(self) -> Iterator[Block]:
        """Yield the records in blocks; rows with problems are left out and logged."""
        check_select(self._query, self._file)
        with self._database.selected(f"SELECT * FROM ({self._query}\n) LIMIT 0", self._file) as top:
            plan = planned(self._spec, top.columns, top.types, self._file)
        query = f"SELECT {', '.join(plan.selected)} FROM ({self._query}\n)"
        count = 0
        with self._database.selected(query, self._file) as found:
            columns = _Columns(plan, self._labelled, self._fault)
            for rows in found.pieces():
                cells = list(map(list, zip(*rows, strict=True)))
                if plan.row is None:
                    cells.append(list(range(count + 1, count + 1 + len(rows))))
                count += len(rows)
                block = columns.block(cells)
                if block is not None:
                    yield block
        if self._counts_empty:
            self._log.counts[EMPTY_CELLS] += columns.empty
        self._describe(has_rows=plan.row is not None)

    def _fault(self, row: int, column: str, error: UnconvertibleError) -> None:
        if len(self._faults) < self._log.limit:
            self._faults.append(Fault(row, self._names.get(column, column), error))
        else:
            self._log.count_only()

    def _describe(self, *, has_rows: bool) -> None:
        """Log the faults, with the lines on which they stand if the query carries rows through."""
        wanted = {fault.row for fault in self._faults} if has_rows else set()
        lines = self._lines_of(wanted) if wanted else {}
        for fault in self._faults:
            error = fault.error
            line = lines.get(fault.row, fault.row) if has_rows else None
            self._log.add(
                Problem(
                    self._file,
                    line,
                    fault.column,
                    error.found,
                    error.expected,
                    error.message,
                    error.code,
                )
            )


def planned(spec: TableSpec, columns: Sequence[str], types: Sequence[Any], file: str) -> _Plan:
    """Say what to select of a query; `TableError` if it does not fill the table."""
    plan = _Plan(spec)
    wide = {f"{each.value}{BY}{each.name}": each for each in spec.wide}
    unknown = []
    for column, kind in zip(columns, types, strict=True):
        if column in wide and kind.id in ("struct", "map"):
            plan.name, plan.value = wide[column].name, wide[column].value
            _add_wide(plan, column, kind)
        elif column == ROW:
            plan.row = plan.add(ROW)
        elif column == FAULTS:
            plan.faults = plan.add(FAULTS)
        elif column in spec.names:
            _add_field(plan, column, kind)
        elif spec.keep_other_columns_as_attributes:
            plan.attributes[column.removeprefix(ATTRIBUTE)] = plan.add(_plain(quoted(column), kind))
        else:
            unknown.append(column)
    given = {*plan.places, plan.name, plan.value} - {""}
    problems = [
        _problem(file, each, each, f"a field of {spec.name}: " + ", ".join(spec.names))
        for each in unknown
    ]
    needed = [f.name for f in spec.fields if f.required and f.name not in given]
    needed += [" or ".join(group) for group in spec.one_of if not given & set(group)]
    problems += [_problem(file, None, ", ".join(columns), f"a column {each}") for each in needed]
    if problems:
        raise TableError(*problems)
    return plan


def _add_field(plan: _Plan, column: str, kind: Any) -> None:
    """Select a field; of a number its value, and its text where it has none."""
    each, sql = plan.spec.field(column), quoted(column)
    if each.kind == "number" and each.many == "one":
        text = f"CAST({sql} AS VARCHAR)"
        plan.texts[column] = plan.add(f"CASE WHEN NOT {is_number(text)} THEN {text} END")
        number = f"CASE WHEN {is_number(text)} THEN TRY_CAST({text} AS DOUBLE) END"
        plan.places[column] = plan.add(number)
        return
    plan.places[column] = plan.add(_plain(sql, kind))


def _plain(sql: str, kind: Any) -> str:
    """Return an expression of what JSON can hold: of other values their text."""
    return sql if kind.id in _PLAIN_KINDS else f"CAST({sql} AS VARCHAR)"


def _add_wide(plan: _Plan, column: str, kind: Any) -> None:
    """Select spread values: rows of numbers as JSON, and as they are where one is no number."""
    sql = quoted(column)
    is_of_numbers = plan.spec.field(plan.value).kind == "number"
    if kind.id == "map" or not is_of_numbers:
        plan.spread = plan.add(sql)
        return
    plan.labels = [key for key, _ in kind.children]
    # Each column is written once: DuckDB plans neither copies nor conditions of 2,000 of them.
    texts = ", ".join(f"CAST({sql}.{quoted(key)} AS VARCHAR)" for key in plan.labels)
    good = f"list_bool_and(list_transform(row, lambda each: {is_number('each')}))"
    numbers = "list_transform(row, lambda each: TRY_CAST(each AS DOUBLE))"
    written = f"replace(CAST(to_json({numbers}) AS VARCHAR), 'null', '{WRITTEN_LEFT_OUT}')"
    for chosen in (f"CASE WHEN {good} THEN {written} END", f"CASE WHEN NOT {good} THEN row END"):
        place = plan.add(f"list_transform([[{texts}]], lambda row: {chosen})[1]")
    plan.spread = place - 1


def _problem(file: str, column: str | None, found: str, expected: str) -> Problem:
    advice = "Correct the query: its columns are named like the fields of the table."
    return Problem(file, None, column, found[:200], expected, advice, "missing-column")


class _Columns:
    """Turns pieces of a result into blocks.

    Attributes
    ----------
    empty
        How many spread values were none.
    """

    def __init__(
        self,
        plan: _Plan,
        labelled: Mapping[str, Sequence[str]],
        fault: Callable[[int, str, UnconvertibleError], None],
    ) -> None:
        self.empty = 0
        self._noted: set[tuple[int, str]] = set()
        self._plan = plan
        self._labelled = labelled
        self._fault = fault
        spec = plan.spec
        given = {*plan.places, plan.name, plan.value}
        self._converters: dict[str, Converter | None] = {}
        for each in spec.fields:
            alone = any(given & set(g) == {each.name} for g in spec.one_of if each.name in g)
            is_spread = each.name in (plan.name, plan.value)
            self._converters[each.name] = converter(
                each, (), may_be_empty=not each.required and not alone and not is_spread, typed=True
            )

    def block(self, cells: list[list[Any]]) -> Block | None:
        """Return the records of some rows; None if there are none."""
        plan = self._plan
        rows = cells[-1] if plan.row is None else cells[plan.row]
        faulty = self._faulty(rows, cells)
        wrong = set(faulty)
        columns = [self._column(each, cells, faulty, wrong) for each in plan.spec.fields]
        if plan.spec.keep_other_columns_as_attributes:
            columns.append(_kept(plan.attributes, cells, len(rows)))
        if plan.labels:
            self._read_unread(rows, cells)
        if plan.name and not plan.labels:
            return self._unfolded(rows, columns, cells[plan.spread], wrong)
        written = cells[plan.spread]
        if wrong:
            keep = [n for n in range(len(rows)) if n not in wrong]
            rows, written, *columns = (
                [column[n] for n in keep] for column in (rows, written, *columns)
            )
        if not plan.labels or not rows:
            return Block(rows, columns) if rows else None
        return self._spread(rows, columns, f"[{','.join(written)}]")

    def _faulty(self, rows: list[int], cells: list[list[Any]]) -> set[int]:
        """Note the faults that the query found; return the rows that have some."""
        wrong: set[int] = set()
        if self._plan.faults is None:
            return wrong
        for number, faults in enumerate(cells[self._plan.faults]):
            for column, found, expected, message, code in faults or ():
                wrong.add(number)
                if (rows[number], column) not in self._noted:
                    self._noted.add((rows[number], column))
                    error = UnconvertibleError(found, expected, message, code)
                    self._fault(rows[number], column, error)
        return wrong

    def _column(
        self, each: Field, cells: list[list[Any]], faulty: set[int], wrong: set[int]
    ) -> list[Any]:
        """Return the values of a field; note rows that have none that fits."""
        plan = self._plan
        place = plan.places.get(each.name)
        if place is None:
            is_text = each.many == "one" and each.kind in {"key", "text", "choice"}
            return ["" if is_text else EMPTY[each.many]] * len(cells[0])
        column = cells[place]
        unread: Sequence[int] = range(len(column))
        if each.name in plan.texts:
            texts = cells[plan.texts[each.name]]
            if texts.count(None) == len(texts):
                return column
            unread = [n for n, text in enumerate(texts) if text is not None]
        elif _is_usual(each, column):
            return column
        else:
            texts = column
        convert = self._converters[each.name]
        for number in unread:
            if number in faulty:
                continue
            try:
                column[number] = _value(each, texts[number], convert)
            except UnconvertibleError as error:
                column[number] = None
                wrong.add(number)
                self._wrong(each, number, cells, error)
        return column

    def _wrong(
        self, each: Field, number: int, cells: list[list[Any]], error: UnconvertibleError
    ) -> None:
        places, row = self._plan.places, self._plan.row
        part = getattr(error, "label", "")
        column = f"{each.name}.{part}" if part else each.name
        if all(name in places for name in self._labelled.get(each.name, ("",))):
            labels = (cells[places[name]][number] for name in self._labelled[each.name])
            column = LABELS.join(labels)
        self._fault(cells[-1 if row is None else row][number], column, error)

    def _read_unread(self, rows: list[int], cells: list[list[Any]]) -> None:
        """Write the rows of numbers that the database could not."""
        plan = self._plan
        written, unread = cells[plan.spread], cells[plan.spread + 1]
        if unread.count(None) == len(unread):
            return
        for number, texts in enumerate(unread):
            if texts is not None:
                pairs = zip(plan.labels, texts, strict=True)
                found = (self._cell(rows[number], label, text) for label, text in pairs)
                written[number] = _encode([LEFT_OUT if v is None else v for v in found])

    def _cell(self, row: int, label: str, cell: Any) -> Any:
        """Return a spread value; None if there is none, or none that fits."""
        if cell is None:
            return None
        try:
            each = self._plan.spec.field(self._plan.value)
            return _value(each, cell, self._converters[each.name])
        except UnconvertibleError as error:
            self._fault(row, label, error)
            return None

    def _spread(self, rows: list[int], columns: list[list[Any]], numbers: str) -> Block:
        """Return rows that share all but the numbers."""
        plan, names = self._plan, self._plan.spec.names
        self.empty += numbers.count(WRITTEN_LEFT_OUT)
        labels = list(map(self._label, plan.labels))
        return Block(
            rows, columns, labels, numbers, (names.index(plan.name), names.index(plan.value))
        )

    def _label(self, label: str) -> str:
        convert = self._converters[self._plan.name]
        return str(convert(label)) if convert else label

    def _unfolded(
        self, rows: list[int], columns: list[list[Any]], held: list[Any], wrong: set[int]
    ) -> Block | None:
        """Return a row for each spread value."""
        names = self._plan.spec.names
        name, value = names.index(self._plan.name), names.index(self._plan.value)
        found: list[Record] = []
        for number, shared in enumerate(zip(*columns, strict=True)):
            if number in wrong or not held[number]:
                continue
            record = list(shared)
            for label, cell in _entries(held[number]).items():
                record[value] = self._cell(rows[number], label, cell)
                if record[value] is None:
                    self.empty += 1
                    continue
                record[name] = self._label(label)
                found.append((rows[number], tuple(record)))
        return next(in_columns(found, len(found) or 1), None)


def _entries(cell: Any) -> dict[str, Any]:
    """Return a map as a dictionary, however DuckDB hands it out."""
    if isinstance(cell, dict) and set(cell) == {"key", "value"} and isinstance(cell["key"], list):
        return dict(zip(cell["key"], cell["value"], strict=True))
    return dict(cell)


def _is_usual(each: Field, column: list[Any]) -> bool:
    """Return whether all cells of a column of texts are there and fit, so that nothing is to do."""
    if each.kind not in ("key", "text") or each.many != "one":
        return False
    try:
        longest = max(map(len, column))
        fits = each.kind == "text" or (
            longest <= each.longest and (not each.required or all(column))
        )
        return fits and column[0].__class__ is str
    except TypeError:
        return False


def _value(each: Field, cell: Any, convert: Converter | None) -> Any:
    if cell is None and each.many == "one" and each.kind not in ("key", "text"):
        return None  # which a query says of a value that is missing
    if each.many == "list":
        parts = cell if isinstance(cell, list | tuple) else (cell,)
        return tuple(convert(part) if convert else part for part in parts if part not in ("", None))
    if each.many == "map":
        return _map(cell, convert)
    return convert(cell) if convert else ("" if cell is None else cell)


class _PartError(UnconvertibleError):
    """A part of a map that is no value; `label` names it."""

    def __init__(self, error: UnconvertibleError, label: str) -> None:
        super().__init__(error.found, error.expected, error.message, error.code)
        self.label = label


def _map(cell: Any, convert: Converter | None) -> dict[str, Any]:
    found = {}
    for key, inner in (_entries(cell) if isinstance(cell, dict) else {}).items():
        if inner is None:
            continue
        try:
            found[key] = convert(inner) if convert else inner
        except UnconvertibleError as error:
            raise _PartError(error, key) from None
    return found


def _kept(
    attributes: Mapping[str, int], cells: list[list[Any]], count: int
) -> list[dict[str, Any]]:
    """Return the attributes of each row; what is absent is none."""
    if not attributes:
        return [{} for _ in range(count)]
    return [
        {name: cells[place][n] for name, place in attributes.items() if cells[place][n] is not None}
        for n in range(count)
    ]
