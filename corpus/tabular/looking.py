"""A look at a whole file: what each column holds, and which columns determine others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

import duckdb

from corpus.tabular.column_contents import ColumnContent, is_missing
from corpus.tabular.database import table_name
from corpus.tabular.query import expression, leaves

VALUES_LOOKED_AT = 2000
_LONGEST = 1000


class Look:
    """The table of a file, asked by queries.

    Parameters
    ----------
    connection
        Of the database that holds it.
    file
        Its name.
    types
        Of its columns.

    Attributes
    ----------
    names
        Of the columns that have one value in a row.
    lists
        Columns whose cells are lists of texts.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, file: str, types: Mapping[str, Any]
    ) -> None:
        self.file = file
        self._connection = connection
        self._table = table_name(file)
        self._sql = {n: expression(n, types) for n in leaves(types) if "[]" not in n}
        self.lists = [name for name, kind in types.items() if kind.id == "list"]
        self.names = [name for name in self._sql if name not in self.lists]
        self.combinations = cache(self._combinations)
        self.column = cache(self._column)

    @cached_property
    def rows(self) -> int:
        """How many there are."""
        return self._number(f"SELECT count(*) FROM {self._table}")

    @cached_property
    def columns(self) -> dict[str, ColumnContent]:
        """Every column that has one value in a row."""
        return {name: self.column(name) for name in self.names}

    def _column(self, name: str) -> ColumnContent:
        text = f"CAST({self._sql[name]} AS VARCHAR)"
        filled = f"FROM (SELECT {text} AS v FROM {self._table}) WHERE v <> ''"
        found = self._connection.execute(
            f"SELECT DISTINCT left(v, {_LONGEST}) {filled} LIMIT {VALUES_LOOKED_AT}"
        ).fetchall()
        every = frozenset(value for (value,) in found)
        missing = frozenset(filter(is_missing, every))
        distinct = self._number(f"SELECT count(DISTINCT v) {filled}") - len(missing)
        count = self._number(f"SELECT count(*) {filled}")
        return ColumnContent(name, every - missing, missing, self.rows, count, distinct)

    def _combinations(self, *names: str) -> int:
        """Return how many different combinations of values some columns have."""
        columns = ", ".join(self._sql[name] for name in sorted(set(names)))
        return self._number(f"SELECT count(*) FROM (SELECT DISTINCT {columns} FROM {self._table})")

    def empty(self, *names: str) -> int:
        """Return in how many rows some columns hold nothing."""
        nothing = " AND ".join(f"coalesce({self._sql[name]}, '') = ''" for name in names)
        return self._number(f"SELECT count(*) FROM {self._table} WHERE {nothing}")

    def determines(self, name: str, *keys: str) -> bool:
        """Whether rows with the same keys have the same value, but for two in a hundred."""
        known = self.combinations(*keys) if keys else 1
        return self.combinations(name, *keys) - known <= known // 50

    def _number(self, query: str) -> int:
        found = self._connection.execute(query).fetchone()
        return int(found[0]) if found else 0
