"""What a query found, as records of a table: converted and checked, wide values unfolded."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corpus.tabular.database import Database
from corpus.tabular.opening.loading import Loaded
from corpus.tabular.problems import Problem, ProblemLog, TableError, problem
from corpus.tabular.shaping.blocks import LEFT_OUT, WRITTEN_LEFT_OUT, Block
from corpus.tabular.shaping.conversion import UnconvertibleError, converter
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.query import ATTRIBUTE
from corpus.tabular.sql import ROW, is_number, literal, quoted

EMPTY: dict[str, Any] = {"one": None, "list": (), "map": {}}
BY = "_by_"
LABELS = "\n"
"""Joins the labels that a column's name says."""
_PLAIN_KINDS = ("varchar", "list", "struct", "map", "boolean", "integer", "bigint", "double")
_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass
class Query:
    """The query that a mapping means in a file, ready to run.

    Attributes
    ----------
    loaded, text
        The file's table, and one SELECT.
    counts
        What is passed over on purpose, in words.
    names, labelled
        Columns behind fields and labels, for problems; fields that name the column of another.
    """

    loaded: Loaded
    text: str
    counts: Counter[str] = field(default_factory=Counter)
    names: dict[str, str] = field(default_factory=dict)
    labelled: Mapping[str, Sequence[str]] = field(default_factory=dict)


class Unfolded(NamedTuple):
    """A query with a record for each wide value, unless these are rows of numbers.

    Attributes
    ----------
    text
        The SELECT.
    columns, types
        Of its result.
    labelled
        Which field then labels which.
    """

    text: str
    columns: list[str]
    types: list[Any]
    labelled: dict[str, tuple[str]]


def unfolded(
    database: Database, text: str, spec: TableSpec, file: str, *, rows_of_numbers: bool
) -> Unfolded:
    """Return a query with a record for each wide value; lists and maps have one type.

    Parameters
    ----------
    text
        One SELECT.
    file
        What problems call it.
    rows_of_numbers
        Whether wide numbers are left as they are, a row each.
    """
    top = _described(database, text, file)
    wide = {f"{each.value}{BY}{each.name}": each for each in spec.wide}
    selected, where, source = [], "", f"({text}\n)"
    labelled: dict[str, tuple[str]] = {}
    for column, kind in zip(*top, strict=True):
        name = quoted(column)
        many = spec.field(column).many if column in spec.names else ""
        spread = wide.get(column) if kind.id in ("struct", "map") else None
        if spread and not (rows_of_numbers and _is_row_of_numbers(spec, spread.value, kind)):
            source = f"(SELECT *, unnest({_entries(name, kind)}) AS _each FROM {source})"
            selected.append(f"_each.key AS {quoted(spread.name)}")
            selected.append(f"_each.value AS {quoted(spread.value)}")
            labelled = {spread.value: (spread.name,)}
            where = " WHERE _each.value IS NOT NULL"
        elif many == "list" and kind.id != "list":
            selected.append(f"[{name}] AS {name}")
        elif many == "map" and kind.id == "struct":
            selected.append(f"map_from_entries({_entries(name, kind)}) AS {name}")
        else:
            selected.append(name)
    text = f"SELECT {', '.join(selected)} FROM {source}{where}"
    return Unfolded(text, *_described(database, text, file), labelled)


def _described(database: Database, text: str, file: str) -> tuple[list[str], list[Any]]:
    with database.selected(f"SELECT * FROM ({text}\n) LIMIT 0", file) as top:
        return top.columns, top.types


def _is_row_of_numbers(spec: TableSpec, value: str, kind: Any) -> bool:
    return kind.id == "struct" and spec.field(value).kind == "number"


def _entries(name: str, kind: Any) -> str:
    """Return a structure or a map as a list of its entries."""
    if kind.id == "map":
        return f"map_entries({name})"
    keys = [key for key, _ in kind.children]
    entries = (f"{{'key': {literal(k)}, 'value': {name}.{quoted(k)}}}" for k in keys)
    return f"[{', '.join(entries)}]"


