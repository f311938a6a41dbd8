"""What files a study comes as: a folder, an archive (zip or tar) or a single file."""

from __future__ import annotations

import codecs
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from corpus.tabular.archives import gunzip, is_hidden, unpack
from corpus.tabular.bundles import FILE as MANIFEST
from corpus.tabular.bundles import check_bundle
from corpus.tabular.files import FORMATS, SEEKABLE, SHEETS, Format, SourceFile
from corpus.tabular.json_levels import MOST_LEVELS, DeepJSON, check_levels
from corpus.tabular.limits import DEFAULT_LIMITS, MEBIBYTE, Limits
from corpus.tabular.lines import has_source
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.text_tables import ENDINGS as TABLE_ENDINGS
from corpus.tabular.text_tables import table_format

Layout = Literal["auto", "tables", "lines"]
STUDY_FILE = "study.json"
LONGEST_STUDY_FILE = 16 * MEBIBYTE
MOST_VALUES = 1_000_000
REASONS = {
    "json": "JSON without an array of objects, and no object with lists or objects in it",
    "arrow": "Arrow without its dataset's state.json; import the whole folder, or write Parquet",
    **dict.fromkeys(
        ("zip", "tar", "tgz", "bz2", "xz", "7z", "rar"),
        "an archive inside the study; unpack it first",
    ),
}
TAR_ENDINGS = (".tar", ".tgz", ".tbz2", ".txz", ".tar.bz2", ".tar.xz")
Unpack = Callable[[Path, Path, Limits], list[tuple[str, Path]]]
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
        raise TableError(
            Problem(
                path.name,
                found="no files" if path.exists() else "nothing",
                expected="a folder, an archive or a file",
                message="Check the path.",
                code="no-files",
            )
        )
    files: list[SourceFile] = []
    lines: list[SourceFile] = []
    unrecognised: list[tuple[str, str]] = []
    study: dict[str, Any] | None = None
    descriptions = 0  # in JSON or text, that perhaps hold no table
    for number, (name, place) in enumerate(named):
        if name.lower() == STUDY_FILE:
            study = read_study_file(place, name)
            continue
        ending, gzipped = _ending(name), _is_gzipped(place)
        if ending in FORMATS:
            source = SourceFile(place, name, FORMATS[ending], gzipped)
            if source.format == "json":
                found, is_certain = _documents(source, limits)
                descriptions += 0 if is_certain else len(found)
                files += found
                if not found:
                    unrecognised.append((name, REASONS["json"]))
                continue
            if source.format in SEEKABLE and gzipped:
                source = _unpacked(source, workdir / f"unpacked-{number:05d}", limits)
            files += _sheets(source, limits) if source.format in SHEETS else [source]
        elif (kind := _table_format(ending, place, gzipped)) and layout != "lines":
            descriptions += 1
            files.append(SourceFile(place, name, kind, gzipped))
        elif _may_be_lines(name, ending):
            lines.append(SourceFile(place, name, "lines", gzipped))
        else:
            unrecognised.append((name, REASONS.get(ending, "not a format that holds tables")))
    if not _is_single(path) and check_bundle(dict(named)):
        unrecognised = [entry for entry in unrecognised if entry[0] != MANIFEST]
        files = [source for source in files if source.name != MANIFEST]
    has_tables = len(files) > descriptions
    takes_lines = layout == "lines" or (
        layout == "auto" and (has_source(lines) if has_tables else bool(lines))
    )
    if takes_lines:
        files += lines
    else:
        reason = "plain text; import with --layout lines if it holds one text per line"
        unrecognised += [(source.name, reason) for source in lines]
    return Discovery(
        _study_name(path),
        tuple(sorted(files, key=lambda source: source.name)),
        tuple(sorted(unrecognised)),
        study,
        "lines" if takes_lines else "tables",
        tuple(named),
    )


def _listed(path: Path, workdir: Path, limits: Limits) -> Iterator[tuple[str, Path]]:
    """Yield name and place of each file, names without a folder that holds all of them."""
    if path.is_dir():
        count = 0
        for place in path.rglob("*"):
            name = place.relative_to(path).as_posix()
            if not is_hidden(name) and place.is_file():
                count += 1
                if count > limits.members:
                    raise TableError(
                        Problem(
                            path.name,
                            found=f"more than {limits.members} files",
                            expected="the folder of one study",
                            message="Check the path.",
                            code="no-files",
                        )
                    )
                yield name, place
    elif path.is_file() and (unpacks := _unpacker(path)):
        members = unpacks(path, workdir, limits)
        tops = {name.partition("/")[0] for name, _ in members}
        inside = len(tops) == 1 and all("/" in name for name, _ in members)
        for name, place in members:
            yield (name.partition("/")[2] if inside else name), place
    elif path.is_file():
        yield path.name, path


