"""JSON objects and Parquet as tables: every value a text, deeper ones in structures and lists."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb

from corpus.storage.storable import HALF, strings, unstorable_in
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import SourceFile, check_columns, check_expansion
from corpus.tabular.opening.json_records import Placed, Record
from corpus.tabular.problems import (
    Problem,
    ProblemLog,
    TableError,
    refused,
    shorten,
    unstorable_text,
)
from corpus.tabular.sql import ROW, literal, quoted, table_name

MOST_FIELDS = 1000


def load_objects(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    records: Iterable[Placed],
    copy: Path,
    limits: Limits,
    log: ProblemLog,
) -> array[int]:
    """Make a table of objects: a column for each key, deeper values as structures and lists.

    Returns
    -------
    array
        The line of each record.
    """
    lines, longest = array("q"), 0
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    with copy.open("wb") as stream:
        for line, record in records:
            data = encode(record).encode("utf-8", "surrogatepass") + b"\n"
            if fault := _fault(record, data, limits):
                log.add(Problem(name, line, None, *fault))
                continue
            lines.append(line)
            longest = max(longest, len(data))
            stream.write(data)
    log.raise_if_any()
    read = f"read_ndjson_objects({literal(str(copy))}, maximum_object_size = {longest + 1024})"
    (found,) = connection.execute(f"SELECT json_group_structure(json) FROM {read}").fetchone() or ()
    kinds = json.loads(found or "{}")
    if not isinstance(kinds, dict) or not kinds:
        raise refused("no-objects", name)
    check_columns(name, list(kinds), limits)
    types = json.dumps({key: _typed(kind) for key, kind in kinds.items()})
    connection.execute(
        f"CREATE OR REPLACE TABLE {table_name(name)} AS SELECT row_number() OVER () AS {ROW}, "
        f"unnest(json_transform(json, {literal(types)})) FROM {read}"
    )
    return lines


def _fault(record: Record, data: bytes, limits: Limits) -> tuple[str, str, str, str] | None:
    """Return what is wrong with an object, what is expected, what to do, and a code."""
    advice, again = "Shorten the text, or leave it out.", "Remove it, or export the file again."
    if len(data) > limits.record_characters:
        expected = f"at most {limits.record_characters}"
        return f"a record of {len(data)} bytes", expected, advice, "field-size"
    # Halves of surrogate pairs begin with one of these bytes, as few other characters do.
    if (b"\\u0000" in data or b"\xed" in data) and (fault := unstorable_in(record)):
        return fault, "text", again, "encoding" if fault == HALF else "nul"
    longest = limits.field_characters
    if len(data) > longest and any(len(text) > longest for _, text in strings(record)):
        found = f"a text of more than {longest} characters"
        return found, f"at most {longest}", advice, "field-size"
    return None


def _typed(kind: Any) -> Any:
    """Return the type of a value with all leaves as texts, as `json_transform` takes it.

    What has a great many keys, or two that differ by case alone, is a map.
    """
    if isinstance(kind, list):
        return [_typed(kind[0])]
    if not isinstance(kind, dict) or not kind:
        return "VARCHAR"
    if len(kind) > MOST_FIELDS or len({key.casefold() for key in kind}) < len(kind) or "" in kind:
        is_flat = all(isinstance(each, str) for each in kind.values())
        return "MAP(VARCHAR, VARCHAR)" if is_flat else "JSON"
    return {key: _typed(inner) for key, inner in kind.items()}


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
        found = shorten(str(error).partition("\n")[0].replace(str(source.path), source.name))
        raise refused("damaged-parquet", source.name, found) from None


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
