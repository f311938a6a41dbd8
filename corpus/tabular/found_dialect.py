"""How a delimited file is written, told from its first lines; to be shown before it is believed."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import islice

from corpus.tabular.column_contents import is_number
from corpus.tabular.column_names import canonical
from corpus.tabular.field_scan import sniff_delimiter
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile, open_bytes
from corpus.tabular.limits import Limits
from corpus.tabular.physical_lines import EndlessLineError, PhysicalLines, UndecodableByteError
from corpus.tabular.readers import WHITESPACE, Dialect
from corpus.tabular.white_space import collapsed

SAMPLED_LINES = 50
LONGEST_SAMPLED = 1 << 18
COMMENT = "#"
LONG_CELL = 60
_DELIMITERS = (",", ";", "\t", "|", WHITESPACE)


def found_dialect(
    source: SourceFile, dialect: Dialect, limits: Limits, names: Collection[str] = ()
) -> Dialect:
    """Say how a file is written where nobody has said: separator, comments, header.

    Parameters
    ----------
    source
        A file of the format CSV or TSV.
    dialect
        What is said of it, which stays.
    limits
        How much the file may hold.
    names
        Known names of columns (`known_names`): a line with some of them is a header.

    Returns
    -------
    Dialect
        With header and comment; with a delimiter only where it is not the one that every reading
        finds in the first line.
    """
    lines = _first_lines(source, dialect, limits)
    if dialect.comment is None:
        dialect = replace(dialect, comment=_comment(lines, dialect.quote))
    if dialect.comment:
        lines = [line for line in lines if not line.startswith(dialect.comment)]
    usual = "\t" if source.format == "tsv" else sniff_delimiter(lines[0] if lines else "")
    delimiter = dialect.delimiter or _delimiter(lines, usual, dialect.quote)
    if delimiter != usual:
        dialect = replace(dialect, delimiter=delimiter)
    if dialect.header is None:
        rows = _rows(lines, delimiter, dialect.quote)
        dialect = replace(dialect, header=not begins_with_data(rows, names))
    return dialect


def known_names(specs: Iterable[TableSpec]) -> frozenset[str]:
    """Return the names of columns by which tables are recognised."""
    return frozenset(
        canonical(name)
        for spec in specs
        for field in spec.fields
        for name in (field.name, *field.synonyms, *field.synonyms_if_named)
    )


def _first_lines(source: SourceFile, dialect: Dialect, limits: Limits) -> list[str]:
    """Return the first lines that are not empty; reading says what is wrong with them."""
    found: list[str] = []
    with open_bytes(source, limits) as stream:
        lines = PhysicalLines(stream, source.name, dialect.encoding, limits)
        try:
            for line in islice(lines, SAMPLED_LINES):
                lines.release()
                found.append(line)
                if sum(map(len, found)) > LONGEST_SAMPLED:
                    break
        except (UndecodableByteError, EndlessLineError):
            pass
    return [line for line in found if not line.isspace()]


def _rows(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """Return the rows of some lines; without the last, which may go on, if there are many."""
    if delimiter == WHITESPACE:
        lines, delimiter = [collapsed(line, quote) for line in lines], " "
    try:
        rows = list(
            csv.reader(
                lines,
                delimiter=delimiter,
                quotechar=quote or None,
                quoting=csv.QUOTE_MINIMAL if quote else csv.QUOTE_NONE,
            )
        )
    except (csv.Error, TypeError, ValueError):
        return []
    return [row for row in (rows[:-1] if len(lines) >= SAMPLED_LINES else rows) if row]


def _delimiter(lines: Sequence[str], usual: str, quote: str) -> str:
    """Return the usual delimiter, unless it fits no line and another one fits all."""
    if _width(_rows(lines, usual, quote)) is None and len(lines) > 1:
        for delimiter in _DELIMITERS:
            if _width(_rows(lines, delimiter, quote)) is not None:
                return delimiter
    return usual


def _width(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the number of fields of rows that have all the same, and several."""
    widths = set(map(len, rows))
    return widths.pop() if len(widths) == 1 and widths != {1} else None


def _comment(lines: Sequence[str], quote: str) -> str:
    """Return how comments begin: the first line is one if it has not the fields of the others."""
    if not lines or not lines[0].startswith(COMMENT):
        return ""
    rest = [line for line in lines if not line.startswith(COMMENT)]
    if not rest:
        return ""
    delimiter = _delimiter(rest, sniff_delimiter(rest[0]), quote)
    first, second = (_rows([line], delimiter, quote) for line in (lines[0], rest[0]))
    return COMMENT if [len(row) for row in first] != [len(row) for row in second] else ""


def begins_with_data(rows: Sequence[Sequence[str]], names: Collection[str]) -> bool:
    """Whether the first row looks like those below it rather than like names of columns."""
    if len(rows) < 2:
        return False
    first = rows[0]
    others = [row for row in rows[1:] if len(row) == len(first) and row != first]
    known = sum(canonical(cell) in names for cell in first)
    if not others or known > 1 or 2 * known >= len(first):
        return False
    columns = [(cell, [row[n] for row in others if row[n]]) for n, cell in enumerate(first)]
    numbers = [
        (cell, is_number(cell)) for cell, below in columns if all(map(is_number, below)) and below
    ]
    if any(cell and not fits for cell, fits in numbers):
        return False
    values = [float(cell) for cell, fits in numbers if fits]
    if values and not _counts(values):
        return True
    filled = [cell for cell in first if cell]
    return (
        len(set(filled)) < len(filled)
        or any(cell and cell in below for cell, below in columns)
        or any(len(cell) > LONG_CELL and _is_long(below) for cell, below in columns)
    )


def _is_long(cells: Sequence[str]) -> bool:
    return bool(cells) and sum(map(len, cells)) > LONG_CELL / 2 * len(cells)


def _counts(values: Sequence[float]) -> bool:
    """Whether numbers are 1, 2, 3, … or 0, 1, 2, …: names of columns, such as those of raters."""
    return len(values) > 1 and list(values) in (
        list(range(len(values))),
        list(range(1, len(values) + 1)),
    )