def _unpacker(path: Path) -> Unpack | None:
    """Return what unpacks a file, going by its content; None if it is no archive."""
    if _ending(path.name) in FORMATS:
        return None
    if zipfile.is_zipfile(path):
        return unpack
    from corpus.tabular.tar_archives import is_tar, unpack_tar

    named = path.name.lower().removesuffix(".gz").endswith(TAR_ENDINGS)
    return unpack_tar if named or is_tar(path) else None


def _is_single(path: Path) -> bool:
    return path.is_file() and _unpacker(path) is None


def _study_name(path: Path) -> str:
    name = path.resolve().name
    return name if path.is_dir() else name.partition(".")[0] or name


def _ending(name: str) -> str:
    name = name.rsplit("/", 1)[-1].lower().removesuffix(".gz")
    return name.rpartition(".")[2] if "." in name[1:] else ""


def _is_gzipped(place: Path) -> bool:
    with place.open("rb") as stream:
        return stream.read(2) == b"\x1f\x8b"


def _table_format(ending: str, place: Path, gzipped: bool) -> Format | None:
    return table_format(place, gzipped) if ending in TABLE_ENDINGS else None


def _may_be_lines(name: str, ending: str) -> bool:
    """Whether a file may hold one text per line: by its ending, or ``reference0``, ``test.1``."""
    stem = name.rsplit("/", 1)[-1].lower().partition(".")[0]
    return (ending in LINE_ENDINGS or ending.isdigit()) and stem not in DOCUMENTS


def _unpacked(source: SourceFile, target: Path, limits: Limits) -> SourceFile:
    """Unpack a compressed file of a format that is not read from beginning to end."""
    gunzip(source, target, limits)
    return SourceFile(target, source.name, source.format)


def _sheets(workbook: SourceFile, limits: Limits) -> list[SourceFile]:
    """Return the sheets of a workbook as files of their own, unless there is only one."""
    from corpus.tabular.sheet_tables import sheet_names

    try:
        names = sheet_names(workbook, limits)
    except TableError:
        return [workbook]  # reading it says what is wrong
    if len(names) < 2:
        return [replace(workbook, sheet=name) for name in names or [""]]
    return [replace(workbook, name=f"{workbook.name}/{name}", sheet=name) for name in names]


def _documents(source: SourceFile, limits: Limits) -> tuple[list[SourceFile], bool]:
    """Return the arrays of a document as files of their own, and whether it certainly has any."""
    from corpus.tabular.json_records import document
    from corpus.tabular.json_tables import is_of_records, tables_of

    try:
        content = document(source, None, limits)
    except TableError:
        return [source], True  # reading it says what is wrong
    names = list(tables_of(content))
    if len(names) > 1:
        found = [replace(source, name=f"{source.name}/{name}", sheet=name) for name in names]
    else:
        found = [replace(source, sheet=name) for name in names]
    return found, is_of_records(content)


def read_study_file(place: Path, name: str = STUDY_FILE) -> dict[str, Any]:
    """Return what ``study.json`` holds; `TableError` with line and position if it is broken."""
    with place.open("rb") as stream:
        data = stream.read(LONGEST_STUDY_FILE + 1)
    if len(data) > LONGEST_STUDY_FILE:
        raise _study_problem(name, None, None, "a file of more than 16 MiB", "a short description")
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode()
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()
        line, position = before.count("\n") + 1, len(before) - before.rfind("\n")
        found = f"byte 0x{error.object[error.start]:02x}"
        raise _study_problem(name, line, position, found, "UTF-8 text") from error
    if sum(map(text.count, ",[{")) > MOST_VALUES:
        found = f"more than {MOST_VALUES:,} values"
        raise _study_problem(name, None, None, found, "a short description")
    try:
        content = json.loads(text, parse_constant=_refuse)
        check_levels(content)
    except json.JSONDecodeError as error:
        found = shorten(text[error.pos : error.pos + 40].split("\n")[0]) or "the end of the file"
        expected = f"JSON ({error.msg})"
        raise _study_problem(name, error.lineno, error.colno, found, expected) from error
    except (DeepJSON, RecursionError) as error:
        found = f"brackets nested more than {MOST_LEVELS} deep"
        raise _study_problem(name, None, None, found, "a short description") from error
    except ValueError as error:  # from _refuse
        before = text[: text.find(str(error))]
        line, position = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise _study_problem(name, line, position, str(error), "a number or null") from error
    if not isinstance(content, dict):
        raise _study_problem(name, 1, 1, shorten(text.strip()), "an object in braces")
    return content


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _study_problem(
    name: str, line: int | None, position: int | None, found: str, expected: str
) -> TableError:
    message = "Correct the file, or leave it out."
    return TableError(Problem(name, line, None, position, found, expected, message, "study-json"))
