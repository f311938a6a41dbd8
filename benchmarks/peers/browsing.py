"""A session with a server over HTTP: one kept connection, and the cookies it was given."""

import http.client
import json
import secrets
import time
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LONGEST_ANSWER = 120
MOST_TOLD = 120
LONGEST_IDLE = 2  # Servers close connections that wait longer, some after a few seconds.


class Refused(Exception):
    """The server answered with an error.

    Parameters
    ----------
    request
    status
    said
        What it answered.
    """

    def __init__(self, request: str, status: int, said: str = "") -> None:
        plain = " ".join(said.split())
        told = "" if plain.startswith("<") else plain[:MOST_TOLD]
        super().__init__(f"{request} answered {status}" + (f": {told}" if told else ""))
        self.status = status


@dataclass(frozen=True)
class Answer:
    """What a server answered."""

    status: int
    content: bytes
    kind: str
    location: str

    @property
    def text(self) -> str:
        """Return it as text."""
        return self.content.decode(errors="replace")

    def json(self) -> Any:
        """Return it as parsed JSON."""
        return json.loads(self.content)


class Session:
    """Somebody's connection and cookies.

    Parameters
    ----------
    port
    headers
        Sent with every request.
    """

    def __init__(self, port: int, headers: dict[str, str] | None = None) -> None:
        self.port = port
        self.headers = headers or {}
        self.cookies: dict[str, str] = {}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST_ANSWER)
        self.used = 0.0

    def get(self, path: str) -> Answer:
        """Ask for a page; redirections are followed."""
        answer = self.ask("GET", path, None, "")
        for _ in range(5):
            if not answer.location:
                break
            answer = self.ask("GET", answer.location, None, "")
        return answer

    def post_json(self, path: str, data: Any) -> Answer:
        """Send JSON."""
        return self.ask("POST", path, json.dumps(data).encode(), "application/json")

    def post_form(self, path: str, data: dict[str, str]) -> Answer:
        """Send a form."""
        body = urllib.parse.urlencode(data).encode()
        return self.ask("POST", path, body, "application/x-www-form-urlencoded")

    def post_file(self, path: str, field: str, name: str, content: bytes) -> Answer:
        """Send a file as a form does."""
        line = secrets.token_hex(16)
        head = f'--{line}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
        body = f"{head}Content-Type: text/csv\r\n\r\n".encode() + content
        body += f"\r\n--{line}--\r\n".encode()
        return self.ask("POST", path, body, f"multipart/form-data; boundary={line}")

    def ask(self, method: str, path: str, body: bytes | None, kind: str) -> Answer:
        """Send a request, and keep the cookies of its answer."""
        headers = dict(self.headers)
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if kind:
            headers["Content-Type"] = kind
            headers["Referer"] = f"http://127.0.0.1:{self.port}/"
            if token := self.cookies.get("csrftoken"):
                headers["X-CSRFToken"] = token
        if time.monotonic() - self.used > LONGEST_IDLE:
            self.connection.close()
        try:
            self.connection.request(method, path, body, headers)
            reply = self.connection.getresponse()
            content = reply.read()
        except TimeoutError as error:
            self.connection.close()
            what = f"{method} {path.partition('?')[0]}"
            raise TimeoutError(f"{what} had no answer after {LONGEST_ANSWER} s") from error
        self.used = time.monotonic()
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        if reply.status >= 400:
            said = content[: 10 * MOST_TOLD].decode(errors="replace")
            raise Refused(f"{method} {path.partition('?')[0]}", reply.status, said)
        location = urllib.parse.urlsplit(reply.headers.get("Location", ""))._replace(
            scheme="", netloc=""
        )
        return Answer(
            reply.status, content, reply.headers.get("Content-Type", ""), location.geturl()
        )


def wait_for(ask: Callable[[], Any], what: str, seconds: float = LONGEST_ANSWER) -> Any:
    """Return what a server has once it is done; give up after some seconds."""
    end = time.monotonic() + seconds
    while (found := ask()) is None:
        if time.monotonic() > end:
            raise TimeoutError(f"{what} had not ended after {seconds} s")
        time.sleep(0.1)
    return found
