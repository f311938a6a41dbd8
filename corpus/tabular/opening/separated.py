"""Files whose fields are separated: how they are written, their first rows, and the whole table."""

import csv
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from pathlib import Path

import duckdb

from corpus.tabular.database import load_texts, read_texts
from corpus.tabular.limits import Limits
from corpus.tabular.opening.files import WHITESPACE, Dialect, SourceFile, check_columns
from corpus.tabular.opening.headers import Header, header_of
from corpus.tabular.opening.separated_rows import Rows, csv_reader, spaced
from corpus.tabular.opening.text_files import CHUNK, as_utf_8, encoding_of, lines
from corpus.tabular.problems import ProblemLog, TableError, problem, refused, unstorable_text
from corpus.tabular.sql import quoted, table_name

SAMPLED = 60
COMMENT = "#"
SHORT = "rows filled up with empty fields, because they have fewer than the header"
_DELIMITERS = (",", ";", "\t", "|", WHITESPACE)
_MOST = 0.6


@dataclass
class Separated:
    """A delimited file as it is to be read.

    Attributes
    ----------
    source, dialect, limits
        The file, how it is written (nothing left open), and how much it may hold.
    header
        Its top.
    skipped
        Physical lines before the first row of data.
    """

    source: SourceFile
    dialect: Dialect
    limits: Limits
    header: Header
    skipped: int
    log: ProblemLog = field(default_factory=ProblemLog)

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.header.names

    def rows(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the physical line on which each row of data begins, and its fields as written.

        Rows that are no rows of the table are left out and logged.
        """
        rows = Rows(self.source, self.dialect, self.limits, self.log)
        longest, width = self.limits.field_characters, len(self.columns)
        for number, row in rows:
            if number <= self.skipped or not row:
                continue
            if len(row) > width:
                self._refuse("too-many-fields", number, len(row))
            elif len(row) < width and self._breaks_in_lines and rows.ends_in_return:
                self._refuse("cut-in-two", number, len(row))
            elif max(map(len, row)) > longest:
                self._refuse_long(number, row)
            else:
                self.log.counts[SHORT] += len(row) < width
                yield number, row

    def load(
        self,
        connection: duckdb.DuckDBPyConnection,
        copy: Path,
        first: Callable[[Iterator[list[str]]], Iterable[list[str]]] = iter,
    ) -> None:
        """Make the table; `TableError` with the first rows that cannot be read.

        `first` takes the rows of a table that is not looked at as a whole.

        DuckDB reads what is plain. Whatever it finds fault with, and whatever it might read
        otherwise than it is shown, goes through Python's reader, which knows the lines.
        """
        encoding = self.dialect.encoding or "utf-8"
        is_whole = self.limits.table_rows is None
        path = as_utf_8(self.source, encoding, self.limits, copy) if is_whole else None
        if not (path and self._is_plain(path) and self._is_read(connection, path)):
            rows = first(row for _, row in self.rows())
            load_texts(connection, self.source.name, self.columns, rows, copy.with_suffix(".rows"))
            self.log.raise_if_any()

    @cached_property
    def _end(self) -> str:
        """How lines end."""
        first = next(lines(self.source, self.dialect.encoding or "utf-8", self.limits), "")
        return first[len(first.rstrip("\r\n")) :]

    @property
    def _breaks_in_lines(self) -> bool:
        return self._end != "\r"

    def _is_plain(self, path: Path) -> bool:
        """Whether DuckDB reads a copy as Python does."""
        if self.dialect.comment or self.dialect.delimiter == WHITESPACE or self.skipped > 1:
            return False
        quote, delimiter = self.dialect.quote, self.dialect.delimiter or ","
        spaced = re.compile(f"[\n{re.escape(delimiter)}] +{re.escape(quote)}")
        returns = 0
        with path.open(encoding="utf-8", newline="") as stream:
            while text := stream.read(CHUNK):
                text = f"\n{text}{stream.readline()}"
                returns += text.count("\r") - text.count("\r\n")
                if returns or (quote and f" {quote}" in text and spaced.search(text)):
                    return False
        return any(self.columns) and self._end != "\r"

    def _is_read(self, connection: duckdb.DuckDBPyConnection, path: Path) -> bool:
        """Make the table of a plain copy; return whether nothing is odd about it."""
        quote = self.dialect.quote
        written = {"delim": self.dialect.delimiter or ",", "quote": quote, "escape": quote}
        written["new_line"] = "\\r\\n" if self._end == "\r\n" else "\\n"
        longest = 4 * self.limits.record_characters
        further = f", skip = {self.skipped}, store_rejects = true, rejects_limit = 1"
        try:
            read_texts(
                connection, self.source.name, self.columns, path, longest, further, **written
            )
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error:
            return False
        table = table_name(self.source.name)
        lengths = ", ".join(f"max(strlen({quoted(name)}))" for name in self.columns)
        last = quoted(self.columns[-1])
        query = f"SELECT greatest({lengths}, 0), bool_or({last} IS NULL) FROM {table}"
        found, is_short = connection.execute(query).fetchone() or (0, False)
        (rejected,) = connection.execute("SELECT count(*) FROM reject_errors").fetchone() or (0,)
        connection.execute("DROP TABLE reject_errors")
        connection.execute("DROP TABLE reject_scans")
        # A quote that is never closed makes a short row at the end.
        return not (rejected or is_short or found > self.limits.field_characters)

    def _refuse(self, kind: str, number: int, fields: int) -> None:
        width = len(self.columns)
        self.log.add(problem(kind, self.source.name, line=number, fields=fields, width=width))

    def _refuse_long(self, number: int, row: Sequence[str]) -> None:
        limit = self.limits.field_characters
        place = next(n for n, cell in enumerate(row) if len(cell) > limit)
        name, column = self.source.name, self.columns[place]
        self.log.add(unstorable_text(name, row[place], limit, line=number, column=column))


def separated(
    source: SourceFile, dialect: Dialect, limits: Limits, known: Collection[str] = ()
) -> Separated:
    """Say how a file is written where nobody has said: encoding, separator, comments, header.

    Raises
    ------
    TableError
        If the file is empty, is no text, or has too many columns.
    """
    encoding = encoding_of(source, dialect.encoding, limits)
    first = list(islice(lines(source, encoding, limits), SAMPLED))
    full = [line for line in first if line.strip()]
    dialect = replace(dialect, encoding=encoding)
    if dialect.comment is None:
        dialect = replace(dialect, comment=_comment(full, dialect.quote))
    if dialect.comment:
        full = [line for line in full if not line.startswith(dialect.comment)]
    if not full:
        raise refused("empty-table", source.name)
    usual = "\t" if source.format == "tsv" else _usual(full)
    delimiter = dialect.delimiter or _delimiter(full, usual, dialect.quote)
    dialect = replace(dialect, delimiter=delimiter)
    top = _top(source, dialect, limits)
    header = header_of([row for _, row in top], known, said=dialect.header)
    check_columns(source.name, header.names, limits)
    has_header = header.rows > 0
    if not isinstance(dialect.header, tuple):
        dialect = replace(dialect, header=has_header)
    return Separated(source, dialect, limits, header, _lines_above(top, header))


def _top(source: SourceFile, dialect: Dialect, limits: Limits) -> list[tuple[int, list[str]]]:
    """Return the first rows; `TableError` if the very first is none."""
    log = ProblemLog(1)
    top = list(islice(Rows(source, dialect, limits, log), SAMPLED))
    first = next((number for number, row in top if any(row)), sys.maxsize)
    if log and (log.problems[0].line or 0) < first:
        raise TableError(*log.problems)
    if not any(any(row) for _, row in top):
        raise refused("empty-table", source.name)
    return top


def _lines_above(top: Sequence[tuple[int, list[str]]], header: Header) -> int:
    """Return the physical line before the first row of data."""
    rows = top[header.skip :]
    filled = [place for place, (_, row) in enumerate(rows) if any(row)]
    last = filled[header.rows - 1] if header.rows else -1
    first = next((number for number, row in rows[last + 1 :] if row), None)
    return rows[last][0] if first is None else first - 1


def _rows(found: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """Return the rows of some lines; without the last, which may go on, if there are many."""
    dialect = Dialect(delimiter=delimiter, quote=quote)
    if delimiter == WHITESPACE:
        found = [spaced(line, quote) for line in found]
    try:
        rows = list(csv_reader(found, dialect, ""))
    except (csv.Error, TableError):
        return []
    return [row for row in (rows[:-1] if len(found) >= SAMPLED else rows) if row]


def _usual(found: Sequence[str]) -> str:
    """Return what the first lines have most of, outside quotes, of comma, semicolon and tab."""
    head = re.sub(r'"[^"]*"', "", found[0])
    return max(",;\t", key=head.count)


def _delimiter(found: Sequence[str], usual: str, quote: str) -> str:
    """Return the usual delimiter, unless most lines do not agree on it and do on another."""
    fits = {each: _agreement(_rows(found, each, quote)) for each in (usual, *_DELIMITERS)}
    best = max(fits, key=lambda each: fits[each])
    return usual if fits[usual] >= _MOST or fits[best] < _MOST else best


def _agreement(rows: Sequence[Sequence[str]]) -> float:
    """Return the share of rows that have the commonest number of fields, which are several."""
    widths = Counter(map(len, rows))
    width, count = widths.most_common(1)[0] if widths else (1, 0)
    return count / len(rows) if width > 1 else 0.0


def _comment(found: Sequence[str], quote: str) -> str:
    """Return how comments begin: the first line is one if it has not the fields of the others."""
    rest = [line for line in found if not line.startswith(COMMENT)]
    if not rest or not found[0].startswith(COMMENT):
        return ""
    delimiter = _delimiter(rest, _usual(rest), quote)
    first, second = (_rows([line], delimiter, quote) for line in (found[0], rest[0]))
    return COMMENT if [len(row) for row in first] != [len(row) for row in second] else ""
