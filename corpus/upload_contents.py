"""What lies in an upload, and which mappings come with it, for the mapping page."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from corpus.imports.declarations import FILE, check_declarations
from corpus.imports.options import ImportOptions
from corpus.tables import handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, TableError
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
    written = ImportOptions.from_dict({"mappings": declared.get("mappings")}).mappings
    _check_tables(written)
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
            if (known := _named(options.mappings, written, source.name)) is not None
        },
        lines,
        list(found.unrecognised),
        declared,
    )


def _named(
    chosen: dict[str, list[Mapping]], written: dict[str, list[Mapping]], name: str
) -> list[Mapping] | None:
    """Find a file's mappings by its path or by its name alone, those chosen here first."""
    last = name.rsplit("/", 1)[-1]
    for mappings in (chosen, written):
        for key in (name, last):
            if key in mappings:
                return mappings[key]
    return None


def _check_tables(written: dict[str, list[Mapping]]) -> None:
    known = [handler.spec.name for handler in handlers()]
    problems = [
        Problem(
            FILE,
            column=f"mappings.{name}",
            found=mapping.table,
            expected=f"one of {', '.join(known)}",
            message="Correct the name of the table.",
            code="declaration",
        )
        for name, mappings in written.items()
        for mapping in mappings
        if mapping.table not in known
    ]
    if problems:
        raise TableError(*problems)
