"""Files whose fields are separated (RFC 4180 and looser), with the exact place of every field."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from corpus.tabular.delimited_problems import RecordAtHand
from corpus.tabular.field_scan import sniff_delimiter
from corpus.tabular.files import BoundedStream, SourceFile, check_columns
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import (
    EndlessLineError,
    PhysicalLines,
    UndecodableByteError,
)
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.readers import WHITESPACE, Dialect
from corpus.tabular.white_space import collapsed

COMMENTS = "comment lines passed over"
SHORT = "rows filled up with empty fields, because they have fewer than the header"
# The csv module's own limit belongs to the whole process and cannot differ between readers;
# readers here bound lines, records and fields themselves.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


class DelimitedReader(RecordAtHand):
    """Records of a CSV or TSV file.

    A row with fewer fields than there are columns is filled up with empty ones, if it has the
    `shortest` number at least: those up to the last column that the records need.

    Parameters
    ----------
    source, stream
        The file and its bytes.
    dialect
        Encoding, delimiter, quote, header and comments, where the owner named them.
    limits
        Longest field and record.
    log
        Takes the problems of single rows.

    Raises
    ------
    TableError
        If the file is empty, is no text, or has a header that names a column twice.
    """

    def __init__(
        self,
        source: SourceFile,
        stream: BoundedStream,
        dialect: Dialect,
        limits: Limits,
        log: ProblemLog,
    ) -> None:
        self._name = source.name
        self._limits = limits
        self._log = log
        self._lines = PhysicalLines(stream, source.name, dialect.encoding, limits)
        self.encoding: str | None = self._lines.encoding
        self._quote = dialect.quote
        self._comment = dialect.comment or ""
        self._line = 1
        self._first_row: list[str] | None = None
        self.columns: tuple[str, ...] = ()
        self.shortest = 0
        lines = iter(self._lines)
        head: list[str] = []
        self.delimiter: str | None = dialect.delimiter
        try:
            for line in lines:
                head.append(line)
                if not (self._comment and line.startswith(self._comment)):
                    break
        except (UndecodableByteError, EndlessLineError) as error:
            raise self._unreadable(error) from error
        default = "\t" if source.format == "tsv" else sniff_delimiter(head[-1] if head else "")
        self.delimiter = dialect.delimiter or default
        self._csv = self._csv_reader(self._fed(head, lines))
        self._read_header(dialect.header)

    def _fed(self, head: list[str], lines: Iterator[str]) -> Iterator[str]:
        """Return the lines for the csv module, those of the head a second time."""
        self._lines.release()
        if self._comment:
            return self._without_comments(itertools.chain(self._again(head), lines))
        if self.delimiter == WHITESPACE:
            return map(self._collapsed, itertools.chain(self._again(head), lines))
        return itertools.chain(self._again(head), lines)

    def _again(self, head: list[str]) -> Iterator[str]:
        for line in head:
            self._lines.held.append(line)
            yield line

    def _without_comments(self, lines: Iterator[str]) -> Iterator[str]:
        """Yield an empty line, of which the csv module makes no row, in place of a comment."""
        held, collapses = self._lines.held, self.delimiter == WHITESPACE
        for line in lines:
            if len(held) == 1 and line.startswith(self._comment):
                self._log.counts[COMMENTS] += 1
                yield "\n"
            else:
                yield self._collapsed(line) if collapses else line

    def _collapsed(self, line: str) -> str:
        """Return a line with single spaces, unless it goes on with a text in quotes."""
        return collapsed(line, self._quote) if len(self._lines.held) == 1 else line

    def _csv_reader(self, lines: Iterator[str]) -> Any:
        try:
            return csv.reader(
                lines,
                strict=True,
                delimiter=" " if self.delimiter == WHITESPACE else self.delimiter or ",",
                quotechar=self._quote or None,
                quoting=csv.QUOTE_MINIMAL if self._quote else csv.QUOTE_NONE,
            )
        except (TypeError, ValueError) as error:
            raise TableError(
                Problem(
                    self._name,
                    found=f"delimiter {self.delimiter!r}, quote {self._quote!r}",
                    expected=f"one character each, or {WHITESPACE} between fields",
                    message="Correct them in the mapping.",
                    code="mapping",
                )
            ) from error

    def _read_header(self, said: tuple[str, ...] | bool | None) -> None:
        """Take the names of the columns from the first row, or keep it as one of data."""
        header = self._read_first_row()
        if said is None or said is True:
            self._check_header(header)
            self.columns = tuple(name or f"column {n}" for n, name in enumerate(header, 1))
            self._lines.release()
        else:
            self._first_row = header
            self.columns = said or tuple(f"column {n}" for n in range(1, len(header) + 1))
            check_columns(self._name, self.columns, self._limits)
            self._check_names(self.columns)

    def _read_first_row(self) -> list[str]:
        header: list[str] = []
        try:
            for header in self._csv:
                if header:
                    break
                self._lines.release()
                self._line = self._csv.line_num + 1
        except (UndecodableByteError, EndlessLineError) as error:
            raise self._unreadable(error) from error
        except csv.Error as error:
            raise TableError(self._broken_quotes(error)) from error
        if not header:
            raise TableError(
                Problem(
                    self._name,
                    line=1,
                    found="an empty file",
                    expected="a header line with the names of the columns",
                    message="Leave the file out if the study has no such table.",
                    code="empty-file",
                )
            )
        return header

    def _check_header(self, header: list[str]) -> None:
        if self._lines.has_nul and any("\0" in text for text in self._lines.held):
            raise TableError(self._nul())
        if max(map(len, header)) > self._limits.field_characters:
            raise TableError(self._long_field())
        check_columns(self._name, header, self._limits)
        self._check_names(header)

    def _check_names(self, header: Sequence[str]) -> None:
        seen: set[str] = set()
        for index, name in enumerate(header):
            if name and name in seen:
                line, position = self.spot(index)
                raise TableError(
                    Problem(
                        self._name,
                        line=line,
                        column=name,
                        position=position,
                        found=shorten(name),
                        expected="a name that no other column has",
                        message="Rename or remove one of the two columns.",
                        code="duplicate-column",
                    )
                )
            seen.add(name)

    def __iter__(self) -> Iterator[tuple[int, list[Any]]]:
        lines, held, rows = self._lines, self._lines.held, self._csv
        width = len(self.columns)
        field_limit = self._limits.field_characters
        if self._first_row is not None:
            if self._is_sound(self._first_row):
                yield self._line, self._first_row
            held.clear()
        self._line = rows.line_num + 1
        while True:
            try:
                for row in rows:
                    usual = len(held) == 1 and not lines.has_nul and len(held[0]) <= field_limit
                    if (usual and len(row) == width) or (row and self._is_sound(row)):
                        yield self._line, row
                    held.clear()
                    self._line = rows.line_num + 1
                return
            except (UndecodableByteError, EndlessLineError) as error:
                raise self._unreadable(error) from error
            except csv.Error as error:
                problem = self._broken_quotes(error)
                if len(held) > 1 or problem.code == "open-quote":
                    raise TableError(problem) from error
                self._log.add(problem)
                held.clear()
                self._line = rows.line_num + 1

    def _is_sound(self, row: list[str]) -> bool:
        """Look closely at a row that is unusual; log what is wrong with it."""
        if self._lines.has_nul and any("\0" in text for text in self._lines.held):
            self._log.add(self._nul())
        elif len(row) > len(self.columns) or not self._may_be_short(row):
            self._log.add(self._wrong_width(row))
        elif max(map(len, row)) > self._limits.field_characters:
            self._log.add(self._long_field())
        else:
            if lacking := len(self.columns) - len(row):
                self._log.counts[SHORT] += 1
                row += [""] * lacking
            return True
        return False

    def _may_be_short(self, row: list[str]) -> bool:
        """Whether a row may lack fields: none that is needed, and no text was cut in two."""
        return len(row) == len(self.columns) or (
            len(row) >= self.shortest and not self._lines.held[-1].endswith("\r")
        )
