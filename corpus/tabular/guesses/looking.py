"""A look at a whole file: what each column holds, and which columns determine others."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any

import duckdb

from corpus.tabular.guesses.columns import ColumnContent, is_missing
from corpus.tabular.shaping.query import expression, leaves
from corpus.tabular.sql import table_name

VALUES_LOOKED_AT = 2000
_LONGEST = 1000


class Look:
    """The table of a file, asked by queries: one for each column.

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
        self._connection = connection
        self._table = table_name(file)
        self._sql = {n: expression(n, types) for n in leaves(types) if "[]" not in n}
        self.lists = [name for name, kind in types.items() if kind.id == "list"]
        self.names = [name for name in self._sql if name not in self.lists]
        self.combinations = cache(self._combinations)

    @cached_property
    def rows(self) -> int:
        """How many there are."""
        (rows,) = self._found(f"SELECT count(*) FROM {self._table}")
        return int(rows)

    @cached_property
    def columns(self) -> dict[str, ColumnContent]:
        """Every column that has one value in a row."""
        return {name: self._column(name) for name in self.names}

    def _column(self, name: str) -> ColumnContent:
        distinct, filled, some = self._found(
            f"""WITH found AS MATERIALIZED (
                    SELECT v, count(*) AS n
                    FROM (SELECT CAST({self._sql[name]} AS VARCHAR) AS v FROM {self._table})
                    WHERE v <> '' GROUP BY v)
                SELECT count(*), coalesce(sum(n), 0)::BIGINT, (
                    SELECT list(left(v, {_LONGEST})) FROM (FROM found LIMIT {VALUES_LOOKED_AT}))
                FROM found"""
        )
        values = frozenset(some or ())
        missing = frozenset(filter(is_missing, values))
        return ColumnContent(name, values - missing, self.rows, filled, distinct - len(missing))

    def _combinations(self, *names: str) -> int:
        """Return how many different combinations of values some columns have."""
        columns = ", ".join(self._sql[name] for name in sorted(set(names)))
        distinct = f"SELECT DISTINCT {columns} FROM {self._table}"
        (combinations,) = self._found(f"SELECT count(*) FROM ({distinct})")
        return int(combinations)

    def determines(self, name: str, *keys: str) -> bool:
        """Whether rows with the same keys have the same value, but for two in a hundred."""
        known = self.combinations(*keys) if keys else 1
        return self.combinations(name, *keys) - known <= known // 50

    def _found(self, query: str) -> tuple[Any, ...]:
        [row] = self._connection.execute(query).fetchall()
        return row
