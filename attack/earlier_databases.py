"""R11: databases of earlier versions, which `manage.py migrate` brings forward with their rows."""

import gzip
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg

from attack.finding import Line
from benchmarks.rating_load import ROOT, environment

ENDING = ".sql.gz"
DUMPS = sorted((ROOT / "tests" / "earlier").glob(f"*{ENDING}"))
KEPT = (
    "corpus_segment", "corpus_output", "annotation_item", "annotation_submission",
    "annotation_rating", "metrics_scoreblock",
)  # fmt: skip


def version_and_vendor(dump: Path) -> tuple[str, str]:
    """Return of which commit or release a dump is, and of which database."""
    version, _, vendor = dump.name.removesuffix(ENDING).rpartition(".")
    return version, vendor


@contextmanager
def earlier_database(
    dump: Path, folder: Path
) -> Iterator[tuple[dict[str, str], Callable[[], Any]]]:
    """Load a dump; give the environment that its commands need, and what connects to it."""
    version, vendor = version_and_vendor(dump)
    statements = gzip.decompress(dump.read_bytes()).decode()
    env = environment(folder)
    if vendor == "sqlite":
        path = folder / "touchstone.sqlite3"
        with closing(sqlite3.connect(path)) as database:
            database.executescript(statements)
        yield env, lambda: sqlite3.connect(path)
        return
    url = os.environ["TEST_POSTGRES_URL"].rpartition("/")[0]
    name = f"earlier_{version.replace('.', '_')}_{os.getpid()}"
    with psycopg.connect(f"{url}/postgres", autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}")
        try:
            with psycopg.connect(f"{url}/{name}") as database:
                database.execute(statements)
            yield env | {"DATABASE_URL": f"{url}/{name}"}, lambda: psycopg.connect(f"{url}/{name}")
        finally:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def replay() -> Iterator[Line]:
    """Migrate each, and count rows before and after."""
    for dump in DUMPS:
        version, vendor = version_and_vendor(dump)
        what = f"a database of {version} on {vendor} migrates"
        if vendor == "postgresql" and "TEST_POSTGRES_URL" not in os.environ:
            yield Line("R11", what, "not tried, PostgreSQL is absent", False)
            continue
        with (
            tempfile.TemporaryDirectory(prefix="touchstone-attack-") as folder,
            earlier_database(dump, Path(folder)) as (env, connect),
        ):
            before = rows(connect)
            done = subprocess.run(
                [sys.executable, "manage.py", "migrate", "-v0"],
                cwd=ROOT, env=env, capture_output=True, text=True, check=False,
            )  # fmt: skip
            after = rows(connect)
        said = "" if done.returncode == 0 else f"; {done.stderr.strip().splitlines()[-1]}"
        figure = f"{sum(before.values())} rows before, {sum(after.values())} after{said}"
        yield Line("R11", what, figure, before == after and not done.returncode)


def rows(connect: Callable[[], Any]) -> dict[str, int]:
    """Return the number of rows of the tables that hold texts, ratings and scores."""
    with closing(connect()) as database:
        return {
            table: database.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0] for table in KEPT
        }
