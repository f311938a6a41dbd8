"""A backup beside a real server that takes ratings holds all that was acknowledged before it."""

import subprocess
import sys

import pytest

from tests.fixtures.machine import ROOT


def _rate_beside_a_backup(*options):
    command = [sys.executable, "-m", "benchmarks.backup_at_size", "--scores", "20000"]
    command += ["--clients", "4", "--seconds", "1", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("nothing is lost, and no row is there by half\n")


@pytest.mark.slow
@pytest.mark.nightly
def test_a_backup_of_sqlite_while_people_rate_loses_nothing():
    _rate_beside_a_backup()


@pytest.mark.slow
@pytest.mark.nightly
def test_a_backup_of_postgresql_while_people_rate_loses_nothing(postgres_url):
    _rate_beside_a_backup("--postgresql", postgres_url)
