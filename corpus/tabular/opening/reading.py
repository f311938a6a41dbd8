"""A look at the first rows of a file, and at how it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import (
    MARKUP,
    PLAIN,
    Dialect,
    Preview,
    SourceFile,
    check_columns,
)
from corpus.tabular.opening.json_records import Placed
from corpus.tabular.opening.loading import Tables, objects_of, table_of_texts
from corpus.tabular.opening.markup import PATH
from corpus.tabular.problems import ProblemLog, refused, shorten

MOST_COLUMNS = 2000
_INNER = re.compile(r"\[\]\.|\.")


def column_names(objects: Iterable[dict[str, Any]]) -> list[str]:
    """Return the names of all values in some objects, in the order of their first appearance."""
    names: dict[str, None] = {}

    def walk(value: dict[str, Any], prefix: str) -> None:
        for key, inner in value.items():
            name = prefix + key
            if isinstance(inner, dict) and inner:
                walk(inner, name + ".")
            elif isinstance(inner, list) and any(isinstance(item, dict) for item in inner):
                for item in inner:
                    if isinstance(item, dict):
                        walk(item, name + "[].")
            elif len(names) < MOST_COLUMNS:
                names[name] = None

    for each in objects:
        walk(each, "")
    # An empty object or list that has content elsewhere is no value of its own.
    holders = {name[: match.start()] for name in names for match in _INNER.finditer(name)}
    return [name for name in names if name not in holders]


def getter(name: str) -> Callable[[dict[str, Any]], Any]:
    """Return a function that takes the value of that name out of a record.

    Of a list that was not exploded it takes the first element (enough for a preview).
    """
    plain = name.replace("[]", "")
    parts = [(part.removesuffix("[]"), part.endswith("[]")) for part in name.split(".")]
    if len(parts) == 1:
        return lambda record: record.get(plain)

    def get(record: dict[str, Any]) -> Any:
        value: Any = record
        for part, is_list in parts:
            if not isinstance(value, dict) or part not in value:
                return record.get(plain)
            value = value[part]
            if is_list and isinstance(value, list):
                value = value[0] if value else None
        return value

    return get


LONGEST_SHOWN = 500
SAMPLED_OBJECTS = 1000


def preview(
    source: SourceFile,
    n: int = 10,
    *,
    dialect: Dialect = PLAIN,
    names: Collection[str] = (),
    tables: Tables,
) -> Preview:
    """Return the columns and the first `n` rows of a file; `TableError` if it is unreadable.

    What the dialect leaves open is found out; `names` are those of columns that are known.
    """
    log, limits = ProblemLog(), tables.limits
    columns: Sequence[str]
    placed: Iterator[tuple[int, Sequence[Any]]]
    if not source.is_nested:
        table = table_of_texts(source, dialect, limits, names)
        columns, placed, dialect, log = table.columns, table.rows(), table.dialect, table.log
    elif source.format == "parquet":
        loaded = tables.load(source, dialect)
        records = [
            (row[0], dict(zip(loaded.columns, row[1:], strict=True)))
            for row in tables.first_rows(source, n)
        ]
        columns, placed = _values(source, loaded.leaves, records, limits)
    else:
        records = list(islice(objects_of(source, dialect, limits, log), SAMPLED_OBJECTS))
        columns, placed = _values(source, _named_values(source, records), records[:n], limits)
        if not records and not log:
            raise refused("no-records", source.name)
    pairs: list[tuple[int, Sequence[Any]]] = list(islice(placed, n))
    return Preview(
        tuple(columns),
        tuple(tuple(map(_as_shown, [*row, *[""] * (len(columns) - len(row))])) for _, row in pairs),
        tuple(line for line, _ in pairs),
        dialect.encoding,
        dialect.delimiter,
        log.problems,
        dialect,
        tuple(log.counted()),
    )


def _named_values(source: SourceFile, records: list[Placed]) -> list[str]:
    """Return the names of the values of some records."""
    objects = [record for _, record in records]
    if source.format not in MARKUP:
        return column_names(objects)
    names = dict.fromkeys(name for record in objects for name in record)
    if len({record[PATH] for record in objects}) < 2:
        del names[PATH]
    return list(names)


def _values(
    source: SourceFile, columns: list[str], records: list[Placed], limits: Limits
) -> tuple[tuple[str, ...], Iterator[tuple[int, list[Any]]]]:
    """Return names of columns, and the values under them."""
    check_columns(source.name, columns, limits)
    get = [getter(name) for name in columns]
    return tuple(columns), ((line, [value(record) for value in get]) for line, record in records)


def _as_shown(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return str(shorten(text, LONGEST_SHOWN))
