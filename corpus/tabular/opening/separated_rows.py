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
from corpus.tabular.problems import Problem, ProblemLog, problem, refused, shorten

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
                most = self.limits.record_characters
                raise refused("long-row", self.source.name, line=self._begin, most=most)
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
        kind = "text-after-quote-of-lines" if len(self._held) > 1 else "text-after-quote"
        found = shorten(self._held[place].rstrip("\r\n"))
        kind = "open-quote" if is_open else kind
        return problem(kind, self.source.name, found, line=self._begin + place)

    def _open_quote(self) -> int:
        """Return the line of the row in which a quote opens that nothing closes."""
        runs = re.compile(f"{re.escape(self.dialect.quote)}+")
        return max(
            number
            for number, line in enumerate(self._held)
            if any(len(run) % 2 for run in runs.findall(line))
        )


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
        delimiter, quote = dialect.delimiter, dialect.quote
        raise refused("written-otherwise", name, delimiter=delimiter, quote=quote) from None
