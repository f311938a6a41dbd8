"""A Touchstone to attack: a database of its own, served as `make run` does."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.rating_load import free_port, prepare, serve


@dataclass(frozen=True)
class Site:
    """Where the site listens, where it writes, who rates there, and its first process."""

    port: int
    folder: Path
    raters: list[list[str]]
    process: int

    @property
    def temporary(self) -> Path:
        """The folder in which the server's processes put temporary files."""
        return self.folder / "temporary"


@contextmanager
def running_site(raters: int = 2, items: int = 2000, **variables: str) -> Iterator[Site]:
    """Serve a campaign inside a with statement; variables are those of the environment."""
    folder = Path(tempfile.mkdtemp(prefix="touchstone-attack-"))
    try:
        people = prepare(folder, items, raters, "shared_queue", raters, **variables)
        port, temporary = free_port(), folder / "temporary"
        temporary.mkdir()
        server = serve(folder, port, TMPDIR=str(temporary), **variables)
        try:
            yield Site(port, folder, people, server.pid)
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
