"""R6: clients that say nothing, send byte by byte or hardly read, beside a person who rates."""

import http.client
import socket
import threading
import time
from collections.abc import Iterator

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT, in_time
from attack.site import Site, running_site
from benchmarks.rating_load import Client, quantile

SECONDS = 10.0
PAUSE = 2.0
MOST_MILLISECONDS = 200
MOST_PAGES = 1500
"""Pages rated beside one kind of slow client: the campaign must not run out of items."""
LARGE_FILE = "/static/vendor/vega.min.js"
HEAD = "{} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
BODY = HEAD.format("POST /sign-in/") + "Content-Length: 100000\r\n\r\n"
# How many there are, what they send first, what they send then, and whether they read.
KINDS = {
    "silent": (200, "", b"", False),
    "dripping a header": (25, HEAD.format("GET /sign-in/") + "X-Slow: ", b"x", False),
    "dripping a body": (25, BODY, b"x", False),
    "reading slowly": (50, HEAD.format(f"GET {LARGE_FILE}") + "\r\n", b"", True),
    "never closing": (25, HEAD.format("GET /sign-in/") + "Connection: close\r\n\r\n", b"", False),
}


class SlowClients(threading.Thread):
    """Sockets that send what opens a request, then one byte each time, and read little."""

    def __init__(self, port: int, number: int, opening: str, drip: bytes, reads: bool) -> None:
        super().__init__(daemon=True)
        self.port, self.number, self.drip, self.reads = port, number, drip, reads
        self.opening = opening.encode()
        self.stopped = threading.Event()

    def connect(self) -> socket.socket:
        opened = socket.socket()
        if self.reads:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.settimeout(5)
        opened.connect(("127.0.0.1", self.port))
        opened.sendall(self.opening)
        return opened

    def run(self) -> None:
        sockets: list[socket.socket | None] = [None] * self.number
        while not self.stopped.is_set():
            for place, opened in enumerate(sockets):
                try:
                    if opened is None:
                        sockets[place] = self.connect()
                    elif self.drip:
                        opened.send(self.drip)
                    elif self.reads:
                        opened.recv(64)
                except OSError:
                    sockets[place] = None
                if self.stopped.is_set():
                    break
            self.stopped.wait(PAUSE)
        for opened in sockets:
            if opened is not None:
                opened.close()


def attackers(port: int, share: float) -> dict[str, list[SlowClients]]:
    """Return each kind of slow client, and all of them at once."""

    def made(names: list[str]) -> list[SlowClients]:
        return [
            SlowClients(port, max(1, round(number * share)), opening, drip, reads)
            for name, (number, opening, drip, reads) in KINDS.items()
            if name in names
        ]

    return {name: made([name]) for name in KINDS} | {"of every kind": made(list(KINDS))}


def page_times(site: Site, seconds: float) -> tuple[list[float], list[str]]:
    """Open the rating page and submit a rating, again and again, as a person's browser would."""
    times: list[float] = []
    public_id, token = site.raters[0]
    rater = Client(site.port, public_id, token, drafts=False)
    rater.connection.timeout = SECONDS_TO_WAIT
    end = time.perf_counter() + seconds
    while time.perf_counter() < end and len(times) < MOST_PAGES:
        started = time.perf_counter()
        rater.connection.close()
        try:
            form = rater.open_page() if rater.cookies else rater.enter()
            times.append(time.perf_counter() - started)
            rater.submit(form)
        except (OSError, http.client.HTTPException):
            rater.errors.append("no answer")
            times.append(time.perf_counter() - started)
    return times, rater.errors


def replay(seconds: float = SECONDS, share: float = 1.0) -> Iterator[Line]:
    """Measure the rating page beside each kind of slow client."""
    with running_site(items=MOST_PAGES * (len(KINDS) + 2)) as site:
        alone = quantile(page_times(site, seconds / 2)[0], 0.95)
        for what, clients in attackers(site.port, share).items():
            for each in clients:
                each.start()
            time.sleep(1)
            times, errors = page_times(site, seconds)
            for each in clients:
                each.stopped.set()
            for each in clients:
                each.join()
            p95 = quantile(times, 0.95)
            figure = (
                f"rating page p95 {p95:.0f} ms ({alone:.0f} without them), "
                f"worst {1000 * max(times):.0f} ms, {len(times)} pages, {len(errors)} errors"
            )
            number = sum(each.number for each in clients)
            quick = in_time(p95, MOST_MILLISECONDS, alone)
            yield Line("R6", f"{number} clients {what}", figure, not errors, quick)
