"""What a panel says of the people it sent: pasted lists, and its export of submissions."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

KNOWN = (
    *("RESERVED", "ACTIVE", "AWAITING REVIEW", "APPROVED", "PARTIALLY APPROVED"),
    *("RETURNED", "TIMED OUT", "REJECTED", "SCREENED OUT"),
)
"""The statuses of a submission at Prolific, with blanks for hyphens."""
FREEING = ("RETURNED", "TIMED OUT", "REJECTED", "SCREENED OUT")
"""Those after which Prolific sends somebody else."""
MOST_ROWS = 20_000
_PARTICIPANT = ("participant id", "participant", "prolific pid", "worker id", "workerid")
_SESSION = ("submission id", "session id", "submission", "session", "assignment id")
_STATUS = ("status", "submission status")


class ListError(ValueError):
    """A list that cannot be read; the message says why."""


@dataclass(frozen=True)
class Stated:
    """What a list says of one person."""

    identifier: str
    status: str
    session: str = ""


@dataclass(frozen=True)
class Read:
    """A list as it was read: people, and the numbers of lines that say nothing."""

    people: list[Stated]
    unread: list[int] = field(default_factory=list)


def plain_status(text: str) -> str:
    """Return a status in one way of writing it.

    >>> plain_status("timed-out"), plain_status("AWAITING_REVIEW")
    ('TIMED OUT', 'AWAITING REVIEW')
    """
    return " ".join(re.split(r"[\s_-]+", text.strip().upper())).strip()


def read_list(text: str, *, name: str = "", all_are: str = "") -> Read:
    """Read a pasted list or a CSV file.

    Parameters
    ----------
    text
        With a header, as Prolific exports it, or an identifier and a status on each line.
    name
        What the panel itself calls a participant.
    all_are
        The status of everybody; then identifiers alone are enough.

    Raises
    ------
    ListError
        If there is nothing to read, or too much.
    """
    rows = _rows(text.lstrip("\ufeff"))
    if not rows:
        raise ListError("the list is empty")
    if len(rows) > MOST_ROWS:
        raise ListError(f"a list may have {MOST_ROWS:,} lines")
    header = [_heading(cell) for cell in rows[0][1]]
    who = _column(header, (_heading(name), *_PARTICIPANT))
    if who is None:
        return _read(rows, 0, 1, None, all_are)
    status = _column(header, _STATUS)
    if status is None and not all_are:
        raise ListError("the list has no column “Status”; say which status everybody has")
    return _read(rows[1:], who, status, _column(header, _SESSION), all_are)


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Return the cells of each line that has any, with its number."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    mark = next((each for each in ("\t", ",", ";") if each in first), None)
    if mark is None:
        lines: Sequence[list[str]] = [line.split(maxsplit=1) for line in text.splitlines()]
        return [(number, cells) for number, cells in enumerate(lines, 1) if cells]
    try:
        table = list(csv.reader(io.StringIO(text), delimiter=mark))
    except csv.Error as error:
        raise ListError(f"this is no table: {error}") from None
    return [
        (number, [cell.strip() for cell in cells])
        for number, cells in enumerate(table, 1)
        if any(cell.strip() for cell in cells)
    ]


def _read(
    rows: Sequence[tuple[int, list[str]]],
    who: int,
    status: int | None,
    session: int | None,
    all_are: str,
) -> Read:
    people: dict[str, Stated] = {}
    unread: list[int] = []
    for number, cells in rows:
        identifier = _cell(cells, who)
        stated = plain_status(all_are or _cell(cells, status))
        if not identifier or len(identifier) > 200 or stated not in KNOWN:
            unread.append(number)
        else:
            people[identifier] = Stated(identifier, stated, _cell(cells, session))
    return Read(list(people.values()), unread)


def _cell(cells: Sequence[str], place: int | None) -> str:
    return cells[place].strip() if place is not None and place < len(cells) else ""


def _heading(text: str) -> str:
    return " ".join(re.split(r"[\s_]+", text.strip().lower()))


def _column(header: Sequence[str], names: Sequence[str]) -> int | None:
    return next((header.index(name) for name in names if name and name in header), None)
