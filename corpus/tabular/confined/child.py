"""The process in which files of users are opened: it limits itself, then reads what it is asked to.

Requests come on standard input from the program that started it, which it may trust; what it
answers is built from bytes of users, so the program takes it apart as plain JSON (`frames`). It is
a copy of a nursery, and no fork of the program, of whose secrets it knows nothing: the nursery has
loaded what reading needs, and no file.

    python -I -c "…; from corpus.tabular.confined.child import main; main()"

A fresh interpreter takes a fifth of a second for DuckDB and what reads; a copy takes a hundredth.
The nursery holds neither secrets nor locks of other threads, and ends when nobody can ask it any
more, or has for some time.
"""

import contextlib
import os
import pickle  # nosec B403  # reads only what the program that started this process sends it
import resource
import select
import socket
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

import duckdb

from corpus.formats.catalogue import AUTO, NONE, Found, found_as
from corpus.tabular.confined import frames
from corpus.tabular.guesses.known_columns import known_names
from corpus.tabular.guesses.shown_rows import Preview
from corpus.tabular.guesses.whole_file import with_guess
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import Dialect, SourceFile
from corpus.tabular.opening.lines import plan_lines
from corpus.tabular.opening.loading import Tables
from corpus.tabular.opening.reading import preview
from corpus.tabular.opening.sources import Wanted, discover
from corpus.tabular.plain import to_plain
from corpus.tabular.problems import Problem, ProblemLog, TableError, problem, too_much
from corpus.tabular.questions.question import AnswerError
from corpus.tabular.shaping.blocks import Block
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.judged import Judged
from corpus.tabular.shaping.mapping import Mapping
from corpus.tabular.shaping.records import blocks, opened


def answer_requests() -> None:
    """Answer requests until standard input ends."""
    # A library that prints must not write among the frames.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        limits, folder = pickle.load(sys.stdin.buffer)  # noqa: S301
        _limit_this_process(limits)
        Child(answers, limits, folder).serve(sys.stdin.buffer)


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


