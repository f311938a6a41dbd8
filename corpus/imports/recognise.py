"""Which files an import holds, and which tables are in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from corpus.formats.catalogue import Found, NamedFormat, check_choice
from corpus.imports.declarations import check_declarations, declared_queries
from corpus.imports.options import ImportOptions, OptionsError
from corpus.imports.uploads import import_limits, work_folder
from corpus.tables.register import handlers
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.opening.files import Dialect, SourceFile
from corpus.tabular.opening.sources import Layout, Wanted
from corpus.tabular.questions.question import AnswerError, Question, ask
from corpus.tabular.shaping.mapping import Mapping, constant
from corpus.tabular.shaping.query_files import by_file, files_in

ROWS_LOOKED_AT = 300
YES = "yes"


@dataclass
class RecognisedFile:
    """A file, and how it is read."""

    source: SourceFile
    mappings: list[Mapping]
    reason: str = ""
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
    answered: list[tuple[Question, str]] = field(default_factory=list)
    open: list[Question] = field(default_factory=list)
    """Questions about such files: those answered, and those left."""

    def confirm(self, file: RecognisedFile, *, has_segments: bool) -> None:
        """Read a file as its contents suggest if that was answered; else ask."""
        file.complete = self.answer(_read_as(file, has_segments=has_segments)) == YES
        if file.complete:
            file.mappings, file.reason = file.suggested, ""

    def answer(self, question: Question) -> str:
        """Return the answer to a question, as the options give it; empty if they do not."""
        preset = question.preset if self.options.accept else ""
        value = self.options.answers.get(question.name) or preset
        try:
            self.answered += [(question, question.answer(value).value)] if value else []
        except AnswerError as error:
            raise OptionsError(str(error)) from None
        self.open += [] if value else [question]
        return value

    def readable(self) -> Iterator[tuple[RecognisedFile, Mapping]]:
        """Every file with every mapping that reads it."""
        for file in self.files:
            for mapping in file.mappings:
                yield file, mapping


def _read_as(file: RecognisedFile, *, has_segments: bool) -> Question:
    """Return the question whether a file is read as its contents suggest.

    Further segments are not likely where another file has them: keys and texts may be of anything.
    """
    answers = [(YES, "Read it like this"), ("leave-out", "Leave the file out")]
    if has_segments and {mapping.table for mapping in file.suggested} == {"segments"}:
        answers.reverse()
    tables = " and ".join(dict.fromkeys(m.table.replace("_", " ") for m in file.suggested))
    return ask(
        f"read-as::{file.source.name}",
        f"{file.source.name} was recognised only by what its columns hold: {tables}. Is it read "
        "rightly so?",
        [_described(mapping) for mapping in file.suggested],
        *answers,
    )


def _described(mapping: Mapping) -> str:
    """Say which columns become which fields."""
    given, wide = dict(mapping.columns), mapping.wide
    if wide is not None:
        what = wide.pattern if wide.parts.literals[0] else ", ".join(wide.columns)
        given[wide.value] = f"{len(wide.columns)} columns: {what}"
    return f"{mapping.table}: " + "; ".join(f"{name} ← {value}" for name, value in given.items())


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
    lines = [RecognisedFile(s, [m]) for s, m in table_lines(offered, options)]
    result = Recognised(lines, options, declared, list(found.unrecognised), unknown, offered.format)
    tables = [source for source in found.files if source.format != "lines"]
    _check_mappings(options.mappings, tables)
    if queries := _queries(options, declared, {source.name for source in tables}):
        result.files += [RecognisedFile(s, queries[s.name]) for s in tables if s.name in queries]
        named = {name for each in queries.values() for m in each for name in files_in(m.query)}
        unread = [source.name for source in tables if source.name not in named]
        result.unrecognised += [(name, "left out, as no query names it") for name in unread]
        return result
    files = []
    for source in tables:
        mappings = mappings_for(source, options.mappings, offered.mappings)
        if mappings == [] == offered.mappings.get(source.name):
            continue  # which queries of other files read
        if mappings is not None:
            file = RecognisedFile(source, [_encoded(m, options) for m in mappings])
            file.reason = "" if mappings else "left out, as its mapping says"
            file.complete = bool(mappings)
        else:
            file = guessed(reading, source, options)
        files.append(file)
    given = {mapping.table for file in files if file.complete for mapping in file.mappings}
    for file in files:
        if file.suggested:
            result.confirm(file, has_segments="segments" in given)
        if file.complete:
            result.files.append(file)
        else:
            result.unrecognised.append((file.source.name, file.reason))
    return result


def _queries(
    options: ImportOptions, declared: dict[str, Any], names: set[str]
) -> dict[str, list[Mapping]]:
    """Return the queries that read the files: of the options, else of `study.json`."""
    try:
        found = by_file(options.queries, names)
    except LookupError as error:
        raise OptionsError(f"query: {error.args[0]}") from None
    if not (found or options.mappings):
        found = declared_queries(declared, names)
    for mappings in found.values():
        _check_tables("query", mappings)
    return found


def look(reading: ConfinedReading, path: Path, workdir: Path, options: ImportOptions) -> Found:
    """Find the files, as the options want them looked at."""
    layout, named = cast(Layout, options.layout), (options.format, options.select)
    wanted = Wanted(layout, *named, options.source_file, options.encoding)
    return reading.discover(path, workdir, wanted)


def _check_mappings(chosen: dict[str, list[Mapping]], files: list[SourceFile]) -> None:
    """Refuse mappings of files that are not here, and of tables that there are not."""
    names = {source.name for source in files}
    names |= {name.rsplit("/", 1)[-1] for name in names}
    for name, mappings in chosen.items():
        if name not in names:
            raise OptionsError(
                f"mappings of {name}: there is no such file; files: {', '.join(sorted(names))}"
            )
        _check_tables(f"mappings of {name}", mappings)


def _check_tables(where: str, mappings: list[Mapping]) -> None:
    known = [handler.spec.name for handler in handlers()]
    for name in (mapping.table for mapping in mappings if mapping.table not in known):
        raise OptionsError(f"{where}: no table {name!r}; known tables: {', '.join(known)}")


def _encoded(mapping: Mapping, options: ImportOptions) -> Mapping:
    """Give a mapping the encoding of the whole import if it has none of its own."""
    encoding = mapping.dialect.encoding or options.encoding or None
    return replace(mapping, dialect=replace(mapping.dialect, encoding=encoding))


def guessed(reading: ConfinedReading, source: SourceFile, options: ImportOptions) -> RecognisedFile:
    """Guess a file's tables from its columns and first rows."""
    specs = [handler.spec for handler in handlers()]
    dialect = Dialect(options.encoding or None)
    shown = reading.preview(source, ROWS_LOOKED_AT, dialect=dialect, specs=specs, is_guessed=True)
    found = shown.guess
    reason, suggested = found.reason, list(found.suggested)
    if shown.dialect.header is False:
        reason += "; its first line looks like data, not like names of columns"
    if suggested:
        tables = " and ".join(mapping.table for mapping in suggested)
        reason += f"; its columns look like {tables}"
    return RecognisedFile(
        source, list(found.mappings), reason, found.is_complete, found.unused, suggested
    )


