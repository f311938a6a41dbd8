"""Comma, semicolon and tab separated files (RFC 4180), with the exact place of every field."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Iterator
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
from corpus.tabular.readers import Dialect, Spot

# The csv module's own limit belongs to the whole process and cannot differ between readers;
# readers here bound lines, records and fields themselves.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


class DelimitedReader(RecordAtHand):
    """Records of a CSV or TSV file.

    Parameters
    ----------
    source, stream
        The file and its bytes.
    dialect
        Encoding, delimiter and quote, where the owner named them.
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
        self._line = 1
        self.columns: tuple[str, ...] = ()
        lines = iter(self._lines)
        try:
            first = next(lines, "")
        except (UndecodableByteError, EndlessLineError) as error:
            self.delimiter: str | None = dialect.delimiter or ","
            raise self._unreadable(error) from error
        # It is handed out a second time, to the csv module.
        default = "\t" if source.format == "tsv" else sniff_delimiter(first)
        self.delimiter = dialect.delimiter or default
        self._csv = self._csv_reader(itertools.chain([first] if first else [], lines))
        self._read_header()

    def _csv_reader(self, lines: Iterator[str]) -> Any:
        try:
            return csv.reader(
                lines,
                strict=True,
                delimiter=self.delimiter or ",",
                quotechar=self._quote or None,
                quoting=csv.QUOTE_MINIMAL if self._quote else csv.QUOTE_NONE,
            )
        except (TypeError, ValueError) as error:
            raise TableError(
                Problem(
                    self._name,
                    found=f"delimiter {self.delimiter!r}, quote {self._quote!r}",
                    expected="one character each",
                    message="Correct them in the mapping.",
                    code="mapping",
                )
            ) from error

    def _read_header(self) -> None:
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
        self._check_header(header)
        self.columns = tuple(name or f"column {n}" for n, name in enumerate(header, 1))
        self._lines.release()

    def _check_header(self, header: list[str]) -> None:
        if self._lines.has_nul and any("\0" in text for text in self._lines.held):
            raise TableError(self._nul())
        if max(map(len, header)) > self._limits.field_characters:
            raise TableError(self._long_field())
        check_columns(self._name, header, self._limits)
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

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where field `index` of the record handed out last begins."""
        offset, position = self._scan().starts[index]
        return Spot(self._line + offset, position)

    def _is_sound(self, row: list[str]) -> bool:
        """Look closely at a row that is unusual; log what is wrong with it."""
        if self._lines.has_nul and any("\0" in text for text in self._lines.held):
            self._log.add(self._nul())
        elif len(row) != len(self.columns):
            self._log.add(self._wrong_width(row))
        elif max(map(len, row)) > self._limits.field_characters:
            self._log.add(self._long_field())
        else:
            return True
        return False
