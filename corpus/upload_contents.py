"""What lies in an upload, and which mappings come with it, for the mapping page."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpus.formats.reading import NamedFormat
from corpus.imports.declarations import check_declarations, declared_mappings
from corpus.imports.options import ImportOptions
from corpus.imports.recognise import lines_of, look, mappings_for
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping


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
    read_as
        The named format, if the files are read as one.
    """

    tables: list[SourceFile]
    mappings: dict[str, list[Mapping]]
    lines: list[tuple[SourceFile, Mapping]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    declared: dict[str, Any] = field(default_factory=dict)
    read_as: NamedFormat | None = None


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
    offered = look(reading, path, workdir, options)
    found = offered.files
    declared = found.study_json or {}
    check_declarations(declared)
    written = declared_mappings(declared)
    tables = [source for source in found.files if source.format != "lines"]
    return Contents(
        tables,
        {
            source.name: known
            for source in tables
            if (known := mappings_for(source.name, options.mappings, written, offered.mappings))
            is not None
        },
        lines_of(reading, offered, options),
        list(found.unrecognised),
        declared,
        offered.format,
    )
