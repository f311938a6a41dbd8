"""The rows of delimited files by Python's own reader, which says where what is wrong begins."""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import WHITESPACE, Dialect, SourceFile
from corpus.tabular.opening.text_files import lines
from corpus.tabular.problems import Problem, ProblemLog, TableError, refused, shorten

_RUN = re.compile(r"[ \t]+")
_ENDS = " \t\r\n"


def collapsed(line: str, quote: str) -> str:
    """Return a physical line with one space between fields, and none around them.

    A field that begins with a quote ends with one, and keeps the white space in it.

    Examples
    --------
    >>> collapsed('  A \\t "b  c"  1 \\n', '"')
    'A "b  c" 1\\n'
    """
    if not quote or quote not in line:
        return " ".join(_RUN.split(line.strip(_ENDS))) + "\n"
    fields = [line[start:end] for start, end in spans(line, quote)]
    # A quote that is not closed goes on in the next line, whose end belongs to the text.
    return " ".join(fields) + ("" if fields and fields[-1].endswith("\n") else "\n")


def spans(line: str, quote: str) -> list[tuple[int, int]]:
    """Return begin and end of each field of a physical line."""
    return [found.span() for found in _fields(quote).finditer(line)]


def _fields(quote: str) -> re.Pattern[str]:
    if not quote:
        return re.compile(r"[^ \t\r\n]+")
    q = re.escape(quote)
    return re.compile(rf"{q}(?:[^{q}]|{q}{q})*(?:{q}[^ \t\r\n]*|\Z)|[^ \t\r\n]+")


COMMENTS = "comment lines passed over"
_NOTHING_AFTER = " Nothing after this place was checked."
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


@dataclass
class Rows:
    """The rows of a file with the physical lines on which they begin.

    Attributes
    ----------
    source, dialect, limits
        The file, how it is written, and how much one row may hold.
    log
        Takes rows that cannot be read, and counts comments.
    """

    source: SourceFile
    dialect: Dialect
    limits: Limits
    log: ProblemLog
    _held: list[str] = field(default_factory=list)
    _line: int = 0

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the line and the fields of each row, of an empty line none."""
        reader = csv_reader(self._fed(), self.dialect, self.source.name)
        while True:
            self._held.clear()
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                self.log.add(self._wrong(is_open="end of data" in str(error)))
                if len(self._held) > 1:
                    return
                continue
            yield self._begin, row

    @property
    def ends_in_return(self) -> bool:
        """Whether a lone carriage return ended the row handed out last."""
        return bool(self._held) and self._held[-1].endswith("\r")

    @property
    def _begin(self) -> int:
        return self._line - max(len(self._held) - 1, 0)

    def _fed(self) -> Iterator[str]:
        collapses, comment = self.dialect.delimiter == WHITESPACE, self.dialect.comment
        held, size = self._held, 0
        encoding = self.dialect.encoding or "utf-8"
        for number, line in enumerate(lines(self.source, encoding, self.limits), 1):
            self._line = number
            if comment and not held and line.startswith(comment):
                self.log.counts[COMMENTS] += 1
                continue
            size = size + len(line) if held else len(line)
            held.append(line)
            if size > self.limits.record_characters:
                raise TableError(self._too_long())
            yield self._collapsed(line) if collapses else line

    def _collapsed(self, line: str) -> str:
        """Return a line with single spaces between fields; white space in quotes is kept."""
        quote, inside = self.dialect.quote, 0
        if len(self._held) > 1:
            q = re.escape(quote)
            found = re.match(f"(?:[^{q}]|{q}{q})*{q}?", line)
            inside = found.end() if found else 0
        rest = collapsed(line[inside:], quote)
        return line[:inside] + (" " if inside and rest.strip() else "") + rest * bool(line[inside:])

    def _wrong(self, *, is_open: bool) -> Problem:
        """Return what is wrong with quotes: one that is open, or text after one that closes."""
        place = self._open_quote() if is_open else 0
        if is_open:
            message = "The quote on this line is not closed." + _NOTHING_AFTER
        else:
            message = "Text follows a closing quote: double quotes that are part of a quoted text."
            message += _NOTHING_AFTER if len(self._held) > 1 else ""
        expected = "a closing quote" if is_open else "a delimiter after a closing quote"
        line, code = self._begin + place, "open-quote" if is_open else "quote"
        found = shorten(self._held[place].rstrip("\r\n"))
        return Problem(self.source.name, line, None, found, expected, message, code)

    def _open_quote(self) -> int:
        """Return the line of the row in which a quote opens that nothing closes."""
        runs = re.compile(f"{re.escape(self.dialect.quote)}+")
        return max(
            number
            for number, line in enumerate(self._held)
            if any(len(run) % 2 for run in runs.findall(line))
        )

    def _too_long(self) -> Problem:
        limit = self.limits.record_characters
        found, expected = f"a row of more than {limit} characters", f"at most {limit}"
        message = "Shorten it, or look for a quote that is not closed." + _NOTHING_AFTER
        name = self.source.name
        return Problem(name, self._begin, None, found, expected, message, "field-size")


def csv_reader(fed: Iterable[str], dialect: Dialect, name: str):  # type: ignore[no-untyped-def]
    """Return Python's reader of delimited lines; `TableError` if no file is written like this."""
    try:
        return csv.reader(
            fed,
            strict=True,
            delimiter=" " if dialect.delimiter == WHITESPACE else dialect.delimiter or ",",
            quotechar=dialect.quote or None,
            quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        )
    except (TypeError, ValueError):
        found = f"delimiter {dialect.delimiter!r}, quote {dialect.quote!r}"
        expected = f"one character each, or {WHITESPACE} between fields"
        raise refused(name, found, expected, "Correct them.", "mapping") from None
