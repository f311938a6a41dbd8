"""Three Celery workers share reports while one is killed: they are those of one process."""

import os
import signal
import subprocess
import sys

import pytest
from django.db import connection

from analysis.models import Result
from analysis.reports.service import report_or_job
from corpus.models import Job
from tests.analysis.reports.test_report_jobs_divided import DIVIDED, stored, undivided
from tests.analysis.reports.test_report_pages_comparison import simulated
from tests.fixtures.machine import ROOT
from tests.fixtures.study_files import imported_study
from tests.fixtures.waiting import wait_until

pytestmark = [
    pytest.mark.dialect,
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.redis,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="workers share a server"),
]


@pytest.fixture
def study(tmp_path):
    return imported_study(tmp_path / "simulated", simulated(), "simulated")


@pytest.fixture
def workers(worker_environment, redis_url, tmp_path):
    """Three Celery workers, each in a session of its own, and beat; none outlives the test."""
    environment = worker_environment | {"REDIS_URL": redis_url, "OMP_NUM_THREADS": "1"}
    beat = ["beat", "--schedule", str(tmp_path / "beat")]
    commands = [beat, *(["worker", "--concurrency", "1", "-n", f"w{n}@%h"] for n in range(3))]
    started = [
        subprocess.Popen(
            [sys.executable, "manage.py", "celery", *command, "--loglevel", "error"],
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
        for command in commands
    ]
    yield started
    for process in started:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def at_work():
    return Job.every.filter(kind="report part", state="running").first()


def test_reports_of_three_workers_of_which_one_is_killed_are_those_of_one(study, workers):
    expected = {kind: undivided(study, kind, asked) for kind, asked in DIVIDED.items()}
    Result.objects.all().delete()
    for kind, question in DIVIDED.items():
        report_or_job(study, kind, question, None, quick=0)
    found = []
    wait_until(lambda: found.append(at_work()) or found[-1])
    killed = os.getpgid(int(found[-1].worker.split(":")[-2]))
    os.killpg(killed, signal.SIGKILL)

    wait_until(lambda: not Job.every.active().exists())
    assert set(Job.objects.values_list("state", "error")) == {("done", "")}
    assert [each.pid for each in workers if each.poll() is not None] == [killed]
    assert {kind: stored(kind) for kind in DIVIDED} == expected
