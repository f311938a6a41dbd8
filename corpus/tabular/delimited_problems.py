"""What is wrong with a record of a delimited file, and where."""

from __future__ import annotations

import csv

from corpus.tabular.field_scan import RecordScan, scan_record
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import (
    EndlessLineError,
    PhysicalLines,
    UndecodableByteError,
    undecodable,
)
from corpus.tabular.problems import Problem, TableError, shorten
from corpus.tabular.readers import Spot

NOTHING_AFTER = "Nothing after this place was checked."


class RecordAtHand:
    """The record that a reader of a delimited file has before it, as far as problems name it."""

    _name: str
    _limits: Limits
    _lines: PhysicalLines
    _line: int
    _quote: str
    columns: tuple[str, ...]
    shortest: int
    delimiter: str | None

    def spot(self, index: int, label: str | None = None) -> Spot:
        """Say where field `index` of the record handed out last begins; the end if it lacks it."""
        held, starts = self._lines.held, self._scan().starts
        if index >= len(starts):
            return Spot(self._line + len(held) - 1, len(held[-1].rstrip("\r\n")) + 1)
        offset, position = starts[index]
        return Spot(self._line + offset, position)

    def _scan(self, partial: str = "") -> RecordScan:
        held = [*self._lines.held, partial] if partial else self._lines.held
        return scan_record(held, self.delimiter or ",", self._quote)

    def _column(self, index: int) -> str | None:
        return self.columns[index] if index < len(self.columns) else None

    def _wrong_width(self, row: list[str]) -> Problem:
        held, width = self._lines.held, len(self.columns)
        if len(row) > width:
            line, position = self.spot(width)
            column, found = None, f"{len(row)} fields"
            advice = "Put texts that hold the delimiter in double quotes."
        else:
            line, position = self._line + len(held) - 1, len(held[-1].rstrip("\r\n")) + 1
            column, found = self.columns[len(row)], f"{len(row)} fields"
            needed = self.columns[self.shortest - 1]
            advice = f"Add the fields that are missing, empty if need be, up to {needed}."
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
                "The quote that opens here is not closed: close it, double it if it belongs to the "
                "text, or set the quote character to none."
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
