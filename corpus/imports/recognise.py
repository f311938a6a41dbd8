"""Which files an import holds, and which tables are in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from corpus.formats.reading import Found, NamedFormat, check_choice
from corpus.imports.declarations import check_declarations, declared_mappings
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.suggestions import suggested_by_content
from corpus.tables import handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.files import SourceFile
from corpus.tabular.found_dialect import known_names
from corpus.tabular.guessing import guess
from corpus.tabular.mapping import Mapping
from corpus.tabular.readers import Dialect
from corpus.tabular.reading import Preview
from corpus.tabular.sources import Layout


@dataclass
class RecognisedFile:
    """A file, how it is read, and its first rows where somebody wants to see them."""

    source: SourceFile
    mappings: list[Mapping]
    reason: str = ""
    preview: Preview | None = None
    complete: bool = True
    unused: tuple[str, ...] = ()
    """Columns that no guessed mapping reads."""
    suggested: list[Mapping] = field(default_factory=list)


@dataclass
class Recognised:
    """What an import found."""

    files: list[RecognisedFile]
    options: ImportOptions
    study_json: dict[str, Any] = field(default_factory=dict)
    unrecognised: list[tuple[str, str]] = field(default_factory=list)
    unknown_declarations: list[str] = field(default_factory=list)
    read_as: NamedFormat | None = None
    suggested: dict[str, list[Mapping]] = field(default_factory=dict)
    """Of files told from their contents alone, which somebody has to confirm."""

    def proposed_mappings(self) -> dict[str, Any]:
        """Return what the result of an import says of files that somebody has to confirm."""
        plain = {name: [m.to_dict() for m in found] for name, found in self.suggested.items()}
        return {"proposed_mappings": plain} if plain else {}

    def readable(self) -> Iterator[tuple[RecognisedFile, Mapping]]:
        """Every file with every mapping that reads it."""
        for file in self.files:
            for mapping in file.mappings:
                yield file, mapping


def recognise(
    reading: ConfinedReading, path: Path, workdir: Path, options: ImportOptions
) -> Recognised:
    """Find the tables of a folder, an archive or a single file.

    Mappings come from the options, else from the study's own `study.json`, else they are guessed
    from the columns; a file that fits no table is listed with the reason and left alone.

    Raises
    ------
    TableError
        If the path or an archive cannot be read at all, a bundle is not as it was written, or
        `study.json` is wrong.
    OptionsError
        If a mapping names a file or a table that there is not.
    """
    offered = look(reading, path, workdir, options)
    found = offered.files
    if offered.format:
        check_choice(offered.format)
    declared = found.study_json or {}
    unknown = check_declarations(declared)
    if not options.system_pattern and declared.get("system_pattern"):
        options = replace(options, system_pattern=declared["system_pattern"])
    if declared.get("without_texts"):
        options = replace(options, without_texts=True)
    own = declared_mappings(declared)
    result = Recognised([], options, declared, list(found.unrecognised), unknown, offered.format)
    for source, mapping in lines_of(reading, offered, options):
        result.files.append(RecognisedFile(source, [mapping]))
    tables = [source for source in found.files if source.format != "lines"]
    _check_mappings(options.mappings, tables)
    for source in tables:
        mappings = mappings_for(source.name, options.mappings, own, offered.mappings)
        if mappings is not None:
            file = RecognisedFile(source, [_encoded(m, options) for m in mappings])
            file.reason = "" if mappings else "left out, as its mapping says"
            file.complete = bool(mappings)
        else:
            file = guessed(reading, source, options)
        if file.complete:
            result.files.append(file)
        else:
            result.unrecognised.append((source.name, file.reason))
            if file.suggested:
                result.suggested[source.name] = file.suggested
    return result


def look(reading: ConfinedReading, path: Path, workdir: Path, options: ImportOptions) -> Found:
    """Find the files, as the options want them looked at."""
    return reading.discover_as(
        path,
        workdir,
        layout=cast(Layout, options.layout),
        format_name=options.format,
        select=options.select,
    )


def _check_mappings(chosen: dict[str, list[Mapping]], files: list[SourceFile]) -> None:
    """Refuse mappings of files that are not here, and of tables that there are not."""
    names = {source.name for source in files}
    names |= {name.rsplit("/", 1)[-1] for name in names}
    known = [handler.spec.name for handler in handlers()]
    for name, mappings in chosen.items():
        if name not in names:
            raise OptionsError(
                f"mappings of {name}: there is no such file; files: {', '.join(sorted(names))}"
            )
        for mapping in mappings:
            if mapping.table not in known:
                raise OptionsError(f"mappings of {name}: {_unknown_table(mapping.table, known)}")


def _unknown_table(name: str, known: list[str]) -> str:
    return f"no table {name!r}; known tables: {', '.join(known)}"


def _encoded(mapping: Mapping, options: ImportOptions) -> Mapping:
    """Give a mapping the encoding of the whole import if it has none of its own."""
    return replace(mapping, encoding=mapping.encoding or options.encoding or None)


def guessed(reading: ConfinedReading, source: SourceFile, options: ImportOptions) -> RecognisedFile:
    """Guess a file's tables from its columns and first rows."""
    specs = [handler.spec for handler in handlers()]
    dialect = Dialect(options.encoding or None)
    shown = reading.preview(source, dialect=dialect, names=known_names(specs))
    found = guess(shown.columns, shown.rows, specs, file_name=source.name)
    mappings = [proposal.mapping.written(shown.dialect) for proposal in found.proposals]
    lacking = [
        f"{proposal.mapping.table} lacks {', '.join(proposal.missing)}"
        for proposal in found.proposals
        if proposal.missing
    ]
    reason = "; ".join(lacking) or found.reason
    if shown.dialect.header is False:
        reason += "; its first line looks like data, not like names of columns"
    suggested = suggested_by_content(reading, source, shown.dialect, specs, found)
    if suggested:
        tables = " and ".join(mapping.table for mapping in suggested)
        reason += f"; its columns look like {tables}: confirm the proposed mapping"
    return RecognisedFile(
        source, mappings, reason, shown, found.is_complete, found.unused, suggested
    )


def lines_of(
    reading: ConfinedReading, offered: Found, options: ImportOptions
) -> list[tuple[SourceFile, Mapping]]:
    """Say how files of one text per line are read; their directions come from the options."""
    lines = [source for source in offered.files.files if source.format == "lines"]
    if not lines:
        return []
    if offered.format:
        return [(source, each) for source in lines for each in offered.mappings[source.name]]
    planned = reading.plan_lines(
        lines, source=options.source_file or None, dialect=Dialect(options.encoding or None)
    )
    styles = {
        name: style
        for name, style in (
            ("source_style", options.source_style),
            ("target_style", options.target_style),
        )
        if style
    }
    return [
        (
            source,
            replace(mapping, constants={**mapping.constants, **styles})
            if mapping.table == "segments"
            else mapping,
        )
        for source, mapping in planned
    ]


def mappings_for(name: str, *written: dict[str, list[Mapping]]) -> list[Mapping] | None:
    """Find a file's mappings by its path or by its name alone, in the first that has any."""
    for mappings in written:
        for key in (name, name.rsplit("/", 1)[-1]):
            if key in mappings:
                return mappings[key]
    return None
