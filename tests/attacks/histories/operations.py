"""What clients did: one operation for each request, written down as a history."""

import json
import re
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
"""The server did it; it says that it did not; or it may have been done."""
SECONDS_OF_PATIENCE = 120
MARK = re.compile(r"\b(?:answer|draft|system)-[a-z]+-[a-z0-9]+-\d+\b")
"""Comments of answers and drafts and names of systems, by which a leak is recognised."""


def marks_in(text: str) -> list[str]:
    """Return the marks in a page, each once."""
    return sorted(set(MARK.findall(text)))


@dataclass
class Operation:
    """One request.

    Attributes
    ----------
    client, study, do
        Whose it is, the study that this client belongs to, and what was asked.
    began, ended
        In seconds since the history began; an operation that was not answered has no end.
    sent, answer
        What was sent, and what was read out of the answer.
    seen
        Marks in the answer.
    """

    client: str
    study: str
    do: str
    began: float
    sent: dict[str, Any]
    ended: float = float("inf")
    outcome: str = UNKNOWN
    status: int = 0
    answer: dict[str, Any] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)


class History:
    """Operations and faults in the order in which they began; in a file at the end."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.path, self.seconds = path, seconds
        self.operations: list[Operation] = []
        self.faults: list[dict[str, Any]] = []
        self.start = time.monotonic()
        self.lock = threading.Lock()

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *error: object) -> None:
        lines = [*map(asdict, self.operations), *self.faults]
        self.path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")

    def now(self) -> float:
        """Return the seconds since the history began."""
        return round(time.monotonic() - self.start, 4)

    @property
    def is_too_late(self) -> bool:
        """Whether the history should have been over long ago: a client waits in vain."""
        return self.now() > self.seconds + SECONDS_OF_PATIENCE

    def begin(self, client: str, study: str, do: str, sent: dict[str, Any]) -> Operation:
        """Write down what is about to be sent."""
        with self.lock:
            operation = Operation(client, study, do, self.now(), sent)
            self.operations.append(operation)
        return operation