def table_lines(offered: Found, options: ImportOptions) -> list[tuple[SourceFile, Mapping]]:
    """Say how files of one text per line are read; their directions come from the options."""
    said = {"source_style": options.source_style, "target_style": options.target_style}
    styles = {name: constant(style) for name, style in said.items() if style}
    return [
        (
            source,
            replace(mapping, columns=mapping.columns | styles)
            if mapping.table == "segments" and not offered.format
            else mapping,
        )
        for source in offered.files.files
        if source.format == "lines"
        for mapping in offered.mappings[source.name]
    ]


def mappings_for(source: SourceFile, *written: dict[str, list[Mapping]]) -> list[Mapping] | None:
    """Find a file's mappings by its path or by its name alone, in the first that has any.

    A workbook or document that is left out is left out with all its tables.
    """
    whole = source.name.removesuffix(f"/{source.sheet}")
    for mappings in written:
        for key in (source.name, source.name.rsplit("/", 1)[-1]):
            if key in mappings:
                return mappings[key]
        if mappings.get(whole) == []:
            return []
    return None


ALL = "all"
"""Each of them, by command."""


def studies_in(path: Path, options: ImportOptions) -> tuple[str, ...]:
    """Return the names of the studies in some files, such as language pairs; empty for one.

    Raises
    ------
    TableError
        If the files cannot be read at all.
    """
    with work_folder() as workdir, ConfinedReading(import_limits()) as reading:
        found = look(reading, path, workdir, options).format
    return found.choices if found else ()
