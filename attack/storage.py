"""R17: databases that are damaged, no database at all, or out of room, under commands."""

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from benchmarks.rating_load import ROOT, environment

SERVE = ("serve", "--port", "0", "--no-demo")
IMPORT = ("import_study", "demo/formality-demo", "--verbosity", "0")


def manage(folder: Path, *command: str, before: Callable[[], None] | None = None) -> str:
    """Run a command that must fail; return what it said last, or that it said more than words."""
    done = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env=environment(folder), capture_output=True, text=True, timeout=SECONDS_TO_WAIT,
        preexec_fn=before,
    )  # fmt: skip
    if done.returncode == 0:
        return "Traceback: it did not fail"
    lines = done.stderr.strip().splitlines()
    return "Traceback" if "Traceback" in done.stderr else lines[-1]


def replay() -> Iterator[Line]:
    """Start a server on such files, and import into a database that cannot grow."""
    with tempfile.TemporaryDirectory(prefix="touchstone-attack-") as name:
        folder = Path(name)
        database = folder / "touchstone.sqlite3"
        database.write_bytes(os.urandom(100_000))
        yield _line("serve on random bytes", manage(folder, *SERVE))
        database.unlink()
        database.mkdir()
        yield _line("serve on a folder", manage(folder, *SERVE))
        database.rmdir()
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "-v0"],
            cwd=ROOT, env=environment(folder), check=True,
        )  # fmt: skip
        most = database.stat().st_size + 50_000

        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

        yield _line("import without room", manage(folder, *IMPORT, before=limit))


def _line(what: str, said: str) -> Line:
    words = said.partition(" Database:")[0]
    return Line("R17", what, words, not said.startswith("Traceback"))
