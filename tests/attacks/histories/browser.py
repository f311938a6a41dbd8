"""How a client's requests travel: as a rule at once, else twice, unheard or late."""

import copy
import html
import http.client
import re
import threading
import urllib.parse
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.attacks.histories.operations import OK, REFUSED, UNKNOWN, History, Operation, marks_in

SECONDS_TO_WAIT = 20
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
COMMENT = re.compile(r'<textarea id="comment"[^>]*>([^<]*)<')
NOTHING_STORED = 507
Read = Callable[[str], dict[str, Any]]


class Reply(NamedTuple):
    """What the server answered; status 0 where it did not, or nobody listened."""

    status: int
    text: str


class Browser:
    """One client's cookies, and the history in which its requests are written down."""

    def __init__(
        self, port: int, history: History, client: str, study: str, token: str = ""
    ) -> None:
        self.port, self.history, self.client, self.study = port, history, client, study
        self.cookies: dict[str, str] = {}
        self.headers = {"Authorization": f"Token {token}"} if token else {}
        self.late: list[threading.Thread] = []

    def ask(
        self, do: str, path: str, data: dict[str, str] | None = None, *,
        sent: dict[str, Any] | None = None, read: Read | None = None, way: str = "",
        seconds: float = 0,
    ) -> Reply:  # fmt: skip
        """Send a request and write it down.

        Parameters
        ----------
        do, sent
            What the history says of it.
        path, data
            With data it is a form.
        read
            Reads what the history keeps of an answer that is no refusal.
        way
            "twice" at once, "unheard" on a connection that is closed before the answer, or "late":
            so many seconds on its way, while nobody waits for the answer.
        seconds
        """
        operation = self.history.begin(self.client, self.study, do, sent or {"path": path})
        if way == "late":
            timer = threading.Timer(
                seconds, self._twin()._carry, (operation, path, data, read, way)
            )
            timer.start()
            self.late.append(timer)
            return Reply(0, "")
        if way == "twice":
            again = {"sent": sent, "read": read}
            twin = threading.Thread(target=self._twin().ask, args=(do, path, data), kwargs=again)
            twin.start()
            reply = self._carry(operation, path, data, read, way)
            twin.join()
            return reply
        return self._carry(operation, path, data, read, way)

    def wait_for_late(self) -> None:
        """Wait until everything that was on its way has arrived."""
        for each in self.late:
            each.join()

    def _twin(self) -> "Browser":
        """Return the same browser on another connection."""
        twin = copy.copy(self)
        twin.cookies = dict(self.cookies)
        return twin

    def _carry(
        self, operation: Operation, path: str, data: dict[str, str] | None, read: Read | None,
        way: str,
    ) -> Reply:  # fmt: skip
        try:
            reply = self._send(path, data, is_heard=way != "unheard")
        except (OSError, http.client.HTTPException):
            reply = Reply(0, "")
        operation.seen = marks_in(reply.text)
        outcome = outcome_by_status(operation.do, reply.status)
        if read and outcome == OK:
            operation.answer = read(reply.text)
        operation.status, operation.ended = reply.status, self.history.now()
        operation.outcome = outcome
        return reply

    def _send(self, path: str, data: dict[str, str] | None, *, is_heard: bool) -> Reply:
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        body = None
        if data is not None:
            body = urllib.parse.urlencode(data)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-Requested-With"] = "fetch"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)
        try:
            method = "GET" if data is None else "POST"
            connection.request(method, path, body, headers | self.headers)
            if not is_heard:
                return Reply(0, "")
            with connection.getresponse() as answer:
                text = answer.read().decode(errors="replace")
            for value in answer.headers.get_all("Set-Cookie") or ():
                name, _, rest = value.partition("=")
                self.cookies[name] = rest.partition(";")[0]
            return Reply(answer.status, text)
        finally:
            connection.close()


def outcome_by_status(do: str, status: int) -> str:
    """Return what a status says: done, refused, or that nobody knows."""
    if 200 <= status < 300 or (do == "enter" and status == 302):
        return OK
    return REFUSED if 300 <= status < 500 or status == NOTHING_STORED else UNKNOWN


def form_in(text: str) -> dict[str, str]:
    """Return the hidden fields of a rating page, with the comment that it shows."""
    fields = {name: html.unescape(value) for name, value in HIDDEN.findall(text)}
    if "assignment" not in fields:
        return {}
    shown = COMMENT.search(text)
    return fields | {"comment": html.unescape(shown[1]) if shown else ""}
