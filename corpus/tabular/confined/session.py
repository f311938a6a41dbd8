"""Reading files of users in another process, from the side of the program that asks."""

import logging
import signal
import tempfile
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self, TypeVar

from corpus.formats.catalogue import Found
from corpus.progress import ProgressCallback, unreported
from corpus.tabular.confined import frames
from corpus.tabular.confined.process import ReadingProcess
from corpus.tabular.guesses.shown_rows import Preview
from corpus.tabular.limits import DEFAULT_LIMITS, Limits, Usage
from corpus.tabular.opening.files import PLAIN, Dialect, SourceFile
from corpus.tabular.opening.sources import ANY, Wanted
from corpus.tabular.plain import from_plain
from corpus.tabular.problems import Problem, ProblemLog, TableError, problem, refused
from corpus.tabular.questions.question import Question
from corpus.tabular.shaping.blocks import Block, Record, Records
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Mapping

logger = logging.getLogger(__name__)
_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class Judgement:
    """What was asked about the results of mappings.

    Attributes
    ----------
    left
        Questions that nobody answered.
    answered
        The others, each with the value of its answer.
    roles
        What systems are, as answered.
    queries
        Of each mapping, as SQL; empty where it makes no sense.
    faults
        What is wrong with mappings that make no sense.
    is_cut
        Whether of a file only the first rows were judged, as the limits say.
    """

    left: tuple[Question, ...] = ()
    answered: tuple[tuple[Question, str], ...] = ()
    roles: dict[str, str] = field(default_factory=dict)
    queries: tuple[str, ...] = ()
    faults: tuple[Problem, ...] = ()
    is_cut: bool = False


