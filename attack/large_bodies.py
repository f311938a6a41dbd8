"""R7: visitors who send large bodies, to pages of everybody, and what is written to disk."""

import contextlib
import http.client
import os
import threading
import uuid
from collections.abc import Iterator

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from attack.site import Site, running_site

SIZE = 256 << 20
PIECE = b"x" * (1 << 20)
BOUNDARY = "parts"
HEAD = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="files"; filename="large"\r\n\r\n'
).encode()


class DiskWatch(threading.Thread):
    """Remember the most that lay in the site's folder for temporary files."""

    def __init__(self, site: Site) -> None:
        super().__init__(daemon=True)
        self.folder, self.most, self.stopped = site.temporary, 0, threading.Event()

    def run(self) -> None:
        while not self.stopped.wait(0.02):
            sizes = 0
            with contextlib.suppress(FileNotFoundError):
                sizes = sum(each.stat().st_size for each in os.scandir(self.folder))
            self.most = max(self.most, sizes)


def csrf_cookie(site: Site) -> str:
    """Return the cookie that the sign-in page gives everybody."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=SECONDS_TO_WAIT)
    connection.request("GET", "/sign-in/")
    return (connection.getresponse().headers["Set-Cookie"] or "").partition(";")[0]


def send(site: Site, path: str, cookie: str, chunked: bool) -> str:
    """Send the body as far as the server takes it; return what it answered."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=SECONDS_TO_WAIT)
    connection.putrequest("POST", path)
    connection.putheader("Content-Type", f"multipart/form-data; boundary={BOUNDARY}")
    connection.putheader("Cookie", cookie)
    name, value = ("Transfer-Encoding", "chunked") if chunked else ("Content-Length", str(SIZE))
    connection.putheader(name, value)
    connection.endheaders()
    pieces = [HEAD, *(SIZE // len(PIECE) * [PIECE])]
    try:
        for piece in pieces:
            connection.send(b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece)
    except TimeoutError:
        raise
    except OSError:
        pass  # The server has answered and closed.
    try:
        return str(connection.getresponse().status)
    except TimeoutError:
        raise
    except (OSError, http.client.HTTPException):
        return "connection closed"


def replay() -> Iterator[Line]:
    """Send bodies far above the limit of visitors."""
    with running_site() as site:
        cookie = csrf_cookie(site)
        for path in ("/sign-in/", f"/rate/{uuid.uuid4()}/submit/", "/api/v1/studies/"):
            for chunked in (False, True):
                watch = DiskWatch(site)
                watch.start()
                answer = send(site, path, cookie, chunked)
                watch.stopped.set()
                watch.join()
                what = f"{SIZE >> 20} MiB {'in chunks ' if chunked else ''}to {path[:12]}"
                figure = f"{answer}, {watch.most >> 20} MiB in temporary files"
                held = watch.most < 1 << 20 and answer in ("411", "413", "connection closed")
                yield Line("R7", what, figure, held)
