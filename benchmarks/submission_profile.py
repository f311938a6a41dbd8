"""Where the processor time of one submission goes, part by part.

Run ``python -m benchmarks.submission_profile``. One annotator rates through the WSGI application in
one process: what sockets, the second process and waiting for the disk cost is not in it. Times are
taken without a profiler, and divided among the parts by what a profiler says of their functions.
"""

import argparse
import cProfile
import html
import io
import os
import pstats
import shutil
import sys
import tempfile
import time
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.rating_load import HIDDEN, environment, prepare

WHOLE = "django/core/handlers/wsgi.py __call__"
PARTS = {
    "address looked up": ["django/core/handlers/base.py resolve_request"],
    "form read, CSRF token checked": ["django/middleware/csrf.py process_view"],
    "cookie checked, annotator and campaign read": [
        "annotation/views/guard.py marks",
        "annotation/statements.py find_annotator",
    ],
    "write transaction": ["annotation/rating/submitting.py submit"],
    "  its commit": ["django/db/backends/base/base.py commit"],
    "  submission and ratings": ["annotation/statements.py store_submission"],
    "  screen closed, annotator counted": ["annotation/statements.py close_screen"],
    "  next screen found": ["annotation/queue/handing_out.py next_assignments"],
    "texts and questions of the next screen": ["annotation/rating/screens.py build_screen"],
    "its HTML": ["annotation/views/showing.py shown_screen"],
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=500)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="touchstone-profile-"))
    try:
        items = 3 * options.submissions + 300
        people = prepare(folder, items, 4, "balanced_overlap", 3)
        os.environ.update(environment(folder))
        submit = annotator(*people[0])
        for _ in range(100):
            submit()
        started = time.process_time()
        for _ in range(options.submissions):
            submit()
        milliseconds = 1000 * (time.process_time() - started) / options.submissions
        profile = cProfile.Profile(time.process_time)
        profile.enable()
        for _ in range(options.submissions):
            submit()
        profile.disable()
        report(profile, milliseconds)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def annotator(public_id: str, token: str) -> Callable[[], None]:
    """Open an annotator's link; return what sends one submission."""
    from config.wsgi import application

    cookies: dict[str, str] = {}
    form: dict[str, str] = {}

    def ask(method: str, path: str, data: dict[str, str]) -> None:
        body = urllib.parse.urlencode(data).encode()
        said: list[Any] = []
        parts: Any = application(
            {
                "REQUEST_METHOD": method,
                "PATH_INFO": path,
                "SERVER_NAME": "127.0.0.1",
                "SERVER_PORT": "80",
                "SERVER_PROTOCOL": "HTTP/1.1",
                "REMOTE_ADDR": "127.0.0.1",
                "QUERY_STRING": "",
                "CONTENT_LENGTH": str(len(body)),
                "CONTENT_TYPE": "application/x-www-form-urlencoded",
                "HTTP_HOST": "127.0.0.1",
                "HTTP_X_REQUESTED_WITH": "fetch",
                "HTTP_COOKIE": "; ".join(f"{name}={value}" for name, value in cookies.items()),
                "wsgi.input": io.BytesIO(body),
                "wsgi.errors": sys.stderr,
                "wsgi.url_scheme": "http",
            },
            lambda *answer: said.extend(answer),
        )
        page = b"".join(parts).decode()
        parts.close()
        assert said[0][:1] in "23", said[0]
        for name, value in said[1]:
            if name == "Set-Cookie":
                cookie, _, rest = value.partition("=")
                cookies[cookie] = rest.partition(";")[0]
        form.clear()
        form.update({name: html.unescape(value) for name, value in HIDDEN.findall(page)})

    def submit() -> None:
        answers = {f"answer-0-{aspect}": "50" for aspect in ("style", "content", "fluency")}
        ask("POST", f"/rate/{public_id}/submit/", form | answers)

    ask("GET", f"/join/{token}/", {})
    ask("GET", f"/rate/{public_id}/", {})
    return submit


def report(profile: cProfile.Profile, milliseconds: float) -> None:
    """Divide the time of a submission among its parts."""
    functions: Any = pstats.Stats(profile).stats

    def seconds(name: str) -> float:
        path, _, function = name.partition(" ")
        return sum(
            float(cumulative)
            for (file, _, called), (_, _, _, cumulative, _) in functions.items()
            if file.endswith(path) and called == function
        )

    whole = seconds(WHOLE)
    shares = {part: sum(map(seconds, names)) / whole for part, names in PARTS.items()}
    rest = 1 - sum(share for part, share in shares.items() if not part.startswith(" "))
    print(f"a submission: {milliseconds:.2f} ms of processor time, of which")
    for part, share in [*shares.items(), ("the rest: middleware, request, response", rest)]:
        print(f"{part:<45}{share:>6.0%}")


if __name__ == "__main__":
    main()
