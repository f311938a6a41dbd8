"""Events that Prolific sends: which of them are genuine and fresh."""

import base64
import hashlib
import hmac
import json
from collections.abc import Mapping
from dataclasses import dataclass

from corpus.storage.storable import unstorable_in

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
