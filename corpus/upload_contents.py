"""What lies in an upload, and which mappings come with it, for the mapping page."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from corpus.imports.declarations import check_declarations, declared_mappings
from corpus.imports.options import ImportOptions
from corpus.imports.recognise import mappings_for
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.readers import Dialect
from corpus.tabular.sources import Layout


@dataclass(frozen=True)
class Contents:
    """The files of an upload.

    Attributes
    ----------
    tables
        Files that hold tables, or would if they could be read.
    mappings
        File name to mappings that somebody has written: an earlier attempt, or ``study.json``.
    lines
        Aligned files of one text per line, with how each is read.
    others
        Name of each other file, and why it is left out.
    declared
        What ``study.json`` says.
    """

    tables: list[SourceFile]
    mappings: dict[str, list[Mapping]]
    lines: list[tuple[SourceFile, Mapping]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    declared: dict[str, Any] = field(default_factory=dict)


def contents(
    reading: ConfinedReading, path: Path, workdir: Path, options: ImportOptions
) -> Contents:
    """Look at an upload.

    Parameters
    ----------
    reading
        By which files are opened.
    path
        The folder, archive or file.
    workdir
        An empty folder for what must be unpacked.
    options
        Layout and encoding; mappings of an earlier attempt.

    Raises
    ------
    TableError
        If an archive, a bundle or ``study.json`` is wrong, or files of lines do not fit together.
    """
    found = reading.discover(path, workdir, layout=cast(Layout, options.layout))
    declared = found.study_json or {}
    check_declarations(declared)
    written = declared_mappings(declared)
    tables = [source for source in found.files if source.format != "lines"]
    lines: list[tuple[SourceFile, Mapping]] = []
    if len(tables) < len(found.files):
        dialect = Dialect(options.encoding or None)
        lines = reading.plan_lines(found.files, source=options.source_file or None, dialect=dialect)
    return Contents(
        tables,
        {
            source.name: known
            for source in tables
            if (known := mappings_for(source.name, options.mappings, written)) is not None
        },
        lines,
        list(found.unrecognised),
        declared,
    )
