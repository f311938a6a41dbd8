"""H7: annotators who rate while server, worker, disk, clock and database fail; on each database."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attack.finding import Line
from attack.history.run import run_history

SEED, SECONDS = 16, 60


def replay() -> Iterator[Line]:
    """Check a history on SQLite, and on PostgreSQL if there is a server."""
    for server in filter(None, ("sqlite", os.environ.get("TEST_POSTGRES_URL"))):
        folder = Path(tempfile.mkdtemp(prefix="touchstone-attack-"))
        try:
            on_postgres = server != "sqlite"
            account = run_history(folder, SEED, SECONDS, server if on_postgres else "")
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        broken = [*account.violations, *account.failures]
        figure = (
            f"{account.acknowledged} submissions acknowledged, {len(broken)} violations; "
            f"not made: {', '.join(account.not_made) or 'none'}"
        )
        what = f"{account.faults.total()} faults on {'PostgreSQL' if on_postgres else 'SQLite'}"
        # On a machine that hardly gets to answering, too little was tried.
        yield Line("H7", what, figure, not broken, account.acknowledged > SECONDS)
