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
    """Where the site listens, where it writes, and who rates there."""

    port: int
    folder: Path
    raters: list[list[str]]

    @property
    def temporary(self) -> Path:
        """The folder in which the server's processes put temporary files."""
        return self.folder / "temporary"


@contextmanager
def running_site(raters: int = 2) -> Iterator[Site]:
    """Serve a campaign of 2,000 items inside a with statement."""
    folder = Path(tempfile.mkdtemp(prefix="touchstone-attack-"))
    try:
        people = prepare(folder, 2000, raters, "shared_queue", raters)
        site = Site(free_port(), folder, people)
        site.temporary.mkdir()
        server = serve(folder, site.port, TMPDIR=str(site.temporary))
        try:
            yield site
        finally:
            server.terminate()
            server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
