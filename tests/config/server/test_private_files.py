"""The data folder and the SQLite database are closed to other accounts; weak keys are refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fixtures.machine import ROOT

WRITE = """
import sys, django, pathlib
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("CREATE TABLE IF NOT EXISTS rows (n)")
    cursor.execute("INSERT INTO rows VALUES (1)")
folder = pathlib.Path(sys.argv[1])
for path in (folder, *folder.glob("touchstone.sqlite3*")):
    print(path.name, oct(path.stat().st_mode & 0o777))
"""
CLOSED = {
    "data": "0o700",
    "touchstone.sqlite3": "0o600",
    "touchstone.sqlite3-wal": "0o600",
    "touchstone.sqlite3-shm": "0o600",
}


@pytest.fixture
def environment(tmp_path):
    """An environment whose data folder does not exist yet."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "SECRET_KEY", "DEBUG")}
    return kept | {
        "TOUCHSTONE_DATA": str(tmp_path / "data"),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }


def start(environment, code, umask=0):
    """Run code in a process that gives new files to everybody."""
    return subprocess.run(
        [sys.executable, "-c", code, environment["TOUCHSTONE_DATA"]],
        cwd=ROOT,
        env=environment,
        umask=umask,
        capture_output=True,
        text=True,
        check=False,
    )


def test_folders_around_a_private_one_are_private_and_those_that_were_there_stay(tmp_path):
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    code = "import pathlib, sys; from config.private_files import private_folder as private\n"
    code += "private(pathlib.Path(sys.argv[1]) / 'a' / 'b')"
    done = subprocess.run([sys.executable, "-c", code, str(there)], cwd=ROOT, umask=0, check=True)
    assert done.returncode == 0
    found = (there, there / "a", there / "a" / "b")
    assert [oct(each.stat().st_mode & 0o777) for each in found] == ["0o755", "0o700", "0o700"]


def modes(environment, umask=0):
    result = start(environment, WRITE, umask)
    assert result.returncode == 0, result.stderr
    return dict(line.split() for line in result.stdout.splitlines())


@pytest.mark.sqlite
@pytest.mark.parametrize(
    "umask", [0, *(pytest.param(umask, marks=pytest.mark.nightly) for umask in (0o022, 0o077))]
)
def test_nobody_else_reads_the_data_whatever_the_umask_is(environment, umask):
    assert modes(environment, umask) == CLOSED


@pytest.mark.sqlite
def test_data_of_before_are_closed_at_the_next_start(environment):
    modes(environment)
    folder = Path(environment["TOUCHSTONE_DATA"])
    folder.chmod(0o755)
    (folder / "touchstone.sqlite3").chmod(0o644)
    assert modes(environment) == CLOSED


GUESSED = [60 * "a", 20 * "abc", "django-insecure-0123456789abcdefghijklmnopqrstuvwxyz"]


@pytest.mark.parametrize(
    "key", ["changeme", *(pytest.param(key, marks=pytest.mark.nightly) for key in GUESSED)]
)
def test_a_key_that_can_be_guessed_stops_the_start(environment, key):
    stopped = start(environment | {"SECRET_KEY": key}, "import config.settings")
    assert stopped.returncode == 1
    assert "SECRET_KEY can be guessed, and whoever guesses it signs in as anybody" in stopped.stderr
    assert key not in stopped.stderr
    allowed = start(environment | {"SECRET_KEY": key, "DEBUG": "1"}, "import config.settings")
    assert allowed.returncode == 0


def test_a_weak_key_in_the_data_folder_is_refused_by_its_file(environment):
    folder = Path(environment["TOUCHSTONE_DATA"])
    folder.mkdir()
    (folder / "secret_key").write_text("changeme")
    stopped = start(environment, "import config.settings")
    assert f"{folder / 'secret_key'} can be guessed" in stopped.stderr
