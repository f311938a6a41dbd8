"""What files a study comes as: a folder, an archive (zip or tar) or a single file."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.opening.archives import CHUNK, is_archive, is_hidden, unpack
from corpus.tabular.opening.bundles import FILE as MANIFEST
from corpus.tabular.opening.bundles import STUDY_FILE, check_bundle, read_study_file
from corpus.tabular.opening.files import (
    FORMATS,
    SEEKABLE,
    SHEETS,
    SourceFile,
    is_gzipped,
    open_bytes,
)
from corpus.tabular.opening.lines import has_source
from corpus.tabular.opening.text_files import ENDINGS as TABLE_ENDINGS
from corpus.tabular.opening.text_files import table_format
from corpus.tabular.problems import TableError, refused

Layout = Literal["auto", "tables", "lines"]


@dataclass(frozen=True)
class Wanted:
    """How somebody wants files taken.

    Attributes
    ----------
    layout, format, select
        As the options of an import: what the files are, the named format, which of several studies.
    source, encoding
        Of files of one text per line the one with the sources; of those that do not say it.
    """

    layout: Layout = "auto"
    format: str = "auto"
    select: str = ""
    source: str = ""
    encoding: str = ""


ANY = Wanted()
REASONS = {
    "json": "JSON without an array of objects, and no object with lists or objects in it",
    "arrow": "Arrow without its dataset's state.json; import the whole folder, or write Parquet",
    **dict.fromkeys(
        ("zip", "tar", "tgz", "bz2", "xz", "7z", "rar"),
        "an archive inside the study; unpack it first",
    ),
}
LINE_ENDINGS = {"", "txt", "text", "out", "hyp", "src", "ref", "tok", "lines", "output"}
DOCUMENTS = {"readme", "license", "licence", "changelog", "makefile", "manifest", "sha256sums"}


@dataclass(frozen=True)
class Discovery:
    """The files of a study.

    Attributes
    ----------
    name
        Of the folder or archive, which becomes the study's slug.
    files
        Those that hold records, in order of their names.
    unrecognised
        Name of each other file, and why it is left out.
    study_json
        Content of ``study.json``, if there is one.
    layout
        ``tables`` or ``lines``: what the files were taken for.
    listed
        Name and place of every file; empty where another process found them.
    """

    name: str
    files: tuple[SourceFile, ...]
    unrecognised: tuple[tuple[str, str], ...]
    study_json: dict[str, Any] | None
    layout: Layout
    listed: tuple[tuple[str, Path], ...] = field(default=(), compare=False)


def discover(
    path: Path, workdir: Path, *, layout: Layout = "auto", limits: Limits = DEFAULT_LIMITS
) -> Discovery:
    """Find the files of a study.

    Parameters
    ----------
    path
        A folder, an archive (zip or tar, also compressed), or a single file.
    workdir
        An empty folder for what must be unpacked; it has to outlive the reading.
    layout
        ``tables``; ``lines`` (plain files with one text per line beside tables, if any); or
        ``auto``: lines if there are such files and no table, or one is named as their source.
    limits
        How much the files may hold.

    Raises
    ------
    TableError
        If there is nothing at `path`, if an archive is damaged or dangerous, a study archive is
        not as it was written, or ``study.json`` is not a JSON object.
    """
    named = sorted(_listed(path, workdir, limits))
    if not named:
        raise refused("no-files", path.name, "no files" if path.exists() else "nothing")
    files: list[SourceFile] = []
    lines: list[SourceFile] = []
    unrecognised: list[tuple[str, str]] = []
    study: dict[str, Any] | None = None
    descriptions = 0  # in JSON or text, that perhaps hold no table
    for number, (name, place) in enumerate(named):
        ending, gzipped = _ending(name), is_gzipped(place)
        text = SourceFile(place, name, "lines", gzipped)
        if name.lower() == STUDY_FILE:
            study = read_study_file(place, name)
        elif ending in FORMATS:
            source = replace(text, format=FORMATS[ending])
            if source.format in SEEKABLE and gzipped:
                source = _unpacked(source, workdir / f"unpacked-{number:05d}", limits)
            found_in, is_certain = _tables(source, limits)
            descriptions += 0 if is_certain else len(found_in)
            files += found_in
            unrecognised += [] if found_in else [(name, REASONS["json"])]
        elif layout != "lines" and ending in TABLE_ENDINGS and (kind := table_format(text, limits)):
            descriptions += 1
            files.append(replace(text, format=kind))
        elif _may_be_lines(name, ending):
            lines.append(text)
        else:
            unrecognised.append((name, REASONS.get(ending, "not a format that holds tables")))
    if named != [(path.name, path)] and check_bundle(dict(named)):
        unrecognised = [entry for entry in unrecognised if entry[0] != MANIFEST]
        files = [source for source in files if source.name != MANIFEST]
    has_tables = len(files) > descriptions
    is_aligned = has_source(lines) if has_tables else bool(lines)
    takes_lines = layout == "lines" or (layout == "auto" and is_aligned)
    if takes_lines:
        files += lines
    else:
        reason = "plain text; import with --layout lines if it holds one text per line"
        unrecognised += [(source.name, reason) for source in lines]
    title = path.resolve().name
    return Discovery(
        title if path.is_dir() else title.partition(".")[0] or title,
        tuple(sorted(files, key=lambda source: source.name)),
        tuple(sorted(unrecognised)),
        study,
        "lines" if takes_lines else "tables",
        tuple(named),
    )


def _listed(path: Path, workdir: Path, limits: Limits) -> Iterator[tuple[str, Path]]:
    """Yield name and place of each file, names without a folder that holds all of them."""
    if path.is_dir():
        named = ((place.relative_to(path).as_posix(), place) for place in path.rglob("*"))
        files = (each for each in named if not is_hidden(each[0]) and each[1].is_file())
        yield from islice(files, limits.members)
        if next(files, None):
            raise refused("large-folder", path.name, most=limits.members)
    elif path.is_file() and _ending(path.name) not in FORMATS and is_archive(path):
        members = unpack(path, workdir, limits)
        tops = {name.partition("/")[0] for name, _ in members}
        inside = len(tops) == 1 and all("/" in name for name, _ in members)
        for name, place in members:
            yield (name.partition("/")[2] if inside else name), place
    elif path.is_file():
        yield path.name, path


def _ending(name: str) -> str:
    name = name.rsplit("/", 1)[-1].lower().removesuffix(".gz")
    return name.rpartition(".")[2] if "." in name[1:] else ""


def _may_be_lines(name: str, ending: str) -> bool:
    """Whether a file may hold one text per line: by its ending, or ``reference0``, ``test.1``."""
    stem = name.rsplit("/", 1)[-1].lower().partition(".")[0]
    return (ending in LINE_ENDINGS or ending.isdigit()) and stem not in DOCUMENTS


def _unpacked(source: SourceFile, target: Path, limits: Limits) -> SourceFile:
    """Unpack a compressed file of a format that is not read from beginning to end."""
    with open_bytes(source, limits) as stream, target.open("xb") as unpacked:
        unpacked.writelines(iter(lambda: stream.read(CHUNK), b""))
    return replace(source, path=target, gzipped=False)


def _tables(source: SourceFile, limits: Limits) -> tuple[list[SourceFile], bool]:
    """Return the sheets of a workbook, or the arrays of a document, and whether it surely has any.

    They are named after the file, and like it if there is only one.
    """
    is_certain = True
    try:
        if source.format in SHEETS:
            from corpus.tabular.opening.sheet_tables import sheet_names

            names = sheet_names(source, limits) or [""]
        elif source.format == "json":
            from corpus.tabular.opening.json_records import document, is_of_records, tables_of

            content = document(source, None, limits)
            names, is_certain = list(tables_of(content)), is_of_records(content)
        else:
            return [source], True
    except TableError:
        return [source], True  # reading it says what is wrong
    if len(names) > 1:
        return [replace(source, name=f"{source.name}/{n}", sheet=n) for n in names], is_certain
    return [replace(source, sheet=name) for name in names], is_certain