class Plan:
    """What is selected of a query, and where in it the fields of a table are.

    Parameters
    ----------
    spec, file
        The table that the query fills, and what problems call the query's file.
    columns, types
        Of the query's result; `TableError` if they do not fill the table.
    """

    def __init__(
        self, spec: TableSpec, file: str, columns: Sequence[str], types: Sequence[Any]
    ) -> None:
        self.spec = spec
        self.selected: list[str] = []
        self.row: int | None = None
        self.places: dict[str, int] = {}
        self.attributes: dict[str, int] = {}
        self.name = self.value = ""
        self.labels: list[str] = []
        self.spread = 0
        wide = {f"{each.value}{BY}{each.name}": each for each in spec.wide}
        unknown = []
        for column, kind in zip(columns, types, strict=True):
            if column in wide and kind.id == "struct":
                self.name, self.value = wide[column].name, wide[column].value
                self._add_numbers(column, kind)
            elif column == ROW:
                self.row = self._add(ROW)
            elif column in spec.names:
                self.places[column] = self._add(_plain(quoted(column), kind))
            elif spec.keep_other_columns_as_attributes:
                plain = _plain(quoted(column), kind)
                self.attributes[column.removeprefix(ATTRIBUTE)] = self._add(plain)
            else:
                unknown.append(column)
        self.given = {*self.places, self.name, self.value} - {""}
        fields = f"a field of {spec.name}: " + ", ".join(spec.names)
        problems = [_problem(file, each, each, fields) for each in unknown]
        needed = [f.name for f in spec.fields if f.required and f.name not in self.given]
        needed += [" or ".join(group) for group in spec.one_of if not self.given & set(group)]
        found = ", ".join(columns)
        if problems := problems + [_problem(file, None, found, f"a column {e}") for e in needed]:
            raise TableError(*problems)

    def _add(self, sql: str) -> int:
        """Select an expression; return its place."""
        self.selected.append(f"{sql} AS {quoted(f'#{len(self.selected)}')}")
        return len(self.selected) - 1

    def _add_numbers(self, column: str, kind: Any) -> None:
        """Select rows of numbers as JSON, and as they are where one is no number."""
        self.labels = [key for key, _ in kind.children]
        # Each column is written once: DuckDB plans neither copies nor conditions of 2,000 of them.
        texts = ", ".join(f"CAST({quoted(column)}.{quoted(k)} AS VARCHAR)" for k in self.labels)
        good = f"list_bool_and(list_transform(row, lambda each: {is_number('each')}))"
        numbers = "list_transform(row, lambda each: TRY_CAST(each AS DOUBLE))"
        written = f"replace(CAST(to_json({numbers}) AS VARCHAR), 'null', '{WRITTEN_LEFT_OUT}')"
        whole, odd = f"CASE WHEN {good} THEN {written} END", f"CASE WHEN NOT {good} THEN row END"
        self.spread = self._add(f"list_transform([[{texts}]], lambda row: {whole})[1]")
        self._add(f"list_transform([[{texts}]], lambda row: {odd})[1]")


def _plain(sql: str, kind: Any) -> str:
    """Return an expression of what JSON can hold: of other values their text."""
    return sql if kind.id in _PLAIN_KINDS else f"CAST({sql} AS VARCHAR)"


def _problem(file: str, column: str | None, found: str, expected: str) -> Problem:
    return problem("missing-column", file, found[:200], column=column, expected=expected)


