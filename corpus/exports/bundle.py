"""The study bundle: a zip whose bytes depend on the study's content alone.

Members are the study's tables as CSV, `study.json` (what an import needs to read them exactly)
and `manifest.json` (columns, rows and SHA-256 of every member). Names are sorted, times fixed.
"""

import csv
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from corpus.models import Study
from corpus.tables import ExportedTable, handlers
from corpus.tabular.spreadsheets import spreadsheet_safe

FORMAT = "touchstone-study/1"
EPOCH = (1980, 1, 1, 0, 0, 0)
_MEGABYTE = 1 << 20

Report = Callable[[str, int], None]


def write_bundle(
    study: Study, path: Path, *, for_spreadsheets: bool = False, report: Report = lambda *_: None
) -> dict[str, Any]:
    """Write a study to a zip and return its manifest.

    Parameters
    ----------
    for_spreadsheets
        Protect texts that a spreadsheet would take for formulas (`=`, `+`, `-`, `@` first) with
        an apostrophe and begin files with a byte-order mark. Such a zip is for people: it is
        marked and an import refuses it, because its texts are not the stored ones.
    report
        Told the member being written and its rows so far.
    """
    described: dict[str, Any] = {}
    declared: dict[str, Any] = {}
    mappings: dict[str, Any] = {}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for handler in handlers():
            declared |= handler.declare(study)
            for table in handler.export(study):
                described[table.file_name] = _write_table(archive, table, for_spreadsheets, report)
                mappings[table.file_name] = [dict(table.mapping)]
        if not for_spreadsheets:
            content = _json(_study_json(study, declared, mappings))
            described["study.json"] = _write_bytes(archive, "study.json", content)
        manifest = {
            "format": FORMAT if not for_spreadsheets else "for spreadsheets, not for import",
            "study": study.slug,
            "members": dict(sorted(described.items())),
        }
        _write_bytes(archive, "manifest.json", _json(manifest))
    return manifest


def _study_json(study: Study, declared: dict[str, Any], mappings: dict[str, Any]) -> dict[str, Any]:
    own = {
        "format": FORMAT,
        "slug": study.slug,
        "title": study.title,
        "description": study.description,
        "language": study.language,
        "simulated": study.simulated,
        "scales": study.declarations.get("scales", {}),
        "provenance": study.provenance,
        "mappings": mappings,
    }
    return own | declared


def _write_table(
    archive: zipfile.ZipFile, table: ExportedTable, for_spreadsheets: bool, report: Report
) -> dict[str, Any]:
    digest = hashlib.sha256()
    rows = 0
    with archive.open(_member(table.file_name), "w", force_zip64=True) as member:
        for chunk, rows in csv_chunks(table.columns, table.rows, for_spreadsheets):
            digest.update(chunk)
            member.write(chunk)
            report(table.file_name, rows)
    return {"sha256": digest.hexdigest(), "rows": rows, "columns": list(table.columns)}


def csv_chunks(
    columns: Sequence[str], rows: Any, for_spreadsheets: bool
) -> Iterator[tuple[bytes, int]]:
    """Yield a CSV in pieces of about a megabyte, each with the number of rows so far."""
    buffer = io.StringIO()
    if for_spreadsheets:
        buffer.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    count = 0
    for row in rows:
        if for_spreadsheets:
            row = [spreadsheet_safe(value) if isinstance(value, str) else value for value in row]
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
