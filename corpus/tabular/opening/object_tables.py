"""Objects of JSON as a table: every value a text, deeper ones in structures and lists."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import duckdb

from corpus.storage.storable import HALF, strings, unstorable_in
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import check_columns
from corpus.tabular.opening.json_records import Placed
from corpus.tabular.opening.json_tables import Record
from corpus.tabular.problems import Problem, ProblemLog, refused
from corpus.tabular.sql import ROW, literal, table_name

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
        advice = "Leave the file out if the study has no such table."
        raise refused(name, "no records", "objects", advice, "empty-file")
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
