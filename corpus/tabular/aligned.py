"""Plain files with one text per line, read side by side."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from corpus.tabular.files import SourceFile, open_bytes
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import (
    EndlessLineError,
    PhysicalLines,
    UndecodableByteError,
    undecodable,
)
from corpus.tabular.problems import Problem, ProblemLog, TableError
from corpus.tabular.readers import Dialect, Spot


class AlignedReader:
    """Records of a text file and its companions: the line's number, its text, and theirs.

    The number is the record's key (``1``, ``2``, …). Texts come without their line end and
    otherwise as they are; a final line break makes no further text.

    Parameters
    ----------
    source
        The file, with its `companions`; `plan_lines` has checked that all are equally long.
    dialect, limits, log
        As for `DelimitedReader`; of the dialect only the encoding matters.
    """

    delimiter: str | None = None

    def __init__(
        self, source: SourceFile, dialect: Dialect, limits: Limits, log: ProblemLog
    ) -> None:
        self._source = source
        self._dialect = dialect
        self._limits = limits
        self._log = log
        self._line = 0
        self.encoding: str | None = dialect.encoding or "utf-8"
        names = [f"text {n}" for n in range(2, len(source.companions) + 2)]
        self.columns: tuple[str, ...] = ("line", "text", *names)

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        files = [self._source, *self._source.companions]
        with ExitStack() as stack:
            streams = [stack.enter_context(open_bytes(file, self._limits)) for file in files]
            texts = [
                self._texts(
                    file, PhysicalLines(stream, file.name, self._encoding, self._limits, "file")
                )
                for file, stream in zip(files, streams, strict=True)
            ]
            # Of files that are not equally long the check before has spoken.
            for number, row in enumerate(zip(*texts, strict=False), 1):
                self._line = number
                if self._is_sound(files, row):
                    yield number, [str(number), *row]

    @property
    def _encoding(self) -> str | None:
        return self._dialect.encoding

    def _texts(self, file: SourceFile, lines: PhysicalLines) -> Iterator[str]:
        number = 0
        try:
            for text in lines:
                number += 1
                lines.release()
                yield _without_end(text)
        except UndecodableByteError as error:
            raise TableError(undecodable(file.name, number + 1, None, error)) from error
        except EndlessLineError as error:
            raise TableError(self._too_long(file, number + 1)) from error

    def _is_sound(self, files: list[SourceFile], row: tuple[str, ...]) -> bool:
        """Log a text that is too long or holds a NUL character."""
        for file, text in zip(files, row, strict=True):
            if len(text) > self._limits.field_characters:
                self._log.add(self._too_long(file, self._line))
                return False
            if "\0" in text:
                self._log.add(
                    Problem(
                        file.name,
                        line=self._line,
                        position=text.index("\0") + 1,
                        found="a NUL character",
                        expected="text",
                        message="Remove it, or export the file again as UTF-8 text.",
                        code="nul",
                    )
                )
                return False
        return True

    def _too_long(self, file: SourceFile, line: int) -> Problem:
        limit = self._limits.field_characters
        return Problem(
            file.name,
            line=line,
            position=1,
            found=f"a line of more than {limit} characters",
            expected=f"at most {limit}",
            message="Write one text per line.",
            code="field-size",
        )

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where the text stands: always a whole line."""
        return Spot(self._line, 1)


def _without_end(text: str) -> str:
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1] if text.endswith(("\n", "\r")) else text


def count_lines(source: SourceFile, dialect: Dialect, limits: Limits) -> int:
    """Return how many texts a file holds."""
    alone = SourceFile(source.path, source.name, source.format, source.gzipped)
    rejected = ProblemLog(limit=0)
    accepted = sum(1 for _ in AlignedReader(alone, dialect, limits, rejected))
    return accepted + rejected.count
