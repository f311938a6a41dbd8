"""The process in which files of users are opened: it limits itself, then reads what it is asked to.

Requests come on standard input from the program that started it, which it may trust; what it
answers is built from bytes of users, so the program takes it apart as plain JSON (`frames`). It
is a copy of the `nursery`, and no fork of the program, of whose secrets it knows nothing.
"""

from __future__ import annotations

import contextlib
import os
import pickle  # nosec B403  # reads only what the program that started this process sends it
import resource
import sys
import traceback
from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

import duckdb

from corpus.tabular.confined import frames
from corpus.tabular.guesses.looking import Look
from corpus.tabular.guesses.suggesting import suggest
from corpus.tabular.guesses.surveys import survey
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import Dialect, SourceFile
from corpus.tabular.opening.lines import count_lines
from corpus.tabular.opening.loading import Tables
from corpus.tabular.opening.reading import preview
from corpus.tabular.opening.sources import Layout, discover
from corpus.tabular.problems import Problem, ProblemLog, TableError, too_much
from corpus.tabular.questions.question import AnswerError
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.judged import Judged
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.records import blocks, opened

NONE = "none"
"""The files are plain tables, whatever they look like."""


def main() -> None:
    """Answer requests until standard input ends."""
    # A library that prints must not write among the frames.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        limits, folder = pickle.load(sys.stdin.buffer)  # noqa: S301
        _limit_this_process(limits)
        serve(sys.stdin.buffer, answers, limits, folder)


def _limit_this_process(limits: Limits) -> None:
    """Bound memory and time, and leave no core file with texts of users.

    RLIMIT_DATA counts what is written to, not the libraries that are mapped: those of Arrow
    alone take several hundred MiB of addresses.
    """
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, limits.memory_bytes),
        (resource.RLIMIT_FSIZE, 4 * limits.total_bytes),
        (resource.RLIMIT_CPU, limits.seconds),
    ):
        _, hard = resource.getrlimit(what)
        resource.setrlimit(what, (most if hard < 0 else min(most, hard), hard))


def serve(requests: IO[bytes], answers: IO[bytes], limits: Limits, folder: Path) -> None:
    """Answer pickled requests, each a name of `TASKS` and its arguments."""
    tables = Tables(folder, limits)
    while True:
        try:
            name, arguments = pickle.load(requests)  # noqa: S301
        except EOFError:
            return
        try:
            kind, answer = frames.ANSWER, TASKS[name](answers, tables, limits, **arguments)
        except TableError as error:
            kind, answer = frames.REFUSED, [asdict(problem) for problem in error.problems]
        except (MemoryError, duckdb.OutOfMemoryException):
            kind, answer = frames.REFUSED, [asdict(too_much_memory(limits))]
        except duckdb.IOException:
            found = f"{4 * limits.total_bytes >> 20:,} MiB on the disk, or than is free there,"
            too_large = too_much("", found, "IMPORT_UNPACKED_MB")
            kind, answer = frames.REFUSED, list(map(asdict, too_large.problems))
        except Exception:
            kind, answer = frames.UNKNOWN, traceback.format_exc(limit=-8)[-8000:]
        frames.write_frame(answers, kind, answer)


def too_much_memory(limits: Limits) -> Problem:
    """Say that reading needs more memory than it may have."""
    return Problem(
        "",
        found=f"a file that needs more than {limits.memory_bytes >> 20} MiB of memory to be read",
        expected="one that needs less",
        message="Write it with shorter texts or, if it is Parquet, with smaller row groups; or "
        "ask the administrator to raise IMPORT_MEMORY_MB.",
        code="memory",
    )


def _discover(
    answers: IO[bytes],
    tables: Tables,
    limits: Limits,
    *,
    path: Path,
    workdir: Path,
    layout: Layout,
    format_name: str,
    select: str,
) -> dict[str, Any]:
    found = discover(path, workdir, layout=layout, limits=limits)
    named, mappings = None, {}
    is_said = layout != "auto" and format_name == "auto"
    if format_name != NONE and not is_said:
        from corpus.formats.catalogue import read_format, with_format

        if read := read_format(found, format_name, select, workdir / "format", limits, tables):
            named, read_tables = asdict(read[0]), read[1].tables
            found = with_format(found, *read)
            mappings = {
                source.name: [m.to_dict() for m in e] for source, e in read_tables if e is not None
            }
    files = [{**asdict(file), "path": str(file.path)} for file in found.files]
    return {**vars(found), "files": files, "listed": [], "format": named, "mappings": mappings}