class Child:
    """Answers requests: each names a method of this class and has its arguments.

    Parameters
    ----------
    answers
        Where rows are sent, as frames.
    limits
        What the files may hold and what reading them may take.
    folder
        In which may be written.
    """

    def __init__(self, answers: IO[bytes], limits: Limits, folder: Path) -> None:
        self._answers = answers
        self._limits = limits
        self._tables = Tables(folder, limits)
        self._judged: Judged | None = None

    def serve(self, requests: IO[bytes]) -> None:
        """Answer pickled requests until they end."""
        while True:
            try:
                name, arguments = pickle.load(requests)  # noqa: S301
            except EOFError:
                return
            limits = self._limits
            try:
                kind, answer = frames.ANSWER, to_plain(getattr(self, name)(**arguments))
            except TableError as error:
                kind, answer = frames.REFUSED, to_plain(error.problems)
            except (MemoryError, duckdb.OutOfMemoryException):
                memory = problem("memory", "", most=limits.memory_bytes >> 20)
                kind, answer = frames.REFUSED, to_plain([memory])
            except duckdb.IOException:
                found = f"{4 * limits.total_bytes >> 20:,} MiB on the disk, or than is free there,"
                too_large = too_much("", found, "IMPORT_UNPACKED_MB")
                kind, answer = frames.REFUSED, to_plain(too_large.problems)
            except Exception:
                kind, answer = frames.UNKNOWN, traceback.format_exc(limit=-8)[-8000:]
            frames.write_frame(self._answers, kind, answer)

    def discover(self, path: Path, workdir: Path, wanted: Wanted) -> Found:
        """Find the files of a study, and the named format that they are read as."""
        limits, is_open = self._limits, wanted.layout == "auto" or wanted.format != AUTO
        listed = discover(path, workdir, layout=wanted.layout, limits=limits)
        name = wanted.format if is_open else NONE
        found = found_as(listed, name, wanted.select, workdir / "format", limits, self._tables)
        files = found.files.files
        if found.format or all(file.format != "lines" for file in files):
            return found
        encoding = wanted.encoding or None
        planned = plan_lines(files, source=wanted.source, encoding=encoding, limits=limits)
        tables = [file for file in files if file.format != "lines"]
        every = replace(found.files, files=(*tables, *(file for file, _ in planned)))
        return Found(every, None, {file.name: [mapping] for file, mapping in planned})

    def preview(
        self, source: SourceFile, n: int, dialect: Dialect, specs: list[TableSpec], is_guessed: bool
    ) -> Preview:
        """Return the columns and the first rows of a file, and what it may hold."""
        names, tables = known_names(specs), self._tables
        shown = preview(source, n, dialect=dialect, names=names, tables=tables)
        return with_guess(tables, source, shown, specs) if is_guessed else shown

    def lines_of(self, file: str, rows: set[int]) -> list[tuple[int, int]]:
        """Return records of a file that was read with the physical lines on which they begin."""
        return list(self._tables.loaded(file).lines_of(rows).items())

    def judge(
        self,
        work: list[tuple[SourceFile, Mapping, TableSpec]],
        files: list[SourceFile],
        chosen: dict[str, str],
        accept: bool,
        stored_systems: list[str],
    ) -> dict[str, Any]:
        """Carry out mappings and answers, and say what is to be asked."""
        self._tables.sources = {file.name: file for file in files}
        for source, mapping, _ in work:
            with contextlib.suppress(TableError):  # which is said when the mapping is carried out
                opened(self._tables, source, mapping)
        judged = Judged(self._tables)
        for source, mapping, spec in work:
            judged.fill(source, mapping, spec)
        try:
            settled = judged.settle(chosen, accept=accept, stored_systems=stored_systems)
        except AnswerError as error:
            raise TableError(Problem("", message=str(error), code="answer")) from None
        self._judged = judged
        return {
            "left": [question.to_dict() for question in settled.left],
            "answered": [[question.to_dict(), value] for question, value in settled.answered],
            "roles": settled.roles,
            "queries": judged.queries,
            "faults": judged.faults,
            "is_cut": bool(self._tables.cut),
        }

    def records(
        self,
        source: SourceFile,
        mapping: Mapping,
        spec: TableSpec,
        problems: int,
        most: int | None,
        files: list[SourceFile],
    ) -> dict[str, Any]:
        """Send the records of a table; return what is wrong, and what was passed over."""
        self._tables.sources = {file.name: file for file in files}
        log, sent = ProblemLog(problems), 0
        if self._judged is not None and self._judged.holds(source, spec):
            found = self._judged.blocks(source, spec, log)
        else:
            found = blocks(self._tables, source, mapping, spec, log)
        for block in found:
            self._send(block)
            sent += len(block)
            if most is not None and sent >= most:
                break
        return log.to_dict()

    def _send(self, block: Block) -> None:
        """Send records, in halves as long as a frame cannot hold them."""
        try:
            frames.write_frame(self._answers, frames.ROWS, block.to_plain())
        except frames.TooLongError:
            if len(block) < 2:
                raise
            for half in block.halves():
                self._send(half)


IDLE_SECONDS = 60.0


def main() -> None:
    """Copy this process whenever two pipes come on the socket that is standard input."""
    control = socket.socket(fileno=os.dup(0))
    poll = select.poll()
    poll.register(control, select.POLLIN)
    living: dict[int, tuple[int, int]] = {}
    while ready := poll.poll(None if living else IDLE_SECONDS * 1000):
        for place, _ in ready:
            if place in living:
                poll.unregister(place)
                _say_the_end(place, *living.pop(place))
                continue
            _, pipes, _, _ = socket.recv_fds(control, 1, 3)
            if len(pipes) != 3:
                return
            born = _copy(control, pipes, living)
            living[born[0]] = born[1:]
            poll.register(born[0], select.POLLIN)


def _copy(
    control: socket.socket, pipes: list[int], living: dict[int, tuple[int, int]]
) -> tuple[int, int, int]:
    """Start a copy that reads and writes two pipes; return how to hear of its end."""
    requests, answers, status = pipes
    number = os.fork()
    if number == 0:
        os.setpgid(0, 0)
        os.dup2(requests, 0)
        os.dup2(answers, 1)
        control.close()
        for place in (*pipes, *living, *(status for _, status in living.values())):
            os.close(place)
        code = 1
        try:
            answer_requests()
            code = 0
        finally:
            os._exit(code)
    os.close(requests)
    os.close(answers)
    os.write(status, frames.NUMBER.pack(number))
    return os.pidfd_open(number), number, status


def _say_the_end(place: int, number: int, status: int) -> None:
    _, ended = os.waitpid(number, 0)
    os.write(status, frames.NUMBER.pack(os.waitstatus_to_exitcode(ended)))
    os.close(status)
    os.close(place)
