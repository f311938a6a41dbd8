"""What annotators of a campaign see as one file for a paper: HTML, or PDF by Chromium."""

import base64
import fcntl
import hashlib
import os
import re
import subprocess  # nosec B404  # starts the Chromium that the administrator names, no shell
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

STYLES = ("css/tokens.css", "css/touchstone.css", "css/rating.css", "css/appendix.css")
SCRIPT = "js/slider.js"
"""Without it, readers of the file would see number fields where annotators see sliders."""
SECONDS = 60
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR")
"""Variables of the environment that Chromium sees; keys and passwords are not among them."""
_LOADED = re.compile(r'\s*(?:<link rel="stylesheet"[^>]*>|<script src="[^>]*></script>)')
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'"


class PictureError(Exception):
    """No PDF was made; the message says why and what to do."""


def self_contained(page: str) -> str:
    """Return a page with its style sheets and script inside, which loads nothing from anywhere.

    Parameters
    ----------
    page
        HTML with links to `STYLES` and `SCRIPT`.
    """
    sheets, script = "\n".join(map(_content, STYLES)), _content(SCRIPT)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f'<meta http-equiv="Content-Security-Policy" content="{_POLICY.format(digest)}">'
    alone = _LOADED.sub("", page)
    alone = alone.replace("</head>", f"{policy}\n<style>\n{sheets}\n</style>\n</head>", 1)
    return alone.replace("</body>", f"<script>{script}</script>\n</body>", 1)


def _content(name: str) -> str:
    return Path(str(finders.find(name))).read_text(encoding="utf-8")


def as_pdf(page: str) -> bytes:
    """Print a self-contained page to PDF by the Chromium that the setting CHROMIUM names.

    Raises
    ------
    PictureError
        If there is none, it is busy with another page, or it fails.
    """
    if not settings.CHROMIUM:
        raise PictureError(
            "This server has no Chromium that makes PDFs (setting CHROMIUM). Print the page with "
            "your browser, which can save it as PDF."
        )
    with _one_at_a_time(), tempfile.TemporaryDirectory(prefix="appendix-") as name:
        folder = Path(name)
        (folder / "page.html").write_text(page, encoding="utf-8")
        made = folder / "page.pdf"
        try:
            subprocess.run(  # noqa: S603  # nosec B603
                [
                    settings.CHROMIUM,
                    "--headless",
                    "--disable-gpu",
                    "--no-first-run",
                    # As root, or where the machine forbids it, its sandbox does not start; the
                    # page's policy allows one script of ours, and nothing of another place.
                    "--no-sandbox",
                    "--host-resolver-rules=MAP * ~NOTFOUND",
                    f"--user-data-dir={folder / 'profile'}",
                    "--no-pdf-header-footer",
                    f"--print-to-pdf={made}",
                    (folder / "page.html").as_uri(),
                ],
                check=True,
                capture_output=True,
                timeout=SECONDS,
                env={name: value for name, value in os.environ.items() if name in PASSED_ON},
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise PictureError(f"Chromium made no PDF: {_why(error)}.") from None
        if not made.is_file():
            raise PictureError("Chromium ended without a PDF.")
        return made.read_bytes()


def _why(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"it took more than {SECONDS} seconds"
    if isinstance(error, subprocess.CalledProcessError):
        return f"it ended with {error.returncode}"
    return "it cannot be started; the administrator names its program in CHROMIUM"


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Let one PDF at a time keep this machine busy; the lock is gone with its process."""
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    with (settings.DATA_DIR / "appendix-turn").open("ab") as turn:
        try:
            fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PictureError("Another PDF is being made; try again in a few seconds.") from None
        yield
