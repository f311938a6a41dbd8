"""What a panel says of the people it sent: lists and exports, and events that Prolific sends."""

import base64
import csv
import hashlib
import hmac
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corpus.storage.storable import unstorable_in

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


SECONDS_FRESH = 300
LONGEST_EVENT = 65_536
STATUS_CHANGE = "submission.status.change"


class RefusedError(Exception):
    """An event that is not taken.

    Parameters
    ----------
    reason
        Without anything about a person.
    status
        Of the answer.
    """

    def __init__(self, reason: str, status: int) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Event:
    """A change of a submission's status."""

    participant: str
    submission: str
    status: str
    identifier: str
    sent_at: int


def signature_of(secret: str, timestamp: str, body: bytes) -> str:
    """Return the signature of a request: HMAC-SHA256 of timestamp and body, in base 64."""
    signed = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256)
    return base64.b64encode(signed.digest()).decode()


def read_event(secret: str, headers: Mapping[str, str], body: bytes, now: float) -> Event | None:
    """Check a request and return its event; None for an event of another type.

    Raises
    ------
    RefusedError
        If it is not signed with the secret, too old, or not in the documented shape.
    """
    if not secret:
        raise RefusedError("no secret of the webhook is set", 403)
    timestamp = headers.get("X-Prolific-Request-Timestamp", "")
    signature = headers.get("X-Prolific-Request-Signature", "")
    if not timestamp or not signature:
        raise RefusedError("it is not signed", 403)
    expected = signature_of(secret, timestamp, body)
    if not hmac.compare_digest(expected.encode(), signature.encode()):
        raise RefusedError("its signature does not fit the secret", 403)
    # Only what is signed is looked at.
    sent = _seconds(timestamp)
    if sent is None or abs(now - sent) > SECONDS_FRESH:
        raise RefusedError("it was not sent within five minutes", 403)
    content = _content(body)
    if content.get("event_type") != STATUS_CHANGE:
        return None
    values = [content.get(name) for name in ("participant_id", "resource_id", "status")]
    if not all(isinstance(value, str) and 0 < len(value) <= 200 for value in values):
        raise RefusedError("participant, submission or status is missing", 400)
    participant, submission, status = map(str, values)
    ordered = _seconds(headers.get("X-Timestamp", ""))
    identifier = headers.get("X-Event-ID", "")[:100]
    return Event(participant, submission, status, identifier, sent if ordered is None else ordered)


def _content(body: bytes) -> dict[str, object]:
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusedError("it is not JSON", 400) from None
    if not isinstance(content, dict):
        raise RefusedError("it is not a JSON object", 400)
    if fault := unstorable_in(content):
        raise RefusedError(f"it has {fault}", 400)
    return content


def _seconds(text: str) -> int | None:
    """Read a time in whole seconds since 1970; some systems count thousandths."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 13:
        return None
    return int(text) if len(text) <= 10 else int(text) // 1000
