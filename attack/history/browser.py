"""How a client's requests travel: as a rule at once, else doubled, unheard or late."""

import copy
import html
import http.client
import re
import threading
import urllib.parse
from collections.abc import Callable
from typing import Any, NamedTuple

from attack.history.marks import marks_in
from attack.history.operations import OK, REFUSED, UNKNOWN, History, Operation

SECONDS_TO_WAIT = 20
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
COMMENT = re.compile(r'<textarea id="comment"[^>]*>([^<]*)<')
NOTHING_STORED = 507
Read = Callable[[int, str], dict[str, Any]]


class Reply(NamedTuple):
    """What the server answered; status 0 where it did not, or nobody listened."""

    status: int
    text: str


class Browser:
    """One client's cookies, and the history in which its requests are written down."""

    def __init__(self, port: int, history: History, client: str, study: str) -> None:
        self.port, self.history, self.client, self.study = port, history, client, study
        self.cookies: dict[str, str] = {}
        self.headers: dict[str, str] = {}
        self.late: list[threading.Thread] = []

    def ask(
        self,
        do: str,
        method: str,
        path: str,
        data: dict[str, str] | None = None,
        *,
        sent: dict[str, Any] | None = None,
        read: Read | None = None,
        unheard: bool = False,
    ) -> Reply:
        """Send a request and write it down.

        Parameters
        ----------
        do, sent
            What the history says of it.
        method, path, data
        read
            Reads what the history keeps of an answer that is no refusal.
        unheard
            Close the connection without listening.
        """
        operation = self.history.begin(self.client, self.study, do, sent or {"path": path})
        return self._carry(operation, method, path, data, read, unheard=unheard)

    def ask_twice(
        self, do: str, path: str, data: dict[str, str], *, sent: dict[str, Any], read: Read
    ) -> Reply:
        """Send a form twice at once; return the answer to one of both."""
        twin = self._twin()
        other = threading.Thread(
            target=lambda: twin.ask(do, "POST", path, data, sent=sent, read=read)
        )
        other.start()
        reply = self.ask(do, "POST", path, data, sent=sent, read=read)
        other.join()
        return reply

    def ask_late(
        self,
        seconds: float,
        do: str,
        path: str,
        data: dict[str, str],
        *,
        sent: dict[str, Any],
        read: Read,
    ) -> Reply:
        """Let a form be on its way for a while; nobody waits for its answer."""
        operation = self.history.begin(self.client, self.study, do, sent)
        arguments = (operation, "POST", path, data, read)
        timer = threading.Timer(seconds, self._twin()._carry, arguments)
        timer.start()
        self.late.append(timer)
        return Reply(0, "")

    def wait_for_late(self) -> None:
        """Wait until everything that was on its way has arrived."""
        for each in self.late:
            each.join()

    def _twin(self) -> "Browser":
        """The same browser on another connection."""
        twin = copy.copy(self)
        twin.cookies = dict(self.cookies)
        return twin

    def _carry(
        self,
        operation: Operation,
        method: str,
        path: str,
        data: dict[str, str] | None,
        read: Read | None,
        *,
        unheard: bool = False,
    ) -> Reply:
        try:
            reply = self._send(method, path, data, unheard=unheard)
        except (OSError, http.client.HTTPException):
            reply = Reply(0, "")
        operation.seen = marks_in(reply.text)
        outcome = outcome_of(operation.do, reply.status)
        if read and outcome == OK:
            operation.answer = read(reply.status, reply.text)
        self.history.end(operation, outcome, reply.status)
        return reply

    def _send(self, method: str, path: str, data: dict[str, str] | None, *, unheard: bool) -> Reply:
        headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        body = None
        if data is not None:
            body = urllib.parse.urlencode(data)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["X-Requested-With"] = "fetch"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)
        try:
            connection.request(method, path, body, headers | self.headers)
            if unheard:
                return Reply(0, "")
            with connection.getresponse() as answer:
                text = answer.read().decode(errors="replace")
            for value in answer.headers.get_all("Set-Cookie") or ():
                name, _, rest = value.partition("=")
                self.cookies[name] = rest.partition(";")[0]
            return Reply(answer.status, text)
        finally:
            connection.close()


def outcome_of(do: str, status: int) -> str:
    """Return what a status says: done, refused, or that nobody knows."""
    if 200 <= status < 300 or (do == "enter" and status == 302):
        return OK
    refused = 300 <= status < 500 or status == NOTHING_STORED
    return REFUSED if refused else UNKNOWN


def form_of(text: str) -> dict[str, str]:
    """Return the hidden fields of a rating page, with the comment that it shows."""
    fields = {name: html.unescape(value) for name, value in HIDDEN.findall(text)}
    if "assignment" not in fields:
        return {}
    shown = COMMENT.search(text)
    return fields | {"comment": html.unescape(shown[1]) if shown else ""}
