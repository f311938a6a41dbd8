"""Comma, semicolon and tab separated files (RFC 4180), with the exact place of every field."""

from __future__ import annotations

import csv
import itertools
import sys
from collections.abc import Iterator
from typing import Any

from corpus.tabular.field_scan import RecordScan, scan_record, sniff_delimiter
from corpus.tabular.files import BoundedStream, SourceFile, check_columns
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import (
    EndlessLineError,
    PhysicalLines,
    UndecodableByteError,
    undecodable,
)
from corpus.tabular.problems import Problem, ProblemLog, TableError, shorten
from corpus.tabular.readers import Dialect, Spot

# The csv module's own limit belongs to the whole process and cannot differ between readers;
# readers here bound lines, records and fields themselves.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))

NOTHING_AFTER = "Nothing after this place was checked."


class DelimitedReader:
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

    def _scan(self, partial: str = "") -> RecordScan:
        held = [*self._lines.held, partial] if partial else self._lines.held
        return scan_record(held, self.delimiter or ",", self._quote)

    def _column(self, index: int) -> str | None:
        return self.columns[index] if index < len(self.columns) else None

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

    def _wrong_width(self, row: list[str]) -> Problem:
        held, width = self._lines.held, len(self.columns)
        if len(row) > width:
            line, position = self.spot(width)
            column, found = None, f"{len(row)} fields"
            advice = "Put texts that hold the delimiter in double quotes."
        else:
            line, position = self._line + len(held) - 1, len(held[-1].rstrip("\r\n")) + 1
            column, found = self.columns[len(row)], f"{len(row)} fields"
            advice = "Add the fields that are missing, empty if need be."
            if held[-1].endswith("\r"):
                advice = "The line ends at a lone carriage return; put such texts in double quotes."
        return Problem(
            self._name, line, column, position, found, f"{width} fields", advice, "fields"
        )

    def _nul(self) -> Problem:
        number = next(n for n, text in enumerate(self._lines.held) if "\0" in text)
        text = self._lines.held[number]
        index = text.index("\0")
        return Problem(
            self._name,
            line=self._line + number,
            column=self._column(self._scan().field_at(number, index + 1)),
            position=index + 1,
            found="a NUL character",
            expected="text",
            message="Remove it, or export the file again as UTF-8 text.",
            code="nul",
        )

    def _long_field(self, partial: str = "") -> Problem:
        """Describe the longest field of the record at hand, which is too long."""
        scan = self._scan(partial)
        index = max(range(len(scan.lengths)), key=scan.lengths.__getitem__)
        number, position = scan.starts[index]
        what, limit = "field", self._limits.field_characters
        if scan.lengths[index] <= limit:
            what, limit = "record", self._limits.record_characters
        return Problem(
            self._name,
            line=self._line + number,
            column=self._column(index),
            position=position,
            found=f"a {what} of more than {limit} characters",
            expected=f"at most {limit}",
            message="Look for a quote that is never closed, or shorten the text."
            + (f" {NOTHING_AFTER}" if partial else ""),
            code="field-size",
        )

    def _broken_quotes(self, error: csv.Error) -> Problem:
        """Describe quotes that do not pair up: where the field opened, and what follows them."""
        held, scan = self._lines.held, self._scan()
        is_open = "unexpected end of data" in str(error)
        index = len(scan.starts) - 1 if is_open or scan.broken is None else scan.broken
        number, position = scan.starts[index]
        text = held[number][position - 1 :].rstrip("\r\n")
        return Problem(
            self._name,
            line=self._line + number,
            column=self._column(index),
            position=position,
            found=shorten(text),
            expected="a closing quote before the next delimiter",
            message=(
                "The quote that opens here is not closed."
                if is_open
                else "After the closing quote of this field comes more text; double the quotes "
                "inside it, or set the quote character to none."
            )
            + (f" {NOTHING_AFTER}" if is_open or len(held) > 1 else ""),
            code="open-quote" if is_open else "quote",
        )

    def _unreadable(self, error: UndecodableByteError | EndlessLineError) -> TableError:
        """Describe what stopped the physical lines."""
        held = self._lines.held
        if isinstance(error, EndlessLineError):
            problem = self._long_field(error.partial)
        else:
            column = self._column(len(self._scan(error.partial).starts) - 1)
            problem = undecodable(self._name, self._line + len(held), column, error)
        return TableError(problem)
