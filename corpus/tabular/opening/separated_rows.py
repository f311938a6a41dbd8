"""The rows of delimited files by Python's own reader, which says where what is wrong begins."""

import csv
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import WHITESPACE, Dialect, SourceFile
from corpus.tabular.opening.text_files import lines
from corpus.tabular.problems import Problem, ProblemLog, problem, refused, shorten

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
            yield spaced(line, self.dialect.quote, len(held) > 1) if collapses else line

    def _wrong(self, *, is_open: bool) -> Problem:
        """Return what is wrong with quotes: one that is open, or text after one that closes."""
        kind = "text-after-quote-of-lines" if len(self._held) > 1 else "text-after-quote"
        found = shorten(self._held[0].rstrip("\r\n"))
        return problem("open-quote" if is_open else kind, self.source.name, found, line=self._begin)


def spaced(line: str, quote: str, is_inside: bool = False) -> str:
    """Return a physical line with spaces for tabs between fields, and nothing behind the last.

    White space in quotes is kept; `is_inside` says that a quote of an earlier line is open.

    Examples
    --------
    >>> spaced('  A \\t "b\\tc"  1 \\n', '"')
    '  A   "b\\tc"  1\\n'
    """
    opened, q = quote * is_inside, re.escape(quote)
    quoted = re.compile(rf"{q}(?:[^{q}]|{q}{q})*(?:{q}|\Z)|\t" if quote else r"\t")
    found = quoted.sub(lambda part: " " if part[0] == "\t" else part[0], opened + line)
    is_open = quote and found.count(quote) % 2
    return found.removeprefix(opened) if is_open else found.removeprefix(opened).rstrip() + "\n"


def csv_reader(fed: Iterable[str], dialect: Dialect, name: str):  # type: ignore[no-untyped-def]
    """Return Python's reader of delimited lines; `TableError` if no file is written like this."""
    try:
        return csv.reader(
            fed,
            strict=True,
            skipinitialspace=dialect.delimiter == WHITESPACE,
            delimiter=" " if dialect.delimiter == WHITESPACE else dialect.delimiter or ",",
            quotechar=dialect.quote or None,
            quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
        )
    except (TypeError, ValueError):
        delimiter, quote = dialect.delimiter, dialect.quote
        raise refused("written-otherwise", name, delimiter=delimiter, quote=quote) from None
