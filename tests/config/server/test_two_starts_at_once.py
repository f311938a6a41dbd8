"""Two machines that start on one empty database, at once: one prepares it, the other waits."""

import os
import subprocess
import sys

import pytest

from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import PATIENCE


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_migrations_of_an_empty_database_at_once_both_succeed(kind, tmp_path, request):
    environment = os.environ | {"TOUCHSTONE_DATA": str(tmp_path)}
    environment["DATABASE_URL"] = (
        request.getfixturevalue("postgres_url") if kind == "postgresql" else ""
    )
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    both = [
        subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate(timeout=PATIENCE)[1] for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert sum("Another process is preparing this database" in each for each in said) <= 1
    unapplied = [*command[:2], "migrate", "--check"]
    assert subprocess.run(unapplied, cwd=ROOT, env=environment).returncode == 0
