"""Celery's beat and a worker, over a real Redis, back the site up once when it is due."""

import subprocess
import sys
from contextlib import ExitStack

import pytest

from config.backup.manifest import Manifest
from corpus.models import AccessEntry
from tests.fixtures.campaigns import make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import wait_until

DONE = "Task touchstone.back_up["
pytestmark = [pytest.mark.nightly, pytest.mark.redis, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def celery(worker_environment, redis_url, tmp_path):
    """Start Celery's programs; none outlives the test. Returns how to, and what they say."""
    log = tmp_path / "log"
    with ExitStack() as ending, log.open("w") as written:

        def start(*arguments):
            process = subprocess.Popen(
                [sys.executable, "-m", "celery", "-A", "tests.fixtures.hurried_beat", *arguments],
                cwd=ROOT,
                env=worker_environment | {"REDIS_URL": redis_url},
                stdout=written,
                stderr=written,
            )
            ending.callback(process.wait)
            ending.callback(process.terminate)

        yield start, log.read_text


def test_one_backup_is_made_however_often_beat_asks(celery, tmp_path):
    make_study(segments=2)
    start, said = celery
    start(
        *[
            "worker",
            "--pool",
            "prefork",
            "--concurrency",
            "2",
            "--loglevel",
            "info",
            "--without-mingle",
        ]
    )
    start("beat", "--schedule", str(tmp_path / "beat"))
    wait_until(lambda: said().count("succeeded in") >= 4)
    assert DONE in said()
    [made] = (tmp_path / "data" / "backups").glob("[!.]*")
    manifest = Manifest.read(made)
    assert manifest.problems(made) == []
    assert manifest.contents.rows["corpus_study"] == 1
    assert AccessEntry.objects.filter(action="backed-up").count() == 1
