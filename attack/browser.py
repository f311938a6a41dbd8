"""A browser: keeps cookies, sends forms with their token, follows nothing by itself."""

import http.client
import urllib.parse

from attack.patience import SECONDS_TO_WAIT


class Browser:
    """Cookies of one person."""

    def __init__(self, port: int, cookies: dict[str, str] | None = None) -> None:
        self.port = port
        self.cookies = dict(cookies or {})
        self.answered: dict[str, str] = {}

    def ask(
        self, method: str, path: str, form: dict[str, str] | None = None, **headers: str
    ) -> tuple[int, str]:
        """Return the status and text of an answer; a header's name is written with underscores.

        The headers of the answer are kept until the next one.
        """
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        body = None
        if method == "POST":
            token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
            body = urllib.parse.urlencode((form or {}) | token)
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_WAIT)
        try:
            connection.request(method, path, body, sent)
            reply = connection.getresponse()
            text = reply.read().decode(errors="replace")
        finally:
            connection.close()
        self.answered = dict(reply.headers)
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        return reply.status, text

    def sign_in(self, name: str, password: str, **headers: str) -> int:
        """Try a password; 302 is a success."""
        if "csrftoken" not in self.cookies:
            self.ask("GET", "/sign-in/")
        form = {"username": name, "password": password}
        return self.ask("POST", "/sign-in/", form, **headers)[0]

    def copied(self) -> "Browser":
        """Return a thief's browser with the same cookies."""
        return Browser(self.port, self.cookies)
