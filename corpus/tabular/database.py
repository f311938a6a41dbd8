"""Tables of users' files in DuckDB: loaded with access to the files, queried without any.

What a query may do is settled before it runs: one SELECT, in a database that can reach no file, no
network and no setting, with bounds on memory and on what it writes to disk.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from corpus.tabular.limits import MEBIBYTE, Limits
from corpus.tabular.problems import TableError, refused, shorten
from corpus.tabular.sql import ROW, SCHEMA, literal, table_name

_MACROS = Path(__file__).with_name("macros.sql")
_ROWS_AT_ONCE = 4096
_CHARACTERS_AT_ONCE = 8 << 20
_NULL = "\\x01\\x02\\x03"
_SELECT = duckdb.StatementType.SELECT


def load_texts(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str | None]],
    place: Path,
) -> None:
    """Make the table of a file of rows of texts; None and what a row lacks at its end are NULL.

    They go through a file at `place`, with all fields in quotes.
    """
    longest = MEBIBYTE
    with place.open("w", encoding="utf-8", newline="") as copy:
        writer = csv.writer(copy, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for row in rows:
            texts = row if None not in row else [_NULL if each is None else each for each in row]
            longest = max(longest, writer.writerow(texts))
    written = {"delim": ",", "quote": '"', "escape": '"', "new_line": "\\n"}
    read_texts(connection, name, columns, place, 4 * longest, **written)


def read_texts(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    columns: Sequence[str],
    place: Path,
    longest: int,
    further: str = "",
    **written: str,
) -> None:
    """Make the table of a file of delimited rows of texts: options as DuckDB names them.

    A buffer holds two rows of the longest that there may be; DuckDB would take sixteen.
    """
    options = ", ".join(f"{key} = {literal(value)}" for key, value in written.items())
    typed = ", ".join(f"{literal(column)}: 'VARCHAR'" for column in columns)
    connection.execute(
        f"CREATE OR REPLACE TABLE {table_name(name)} AS "
        f"SELECT row_number() OVER () AS {ROW}, * FROM read_csv({literal(str(place))}, "
        f"auto_detect = false, header = false, {options}, columns = {{{typed}}}, "
        f"nullstr = '{_NULL}', null_padding = true, comment = '', parallel = false, "
        f"max_line_size = {longest}, buffer_size = {2 * longest}{further})"
    )


class Database:
    """One database in a folder, open either for loading files or for queries.

    Parameters
    ----------
    folder
        Where the database and what does not fit into memory lie.
    limits
        Bounds on memory and disk.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._is_locked = False
        self._has_macros = False

    def loading(self) -> duckdb.DuckDBPyConnection:
        """Return a connection that may read files; no SQL of users goes through it."""
        return self._open(locked=False)

    def locked(self) -> duckdb.DuckDBPyConnection:
        """Return a connection that reaches nothing but the tables."""
        return self._open(locked=True)

    def close(self) -> None:
        """Close the database."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self, *, locked: bool) -> duckdb.DuckDBPyConnection:
        if self._connection is not None and self._is_locked is locked:
            return self._connection
        self.close()
        # A piece of a table of 2,000 columns takes more than a quarter of what there is by default.
        memory = self._limits.memory_bytes * 3 // 8 // MEBIBYTE
        self._connection = duckdb.connect(
            str(self._folder / "tables.duckdb"),
            config={
                "threads": 1,
                # Tables live for minutes: compressing them would take half the time of closing.
                "force_compression": "uncompressed",
                "memory_limit": f"{memory}MiB",
                "temp_directory": str(self._folder / "spilled"),
                "max_temp_directory_size": f"{self._limits.total_bytes // MEBIBYTE}MiB",
                "autoinstall_known_extensions": False,
                "autoload_known_extensions": False,
                "allow_community_extensions": False,
                "allow_persistent_secrets": False,
                "python_enable_replacements": False,
            },
        )
        if not self._has_macros:
            self._connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            self._connection.execute(_MACROS.read_text(encoding="utf-8"))
            self._has_macros = True
        if locked:
            self._connection.execute("SET enable_external_access = false")
            self._connection.execute("SET lock_configuration = true")
        self._is_locked = locked
        return self._connection

    @contextmanager
    def selected(self, query: str, name: str) -> "Iterator[Selected]":
        """Run a query of a user; `TableError` says what is wrong with it.

        Parameters
        ----------
        query
            One SELECT.
        name
            What problems call it.
        """
        check_select(query, name)
        cursor = self.locked().cursor()
        try:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
            cursor.execute(query)
            yield Selected(cursor)
        except duckdb.Error as error:
            raise _wrong(name, error) from None
        finally:
            cursor.close()


class Selected:
    """What a query found: names and types of its columns, and its rows in pieces."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor
        described = cursor.description or []
        self.columns: list[str] = [column[0] for column in described]
        self.types: list[Any] = [column[1] for column in described]

    def pieces(self) -> Iterator[list[tuple[Any, ...]]]:
        """Yield rows: few at first, then some thousands at a time unless they are long."""
        at_once = 1
        while rows := self._cursor.fetchmany(at_once):
            yield rows
            characters = sum(len(value) for value in rows[-1] if value.__class__ is str)
            at_once = max(
                1, min(4 * at_once, _ROWS_AT_ONCE, _CHARACTERS_AT_ONCE // (characters + 1))
            )


def check_select(query: str, name: str) -> None:
    """Raise a `TableError` unless a text is one SELECT."""
    try:
        statements: Sequence[duckdb.Statement] = duckdb.extract_statements(query)
    except duckdb.Error as error:
        raise _wrong(name, error) from None
    if len(statements) != 1 or statements[0].type != _SELECT:
        found = f"{len(statements)} statements" if len(statements) != 1 else "another statement"
        raise refused("no-select", name, found)


def _wrong(name: str, error: duckdb.Error) -> TableError:
    if isinstance(error, duckdb.OutOfMemoryException):
        return refused("large-query", name)
    first, _, rest = str(error).partition("\n")
    marked = [line for line in rest.splitlines() if line.strip()]
    place = f" Near: {shorten(marked[-2].strip(), 120)}" if len(marked) > 1 else ""
    found = shorten(first.partition(": ")[2] or first, 300)
    return refused("query", name, found, place=place)