def _preview(
    answers: IO[bytes],
    tables: Tables,
    limits: Limits,
    *,
    source: SourceFile,
    n: int,
    dialect: Dialect,
    names: Collection[str],
) -> dict[str, Any]:
    return asdict(preview(source, n, dialect=dialect, limits=limits, names=names, tables=tables))


def _propose(
    answers: IO[bytes],
    tables: Tables,
    limits: Limits,
    *,
    source: SourceFile,
    dialect: Dialect,
    specs: list[TableSpec],
) -> list[dict[str, Any]]:
    loaded = tables.load(source, dialect)
    look = Look(tables.database.locked(), source.name, loaded.columns)
    return [each.to_dict() for each in survey(look, specs) or suggest(look, specs)]


def _count_lines(
    answers: IO[bytes], tables: Tables, limits: Limits, *, source: SourceFile, dialect: Dialect
) -> int:
    return count_lines(source, dialect, limits)


def _lines_of(
    answers: IO[bytes],
    tables: Tables,
    limits: Limits,
    *,
    source: SourceFile,
    mapping: Mapping,
    rows: set[int],
    files: list[SourceFile],
) -> list[Any]:
    tables.sources = {file.name: file for file in files}
    loaded, _ = opened(tables, source, mapping)
    return list(loaded.lines_of(rows, limits).items())


def _judge(
    answers: IO[bytes],
    tables: Tables,
    limits: Limits,
    *,
    work: list[tuple[SourceFile, Mapping, TableSpec]],
    files: list[SourceFile],
    chosen: dict[str, str],
    accept: bool,
    stored_systems: list[str],
) -> dict[str, Any]:
    tables.sources = {file.name: file for file in files}
    for source, mapping, _ in work:
        with contextlib.suppress(TableError):  # which is said when the mapping is carried out
            opened(tables, source, mapping)
    judged = Judged(tables, limits)
    for source, mapping, spec in work:
        judged.fill(source, mapping, spec)
    try:
        settled = judged.settle(chosen, accept=accept, stored_systems=stored_systems)
    except AnswerError as error:
        raise TableError(Problem("", message=str(error), code="answer")) from None
    tables.judged = judged
    return {
        "left": [question.to_dict() for question in settled.left],
        "answered": [[question.to_dict(), value] for question, value in settled.answered],
        "roles": settled.roles,
        "queries": judged.queries,
        "is_cut": bool(tables.cut),
        "faults": [asdict(problem) for problem in judged.faults],
    }


def _names(
    answers: IO[bytes], tables: Tables, limits: Limits, *, table: str, field: str
) -> list[str]:
    return tables.judged.names(table, field) if tables.judged is not None else []


def _records(
    answers: IO[bytes],
    tables: Tables,
    limits: Limits,
    *,
    source: SourceFile,
    mapping: Mapping,
    spec: TableSpec,
    problems: int,
    most: int | None,
    files: list[SourceFile],
) -> dict[str, Any]:
    tables.sources = {file.name: file for file in files}
    log = ProblemLog(problems)
    sent = 0
    judged: Judged | None = tables.judged
    if judged is not None and judged.holds(source, spec):
        found = judged.blocks(source, spec, log)
    else:
        found = blocks(tables, source, mapping, spec, log, limits)
    for block in found:
        frames.write_frame(answers, frames.ROWS, block.to_plain())
        sent += len(block)
        if most is not None and sent >= most:
            break
    return log.to_dict()


TASKS: dict[str, Callable[..., Any]] = {
    "discover": _discover,
    "preview": _preview,
    "propose": _propose,
    "count_lines": _count_lines,
    "judge": _judge,
    "names": _names,
    "lines_of": _lines_of,
    "records": _records,
}
