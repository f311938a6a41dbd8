"""What clients did: one operation for each request, written down as a history.

An operation is two lines of a file of JSON: what was sent when, and what came of it when. One
without its second line was never answered.
"""

import json
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OK, REFUSED, UNKNOWN = "ok", "refused", "unknown"
"""The server did it; it says that it did not; or it may have been done."""
SECONDS_OF_PATIENCE = 120


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
        What it said, and what was read out of the answer.
    seen
        Marks of studies and people in the answer, see `attack.history.marks`.
    """

    number: int
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
    """Operations and faults in the order in which they began, on disk as they happen."""

    def __init__(self, path: Path, seconds: float) -> None:
        self.operations: list[Operation] = []
        self.faults: list[dict[str, Any]] = []
        self.file = path.open("w", encoding="utf-8")
        self.lock = threading.Lock()
        self.start, self.seconds = time.monotonic(), seconds

    def now(self) -> float:
        """Return the seconds since the history began."""
        return round(time.monotonic() - self.start, 4)

    def __enter__(self) -> "History":
        return self

    def __exit__(self, *error: object) -> None:
        self.file.close()

    @property
    def is_too_late(self) -> bool:
        """Whether the history should have been over long ago: a client waits in vain."""
        return self.now() > self.seconds + SECONDS_OF_PATIENCE

    def begin(self, client: str, study: str, do: str, sent: dict[str, Any]) -> Operation:
        """Write down what is about to be sent."""
        with self.lock:
            made = Operation(len(self.operations), client, study, do, self.now(), sent)
            self.operations.append(made)
            self._write(
                begin=made.number, client=client, study=study, do=do, at=made.began, sent=sent
            )
        return made

    def end(self, operation: Operation, outcome: str, status: int = 0) -> None:
        """Write down what came of it; the answer and what was seen are filled in before."""
        with self.lock:
            operation.outcome, operation.status = outcome, status
            operation.ended = self.now()
            self._write(
                end=operation.number, outcome=outcome, status=status, at=operation.ended,
                answer=operation.answer, seen=operation.seen,
            )  # fmt: skip

    def fault(self, **what: Any) -> None:
        """Write down a fault that was made, or could not be."""
        with self.lock:
            self.faults.append(what)
            self._write(fault=what, at=self.now())

    def _write(self, **line: Any) -> None:
        self.file.write(json.dumps(line) + "\n")
        self.file.flush()


def read_history(lines: Iterable[str]) -> list[Operation]:
    """Return the operations of a history file."""
    found: dict[int, Operation] = {}
    for line in map(json.loads, lines):
        if "begin" in line:
            found[line["begin"]] = Operation(
                line["begin"], line["client"], line["study"], line["do"], line["at"], line["sent"]
            )
        elif "end" in line:
            one = found[line["end"]]
            one.outcome, one.status, one.ended = line["outcome"], line["status"], line["at"]
            one.answer, one.seen = line["answer"], line["seen"]
    return list(found.values())
