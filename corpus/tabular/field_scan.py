"""Where the fields of a delimited record begin, found again once a place has to be named."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.tabular.readers import WHITESPACE
from corpus.tabular.white_space import spans


@dataclass(frozen=True)
class RecordScan:
    """The fields of one record in its physical lines.

    Attributes
    ----------
    starts
        Per field the physical line (from 0, within the record) and the character (from 1).
    lengths
        Per field its characters as written, with quotes and the record's line end.
    broken
        Index of the first field with more text after its closing quote, if there is one.
    """

    starts: tuple[tuple[int, int], ...]
    lengths: tuple[int, ...]
    broken: int | None

    def field_at(self, number: int, position: int) -> int:
        """Return the index of the field that covers a place."""
        return sum(start <= (number, position) for start in self.starts) - 1


def scan_record(lines: Sequence[str], delimiter: str, quote: str) -> RecordScan:
    """Find the fields of a record as `csv` in its strict mode reads them.

    A quote opens a field only as its first character; a doubled one inside quotes is a
    character. An empty `quote` means that quotes are characters like any other.

    Examples
    --------
    >>> scan_record(['a,"b\\n', 'c",d\\n'], ",", '"').starts
    ((0, 1), (0, 3), (1, 4))
    """
    if delimiter == WHITESPACE:
        return _scan_runs(lines, quote)
    starts = [(0, 1)]
    broken: int | None = None
    fresh, quoted, closing = True, False, False
    for number, text in enumerate(lines):
        for index, character in enumerate(text):
            if quoted:
                if character == quote:
                    quoted, closing = False, True
            elif character == quote and (fresh or closing):
                quoted, fresh, closing = True, False, False
            elif character == delimiter:
                starts.append((number, index + 2))
                fresh, closing = True, False
            else:
                if closing and broken is None and character not in "\r\n":
                    broken = len(starts) - 1
                fresh = closing = False
    before = list(itertools.accumulate(map(len, lines), initial=0))
    offsets = [before[number] + position - 1 for number, position in starts]
    ends = [offset - 1 for offset in offsets[1:]] + [before[-1]]
    lengths = tuple(end - begin for begin, end in zip(offsets, ends, strict=True))
    return RecordScan(tuple(starts), lengths, broken)


def _scan_runs(lines: Sequence[str], quote: str) -> RecordScan:
    """Find fields between runs of white space; only the last can go on in further lines."""
    found = spans(lines[0], quote) or [(0, 0)]
    lengths = [end - begin for begin, end in found]
    lengths[-1] += sum(map(len, lines[1:]))
    return RecordScan(tuple((0, begin + 1) for begin, _ in found), tuple(lengths), None)


def sniff_delimiter(header: str) -> str:
    """Return the one of ``,`` ``;`` and tab that the header line has most of outside quotes."""
    outside = "".join(header.split('"')[::2])
    return max(",;\t", key=outside.count)
