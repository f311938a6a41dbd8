"""The study bundle: a zip whose bytes depend on the study's content alone.

Members are the study's tables as CSV, `study.json` (what an import needs to read them exactly)
and `manifest.json` (columns, rows and SHA-256 of every member). Names are sorted, times fixed.
"""

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from corpus.imports.declarations import STORED
from corpus.models import Study
from corpus.progress import ProgressCallback, unreported
from corpus.tables.register import ExportedTable, handler_for, handlers
from corpus.tabular.opening.bundles import FOR_SPREADSHEETS, FORMAT
from corpus.tabular.opening.files import Dialect
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.query import QueryWriter
from corpus.tabular.shaping.query_files import with_dialect, written
from corpus.tabular.spreadsheets import spreadsheet_safe

EPOCH = (1980, 1, 1, 0, 0, 0)
ATTEMPTS = 3
_MEGABYTE = 1 << 20
_WRITTEN = Dialect(delimiter=",", header=True, comment="")


class StudyChanging(Exception):
    """A study changed each time that its tables were being read."""


def write_bundle(
    study: Study,
    path: Path,
    *,
    for_spreadsheets: bool = False,
    report: ProgressCallback = unreported,
) -> dict[str, Any]:
    """Write a study to a zip and return its manifest.

    Parameters
    ----------
    for_spreadsheets
        Protect texts that a spreadsheet would take for formulas (`=`, `+`, `-`, `@` first) with
        an apostrophe and begin files with a byte-order mark. Such a zip is for people: it is
        marked and an import refuses it, because its texts are not the stored ones.
    report
        Called with the member being written and its rows so far.

    Raises
    ------
    StudyChanging
        If something was published into the study during each of several attempts.
    """
    for _ in range(ATTEMPTS):
        revision = _revision(study)
        manifest = _written(study, path, for_spreadsheets, report)
        if revision == _revision(study):
            return manifest
    raise StudyChanging(f"study {study.slug} changed while it was exported; try again later")


def _revision(study: Study) -> int:
    study.refresh_from_db()
    return study.revision


def _written(
    study: Study, path: Path, for_spreadsheets: bool, report: ProgressCallback
) -> dict[str, Any]:
    described: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    queries: list[tuple[str, str]] = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for handler in handlers():
            declared |= handler.declare(study)
            for table in handler.export(study):
                described[table.file_name] = _write_table(archive, table, for_spreadsheets, report)
                name, query = table_query(table, table.file_name)
                queries.append((name, with_dialect(query, table.file_name, _WRITTEN)))
        if not for_spreadsheets:
            content = _json(study_json(study, declared, written(queries)))
            described["study.json"] = _write_bytes(archive, "study.json", content)
        manifest = {
            "format": FORMAT if not for_spreadsheets else FOR_SPREADSHEETS,
            "study": study.slug,
            "members": dict(sorted(described.items())),
        }
        _write_bytes(archive, "manifest.json", _json(manifest))
    return manifest


def study_json(study: Study, declared: dict[str, Any], query: str) -> dict[str, Any]:
    """Return what an archive says of a study, with what its tables declare."""
    own = {
        "format": FORMAT,
        "slug": study.slug,
        "title": study.title,
        "description": study.description,
        "language": study.language,
        "simulated": study.simulated,
        "provenance": study.provenance,
        "query": query,
        **({"without_texts": True} if study.without_texts else {}),
    }
    result = own | {name: study.declarations.get(name, {}) for name in STORED}
    for name, facts in declared.items():
        result[name] = _together(study.declarations.get(name, {}), facts)
    return result


def table_query(table: ExportedTable, file_name: str) -> tuple[str, str]:
    """Return the table that a file is, and the SELECT that reads it."""
    from duckdb.sqltypes import VARCHAR  # No page waits for it.

    mapping = Mapping.from_dict(dict(table.mapping))
    columns = dict.fromkeys(table.columns, VARCHAR)
    spec = handler_for(mapping.table).spec
    return mapping.table, QueryWriter(mapping, spec, file_name, columns).select()


def _together(stored: dict[str, Any], shown: dict[str, Any]) -> dict[str, Any]:
    """Return facts by name, those of stored tables over those declared before they came."""
    return stored | {name: stored.get(name, {}) | facts for name, facts in shown.items()}


def _write_table(
    archive: zipfile.ZipFile, table: ExportedTable, for_spreadsheets: bool, report: ProgressCallback
) -> dict[str, Any]:
    digest = hashlib.sha256()
    rows = 0
    with archive.open(_member(table.file_name), "w", force_zip64=True) as member:
        for chunk, rows in csv_chunks(table.columns, table.rows, for_spreadsheets):
            digest.update(chunk)
            member.write(chunk)
            report(table.file_name, rows, 0)
    return {"sha256": digest.hexdigest(), "rows": rows, "columns": list(table.columns)}


def csv_chunks(
    columns: Sequence[str], rows: Any, for_spreadsheets: bool
) -> Iterator[tuple[bytes, int]]:
    """Yield a CSV in pieces of about a megabyte, each with the number of rows so far."""
    buffer = io.StringIO()
    if for_spreadsheets:
        buffer.write("\N{BYTE ORDER MARK}")
    # With this line end, which RFC 4180 asks for, the writer quotes every \r and \n in a text.
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(map(spreadsheet_safe, columns) if for_spreadsheets else columns)
    count = 0
    for row in rows:
        if for_spreadsheets:
            row = map(spreadsheet_safe, row)
        writer.writerow(row)
        count += 1
        if buffer.tell() > _MEGABYTE:
            yield buffer.getvalue().encode(), count
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode(), count


def _write_bytes(archive: zipfile.ZipFile, name: str, content: bytes) -> dict[str, Any]:
    archive.writestr(_member(name), content)
    return {"sha256": hashlib.sha256(content).hexdigest()}


def _member(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info


def _json(content: Any) -> bytes:
    return (json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()