class Shaped:
    """The records of one table out of one query.

    Parameters
    ----------
    database, query, spec
        Where the query runs, one SELECT, and the table that it fills; `TableError` if it does not.
    log
        Takes the problems.
    """

    def __init__(self, database: Database, query: Query, spec: TableSpec, log: ProblemLog) -> None:
        self._database = database
        self._query = query
        self._spec = spec
        self._file = file = query.loaded.source.name
        self._log = log
        self._faults: list[tuple[int, str, UnconvertibleError]] = []
        self._unfolded = unfolded(database, query.text, spec, file, rows_of_numbers=True)
        self._plan = Plan(spec, file, self._unfolded.columns, self._unfolded.types)
        self._labelled = {**query.labelled, **self._unfolded.labelled}
        self._converters = {field.name: self._converter(field) for field in spec.fields}

    def blocks(self) -> Iterator[Block]:
        """Yield the records in blocks; rows with problems are left out and logged."""
        plan = self._plan
        query = f"SELECT {', '.join(plan.selected)} FROM ({self._unfolded.text}\n)"
        count = 0
        with self._database.selected(query, self._file) as found:
            for rows in found.pieces():
                cells = list(map(list, zip(*rows, strict=True)))
                if plan.row is None:
                    cells.append(list(range(count + 1, count + 1 + len(rows))))
                count += len(rows)
                if block := self._block(cells):
                    yield block
        self._describe()

    def _converter(self, each: Field) -> Any:
        """Return the converter of a field; the only one given of a group may not be empty."""
        plan, groups = self._plan, (group for group in self._spec.one_of if each.name in group)
        is_alone = any(plan.given & set(group) == {each.name} for group in groups)
        is_spread = each.name in (plan.name, plan.value)
        return converter(each, may_be_empty=not (each.required or is_alone or is_spread))

    def _fault(self, row: int, column: str, error: UnconvertibleError) -> None:
        if len(self._faults) < self._log.limit:
            self._faults.append((row, self._query.names.get(column, column), error))
        else:
            self._log.count_only()

    def _describe(self) -> None:
        """Log the faults, with the lines on which they stand if the query carries rows through."""
        has_rows = self._plan.row is not None
        wanted = {row for row, *_ in self._faults} if has_rows else set()
        lines = self._query.loaded.lines_of(wanted) if wanted else {}
        for row, column, error in self._faults:
            line = lines.get(row, row) if has_rows else None
            what = error.found, error.expected, error.message, error.code
            self._log.add(Problem(self._file, line, column, *what))

    def _block(self, cells: list[list[Any]]) -> Block | None:
        """Return the records of some rows; None if there are none."""
        plan = self._plan
        rows = cells[-1] if plan.row is None else cells[plan.row]
        wrong: set[int] = set()
        columns = [self._column(each, rows, cells, wrong) for each in self._spec.fields]
        if self._spec.keep_other_columns_as_attributes:
            columns.append(_kept(plan.attributes, cells, len(rows)))
        if plan.labels:
            self._read_unread(rows, cells)
        written = cells[plan.spread]
        if wrong:
            keep = [n for n in range(len(rows)) if n not in wrong]
            rows, written, *columns = (
                [column[n] for n in keep] for column in (rows, written, *columns)
            )
        if not rows:
            return None
        return self._spread(rows, columns, written) if plan.labels else Block(rows, columns)

    def _column(
        self, each: Field, rows: list[int], cells: list[list[Any]], wrong: set[int]
    ) -> list[Any]:
        """Return the values of a field; note rows that have none that fits."""
        plan = self._plan
        place = plan.places.get(each.name)
        if place is None:
            is_text = each.many == "one" and each.kind in {"key", "text", "choice"}
            return ["" if is_text else EMPTY[each.many]] * len(rows)
        column = cells[place]
        if _is_usual(each, column):
            return column
        convert = self._converters[each.name]
        for number, cell in enumerate(column):
            try:
                column[number] = convert(cell)
            except UnconvertibleError as error:
                if self._has_no_number(cells, number):
                    # Such a row makes no record, and so needs no key.
                    column[number] = ""
                    continue
                column[number] = None
                wrong.add(number)
                self._fault(rows[number], self._column_behind(each, number, cells, error), error)
        return column

    def _has_no_number(self, cells: list[list[Any]], number: int) -> bool:
        """Whether all wide numbers of a row are empty and left out."""
        labels = len(self._plan.labels)
        left_out = f"[{','.join([WRITTEN_LEFT_OUT] * labels)}]"
        return bool(labels) and cells[self._plan.spread][number] == left_out

    def _column_behind(
        self, each: Field, number: int, cells: list[list[Any]], error: UnconvertibleError
    ) -> str:
        """Return what names the column of a faulty cell: its field, or the labels it stands for."""
        places = self._plan.places
        labels = self._labelled.get(each.name, ("",))
        if all(name in places for name in labels):
            return LABELS.join(cells[places[name]][number] for name in labels)
        return f"{each.name}.{error.label}" if error.label else each.name

    def _read_unread(self, rows: list[int], cells: list[list[Any]]) -> None:
        """Write the rows of numbers that the database could not."""
        plan = self._plan
        written, unread = cells[plan.spread], cells[plan.spread + 1]
        if unread.count(None) == len(unread):
            return
        convert = self._converters[plan.value]
        for number, texts in enumerate(unread):
            found: list[Any] = [LEFT_OUT] * len(texts or ())
            for place, text in enumerate(texts or ()):
                try:
                    found[place] = LEFT_OUT if text is None else convert(text)
                except UnconvertibleError as error:
                    self._fault(rows[number], plan.labels[place], error)
            if texts is not None:
                written[number] = _encode(found)

    def _spread(self, rows: list[int], columns: list[list[Any]], written: list[str]) -> Block:
        """Return rows that share all but the numbers."""
        plan, names = self._plan, self._spec.names
        numbers = f"[{','.join(written)}]"
        labels = list(map(self._converters[plan.name], plan.labels))
        return Block(
            rows, columns, labels, numbers, (names.index(plan.name), names.index(plan.value))
        )


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
