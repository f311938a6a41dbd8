"""A study in a named format, as one zip."""

import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings

from corpus.exports.bundle import StudyChanging, study_json
from corpus.formats.catalogue import format_named, formats
from corpus.models import Study
from corpus.progress import ProgressCallback, unreported
from corpus.tables.register import ExportedTable, handlers
from corpus.tabular.shaping.mapping import columns_in

if TYPE_CHECKING:
    from corpus.formats.format import WritableFormat, WrittenTable

ATTEMPTS = 3


@dataclass(frozen=True)
class Written:
    """What was written, and what the format could not hold."""

    files: int
    notes: list[str]


def writable_formats() -> "dict[str, WritableFormat]":
    """Return the formats that a study can be written in, by their names."""
    from corpus.formats.format import WritableFormat  # Not needed by a start.

    return {name: f for name, f in formats().items() if isinstance(f, WritableFormat)}


def write_named(
    study: Study,
    name: str,
    path: Path,
    report: ProgressCallback = unreported,
    *,
    chosen: str = "",
) -> Written:
    """Write a study in a named format to a zip.

    Parameters
    ----------
    chosen
        What the study is called among several of the format, such as a language pair.

    Raises
    ------
    LookupError
        If no study can be written in a format of that name.
    CannotWriteError
        If the format cannot hold this study.
    StudyChanging
        If something was published into the study during each of several attempts.
    """
    from corpus.formats.format import CannotWriteError, WritableFormat

    kind = format_named(name)
    if not isinstance(kind, WritableFormat):
        known = ", ".join(writable_formats())
        raise LookupError(f"no study can be written as {name}; formats for that: {known}")
    if chosen and not kind.part:
        raise CannotWriteError(f"{kind.title} has no several studies to choose {chosen!r} from.")
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    for _ in range(ATTEMPTS):
        with tempfile.TemporaryDirectory(prefix="export-", dir=parent) as folder:
            revision = _revision(study)
            tables, facts = _tables(study)
            report(f"writing {kind.title}", 0, 0)
            notes = kind.write(tables, facts, Path(folder), chosen)
            if revision == _revision(study):
                return Written(_zip(Path(folder), path), notes)
    raise StudyChanging(f"study {study.slug} changed while it was exported; try again later")


def _revision(study: Study) -> int:
    study.refresh_from_db()
    return study.revision


def _tables(study: Study) -> "tuple[dict[str, WrittenTable], dict[str, Any]]":
    """Return the tables of a study by name, each to be read once, and what is said of it."""
    declared: dict[str, Any] = {}
    tables: dict[str, WrittenTable] = {}
    for handler in handlers():
        declared |= handler.declare(study)
        for table in handler.export(study):
            tables.setdefault(str(table.mapping["table"]), _written(table))
    return tables, study_json(study, declared, "")


def _written(table: ExportedTable) -> "WrittenTable":
    from corpus.formats.format import WrittenTable

    places = {name: place for place, name in enumerate(table.columns)}
    given: Mapping[str, Any] = table.mapping["columns"]
    columns = {field: [places[name] for name in columns_in(made)] for field, made in given.items()}
    attributes = {name: places[name] for name in table.mapping.get("attributes", ())}
    return WrittenTable(columns, attributes, table.rows)


def _zip(folder: Path, path: Path) -> int:
    """Pack a folder; return how many files there are."""
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for file in files:
            archive.write(file, file.relative_to(folder).as_posix())
    return len(files)