class ConfinedReading:
    """Files of users, read in a process of their own with limits of memory, time and rows.

    Each method does what the function of its name in `corpus.tabular` does, and raises what that
    raises; a file that ends the process, or takes too much, is a `TableError` too. One process
    answers all requests; it is replaced where it ended or was left amid an answer. To be used
    in a ``with`` statement, by one thread.

    Parameters
    ----------
    limits
        What the files may hold and what reading them may take, all together.
    progress
        Is called each second while a file is being read; what it raises ends the reading.

    Attributes
    ----------
    usage
        What the rows read so far hold.
    is_cut
        Whether of a file only the first rows were judged, as the limits say.
    """

    def __init__(
        self, limits: Limits = DEFAULT_LIMITS, progress: ProgressCallback = unreported
    ) -> None:
        self._limits = limits
        self._progress = progress
        self._name = ""
        self.usage = Usage(limits)
        self._process: ReadingProcess | None = None
        self._seconds = float(limits.seconds)
        self._is_amid_an_answer = False
        self._files: list[SourceFile] = []
        self._is_judged = False
        self.is_cut = False
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()
        if self._folder is not None:
            self._folder.cleanup()

    def discover(self, path: Path, workdir: Path, wanted: Wanted = ANY) -> Found:
        """Find the files of a study, and the named format that they are read as."""
        asked = {"path": path, "workdir": workdir, "wanted": wanted}
        read = self._answer(Found, path.name, "discover", **asked)
        self._files = list(read.files.files)
        return read

    def preview(
        self,
        source: SourceFile,
        n: int = 10,
        *,
        dialect: Dialect = PLAIN,
        specs: Sequence[TableSpec] = (),
        is_guessed: bool = False,
    ) -> Preview:
        """Return the columns and the first `n` rows of a file, and which of some tables it holds.

        Parameters
        ----------
        specs
            The tables that there are.
        is_guessed
            Whether to say what the file seems to hold.
        """
        asked = {"source": source, "n": n, "dialect": dialect, "specs": list(specs)}
        return self._answer(Preview, source.name, "preview", is_guessed=is_guessed, **asked)

    def judge(
        self,
        work: Sequence[tuple[SourceFile, Mapping, TableSpec]],
        chosen: dict[str, str],
        *,
        accept: bool = False,
        stored_systems: Collection[str] = (),
    ) -> Judgement:
        """Carry out mappings and ask about what is odd in their results.

        From then on `blocks` gives the results as the answers left them.

        Parameters
        ----------
        work
            Files with their mappings and the tables that these fill.
        chosen
            Answers by the names of questions; of an unknown question nothing.
        accept
            Whether every other question is answered by what is proposed.
        stored_systems
            Systems that the study has already.
        """
        asked = {"work": list(work), "files": self._files, "chosen": chosen, "accept": accept}
        asked["stored_systems"] = list(stored_systems)
        judgement = self._answer(Judgement, "the files", "judge", **asked)
        self._is_judged, self.is_cut = True, judgement.is_cut
        return judgement

    def lines_of(self, source: SourceFile, rows: set[int]) -> dict[int, int]:
        """Return the physical lines on which some records of a file that was read begin."""
        asked = {"file": source.name, "rows": rows}
        return dict(self._answer(list[tuple[int, int]], source.name, "lines_of", **asked))

    def records(
        self, source: SourceFile, mapping: Mapping, spec: TableSpec, log: ProblemLog
    ) -> Iterator[Record]:
        """Yield the records that a file holds of one table; nothing is raised."""
        yield from Records(self.blocks(source, mapping, spec, log))

    def blocks(
        self,
        source: SourceFile,
        mapping: Mapping,
        spec: TableSpec,
        log: ProblemLog,
        most: int | None = None,
    ) -> Iterator[Block]:
        """Yield the same records in blocks; no further block once there are `most` records."""
        lists = [number for number, field in enumerate(spec.fields) if field.many == "list"]
        maps = [number for number, field in enumerate(spec.fields) if field.many == "map"]
        several = [*lists, *maps, *([-1] if spec.keep_other_columns_as_attributes else [])]
        left = max(log.limit - len(log.problems), 0)
        asked = {"source": source, "mapping": mapping, "spec": spec, "problems": left, "most": most}
        asked["files"] = self._files if mapping.query else []
        try:
            for kind, length, content in self._ask(source.name, "records", asked):
                if kind == frames.ANSWER:
                    log.extend(Problem(**problem) for problem in content["problems"])
                    log.count += content["count"] - len(content["problems"])
                    log.counts.update(content["counts"])
                    return
                block = Block.from_plain(content, lists)
                self.usage.add(source.name, length, block, several)
                yield block
        except TableError as error:
            log.extend(error.problems)

    def _answer(self, kind: type[_Kind], name: str, task: str, **arguments: Any) -> _Kind:
        """Return the answer to a request about a file, which is of some type."""
        for _, _, content in self._ask(name, task, arguments):
            answer: _Kind = from_plain(kind, content)
        return answer

    def _ask(
        self, name: str, task: str, arguments: dict[str, Any]
    ) -> Iterator[tuple[int, int, Any]]:
        """Yield the frames that answer a request about a file; the last is the answer."""
        if self._is_amid_an_answer:
            self._stop()
        if self._seconds <= 0:
            raise TableError(self._too_slow(name))
        self._name = name
        try:
            if self._process is None and self._is_judged:
                raise frames.BrokenFrameError("the results are gone")
            if self._process is None:
                left = replace(self._limits, seconds=max(1, int(self._seconds)))
                self._process = ReadingProcess(left, self._new_folder())
                self._process.frames.waiting = self._waiting
            process = self._process
            self._is_amid_an_answer = True
            process.send((task, arguments))
            kind = frames.ROWS
            while kind == frames.ROWS:
                if process is not self._process:
                    raise RuntimeError("another file has been asked for meanwhile")
                kind, length, content = process.frames.read()
                self._is_amid_an_answer = kind == frames.ROWS
                if kind == frames.UNKNOWN:
                    brief = {"brief": "an uploaded file cannot be read"}
                    logger.error("%s cannot be read\n%s", name, content, extra=brief)
                    raise refused("unreadable", name)
                if kind == frames.REFUSED:
                    problems = (Problem(**problem) for problem in content)
                    raise TableError(*(replace(each, file=each.file or name) for each in problems))
                yield kind, length, content
        except frames.TimeUpError:
            self._stop()
            raise TableError(self._too_slow(name)) from None
        except (frames.BrokenFrameError, BrokenPipeError):
            raise TableError(self._broken_off(name)) from None

    def _new_folder(self) -> Path:
        """Return an empty folder for a process: what one that was ended left is gone."""
        if self._folder is not None:
            self._folder.cleanup()
        self._folder = tempfile.TemporaryDirectory(prefix="touchstone-", ignore_cleanup_errors=True)
        return Path(self._folder.name)

    def _waiting(self) -> None:
        left = self._process.frames.seconds if self._process else self._seconds
        seconds = int(self._limits.seconds - left)
        self._progress(f"reading {self._name}: {seconds:,} s so far", self.usage.rows, 0)

    def _stop(self, *, at_once: bool = True) -> int:
        """End the process; return how it ended."""
        process, self._process, self._is_amid_an_answer = self._process, None, False
        if process is None:
            return 0
        self._seconds = process.frames.seconds
        return process.end(at_once=at_once)

    def _broken_off(self, name: str) -> Problem:
        """Say why the process ended without an answer."""
        ended = self._stop(at_once=False)
        if ended == -signal.SIGXCPU:
            return self._too_slow(name)
        logger.error("%s ended the process that read it: %s", name, ended)
        return problem("ends-the-program", name, most=self._limits.memory_bytes >> 20)

    def _too_slow(self, name: str) -> Problem:
        return problem("time", name, seconds=self._limits.seconds)
