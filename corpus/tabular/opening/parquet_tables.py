"""Parquet as a table: every value as its text, deeper ones in structures and lists."""

from __future__ import annotations

from typing import Any

import duckdb

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile, check_expansion
from corpus.tabular.problems import TableError, refused, shorten, unstorable_text
from corpus.tabular.sql import ROW, literal, quoted, table_name

_TEXTS, _DEEP = ("VARCHAR", "BLOB"), ("list", "array", "struct", "map")


def load_parquet(connection: duckdb.DuckDBPyConnection, source: SourceFile, limits: Limits) -> bool:
    """Make a table of a Parquet file; return whether it is of the first rows alone.

    Raises
    ------
    TableError
        If it is damaged or holds too much.
    """
    place = literal(str(source.path))
    read = f"read_parquet({place})"
    try:
        size = f"SELECT sum(total_uncompressed_size) FROM parquet_metadata({place})"
        (unpacked,) = connection.execute(size).fetchone() or (0,)
        check_expansion(source.name, int(unpacked or 0), source.path.stat().st_size, limits)
        columns = connection.execute(f"SELECT * FROM {read} LIMIT 0").description or []
        texts = {name: _as_text(name, kind) for name, kind, *_ in columns}
        flat = {name: limits.field_characters for name, kind, *_ in columns if str(kind) in _TEXTS}
        deep = {name: limits.record_characters for name, kind, *_ in columns if kind.id in _DEEP}
        _check_lengths(connection, source, read, texts, flat | deep, limits)
        limited = "" if limits.table_rows is None else f"LIMIT {limits.table_rows}"
        selected = ", ".join(f"{text} AS {quoted(name)}" for name, text in texts.items())
        connection.execute(
            f"CREATE OR REPLACE TABLE {table_name(source.name)} AS "
            f"SELECT row_number() OVER () AS {ROW}, {selected} FROM {read} {limited}"
        )
        rows = connection.execute(f"SELECT count(*) FROM {table_name(source.name)}").fetchone()
        return rows == (limits.table_rows,)
    except duckdb.OutOfMemoryException:
        raise
    except (duckdb.Error, RuntimeError, UnicodeError) as error:
        advice = "The file is damaged: copy or write it again."
        found = shorten(str(error).partition("\n")[0].replace(str(source.path), source.name))
        raise refused(source.name, found, "Parquet", advice, "damaged") from None


def _check_lengths(
    connection: duckdb.DuckDBPyConnection,
    source: SourceFile,
    read: str,
    texts: dict[str, str],
    longest: dict[str, int],
    limits: Limits,
) -> None:
    """Raise a `TableError` for a text that is too long, or texts that a small file repeats."""
    if not longest:
        return
    whole = {name: f"CAST({texts[name]} AS VARCHAR)" for name in longest}
    sizes = ", ".join(f"sum(strlen({text})), max(length({text}))" for text in whole.values())
    found = connection.execute(f"SELECT {sizes} FROM {read}").fetchone() or ()
    unpacked = sum(int(size or 0) for size in found[::2])
    check_expansion(source.name, unpacked, source.path.stat().st_size, limits)
    for (name, limit), most in zip(longest.items(), found[1::2], strict=True):
        if (most or 0) > limit:
            rows = f"SELECT row_number() OVER () AS number, {whole[name]} AS text FROM {read}"
            first = f"SELECT number, text FROM ({rows}) WHERE length(text) > {limit} LIMIT 1"
            line, text = connection.execute(first).fetchone() or (1, "")
            raise TableError(unstorable_text(source.name, text, limit, line=line, column=name))


def _as_text(name: str, kind: Any) -> str:
    """Return a column as its texts."""
    column = f"decode({quoted(name)})" if str(kind) == "BLOB" else quoted(name)
    return f"CAST({column} AS {_texts_of(kind)})"


def _texts_of(kind: Any) -> str:
    """Return a type with the same structure whose leaves are texts."""
    if kind.id == "list" or kind.id == "array":
        return f"{_texts_of(dict(kind.children)['child'])}[]"
    if kind.id == "struct":
        inner = ", ".join(f"{quoted(name)} {_texts_of(each)}" for name, each in kind.children)
        return f"STRUCT({inner})"
    if kind.id == "map":
        children = dict(kind.children)
        return f"MAP(VARCHAR, {_texts_of(children['value'])})"
    return "VARCHAR"
