"""Objects of JSON as a table: every value a text, deeper ones in structures and lists."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb

from corpus.storable import HALF, strings, unstorable_in
from corpus.tabular.database import ROW, literal, table_name
from corpus.tabular.files import check_columns
from corpus.tabular.json_records import Placed
from corpus.tabular.json_tables import Record, structure
from corpus.tabular.limits import Limits
from corpus.tabular.problems import Problem, ProblemLog, TableError


class _Objects:
    """Objects on their way into a file that DuckDB reads, checked."""

    def __init__(self, name: str, limits: Limits, log: ProblemLog) -> None:
        self.longest = 0
        self.lines = array("q")
        self._name = name
        self._log = log
        self._limits = limits

    def written(self, records: Iterable[Placed], copy: Path) -> Iterator[Record]:
        """Yield what is written of each object."""
        encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
        with copy.open("wb") as stream:
            for line, record in records:
                try:
                    data = encode(record).encode() + b"\n"
                except UnicodeEncodeError:
                    self._refuse(line, HALF, "text", "Export the file again as UTF-8.", "encoding")
                    continue
                if self._is_sound(line, record, data):
                    self.lines.append(line)
                    self.longest = max(self.longest, len(data))
                    stream.write(data)
                    yield record

    def _is_sound(self, line: int, record: Record, data: bytes) -> bool:
        limits, advice = self._limits, "Shorten the text, or leave it out."
        if len(data) > limits.record_characters:
            found, expected = f"a record of {len(data)} bytes", f"{limits.record_characters}"
            self._refuse(line, found, f"at most {expected}", advice, "field-size")
            return False
        if b"\\u0000" in data and (fault := unstorable_in(record)):
            self._refuse(line, fault, "text", "Remove it, or export the file again.", "nul")
            return False
        longest = limits.field_characters
        if len(data) > longest and any(len(text) > longest for _, text in strings(record)):
            found, expected = f"a text of more than {longest} characters", f"at most {longest}"
            self._refuse(line, found, expected, advice, "field-size")
            return False
        return True

    def _refuse(self, line: int, found: str, expected: str, advice: str, code: str) -> None:
        name = self._name
        self._log.add(Problem(name, line, None, None, found, expected, advice, code))


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
    objects = _Objects(name, limits, log)
    kinds = structure(objects.written(records, copy))
    log.raise_if_any()
    if not kinds:
        advice = "Leave the file out if the study has no such table."
        raise TableError(
            Problem(name, None, None, None, "no records", "objects", advice, "empty-file")
        )
    check_columns(name, list(kinds), limits)
    typed = f"json_transform(json, {literal(json.dumps(kinds))})"
    connection.execute(
        f"CREATE OR REPLACE TABLE {table_name(name)} AS "
        f"SELECT row_number() OVER () AS {ROW}, unnest({typed}) "
        f"FROM read_ndjson_objects({literal(str(copy))}, "
        f"maximum_object_size = {objects.longest + 1024})"
    )
    return objects.lines
