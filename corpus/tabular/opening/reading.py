"""A look at the first rows of a file, and at how it is written."""

import json
from collections.abc import Collection, Iterator, Sequence
from itertools import repeat
from typing import Any

from corpus.tabular.guesses.shown_rows import Preview
from corpus.tabular.opening.files import PLAIN, Dialect, SourceFile, check_columns
from corpus.tabular.opening.loading import Tables
from corpus.tabular.problems import shorten
from corpus.tabular.shaping.names import Scope
from corpus.tabular.sql import ROW

LONGEST_SHOWN = 500


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
    loaded = tables.load(source, dialect, names)
    scope, leaves = Scope(loaded.columns), loaded.leaves
    rows = tables.first_rows(source, n, ", ".join([ROW, *map(scope.sql, leaves)]))
    lines = loaded.lines_of({row[0] for row in rows})
    columns = list(_columns(leaves, [row[1:] for row in rows]))
    names_of_values = [name for name, _ in columns]
    check_columns(source.name, names_of_values, tables.limits)
    return Preview(
        tuple(names_of_values),
        tuple(zip(*(values for _, values in columns), strict=True)),
        tuple(lines[row[0]] for row in rows),
        loaded.dialect,
    )


def _columns(
    names: Sequence[str], rows: Sequence[Sequence[Any]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield names and values of columns: of a map each of the keys, of a list the first value."""
    columns = zip(*rows, strict=True) if rows else repeat(())
    for name, values in zip(names, columns, strict=False):
        keys = dict.fromkeys(key for value in values if isinstance(value, dict) for key in value)
        for key in keys:
            inner = (value.get(key) if isinstance(value, dict) else None for value in values)
            yield f"{name}.{key}", tuple(map(_shown, inner))
        if not keys:
            yield name, tuple(_shown(_first(value, name.count("[]"))) for value in values)


def _first(value: Any, depth: int) -> Any:
    """Return the first element of a list in lists."""
    for _ in range(depth):
        value = value[0] if isinstance(value, list) and value else None
    return value


def _shown(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return str(shorten(text, LONGEST_SHOWN))
