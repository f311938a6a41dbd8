"""Real worker processes: told to stop, killed, and several at a time."""

import signal
import subprocess
import sys

import pytest
from django.contrib.auth.models import User

from corpus.jobs.queue import ask_for_job, cancel
from corpus.models import Job
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import PATIENCE, wait_until


@pytest.fixture
def worker(worker_environment):
    """Start worker processes that know the slow kinds; none outlives the test."""
    command = [sys.executable, "-m", "tests.fixtures.slow_jobs", "work"]
    processes = []

    def start(*options):
        process = subprocess.Popen([*command, *options], cwd=ROOT, env=worker_environment)
        processes.append(process)
        return process

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def log(tmp_path):
    return tmp_path / "steps"


def ask(log, *, steps, seconds=0.05, key="steps", user=None):
    parameters = {"steps": steps, "seconds": seconds, "log": str(log)}
    return ask_for_job("count slowly", key, study=None, user=user, parameters=parameters)


def workers_in(log):
    return list(dict.fromkeys(line.split()[0] for line in log.read_text().splitlines()))


def state(job):
    return Job.objects.values_list("state", flat=True).get(pk=job.pk)


@pytest.mark.slow
def test_the_job_of_a_killed_worker_is_finished_by_the_next(worker, log):
    job = ask(log, steps=1000)
    first = worker()
    wait_until(lambda: log.exists() and log.read_text().count("\n") > 2)
    first.send_signal(signal.SIGKILL)
    first.wait()
    Job.objects.update(parameters=job.parameters | {"steps": 1})
    worker()
    wait_until(lambda: state(job) == "done")
    job.refresh_from_db()
    assert job.attempts == 2
    assert job.result == {"steps": 1}
    assert len(workers_in(log)) == 2


@pytest.mark.slow
def test_a_long_job_lets_short_ones_of_others_pass_but_no_second_one_of_its_owner(worker, log):
    people = [User.objects.create_user(name) for name in ("owner", "other")]
    long = ask(log, steps=1, seconds=10 * PATIENCE, user=people[0])
    process = worker()
    wait_until(lambda: log.exists())
    again = ask(log.with_name("again"), steps=1, key="again", user=people[0])
    short = ask(log.with_name("short"), steps=1, key="short", user=people[1])
    wait_until(lambda: state(short) == "done")
    assert [state(long), state(again)] == ["running", "queued"]
    assert workers_in(log) == [str(process.pid)] != workers_in(log.with_name("short"))
    # It sleeps and reports nothing.
    assert cancel(long)
    wait_until(lambda: [state(long), state(again)] == ["cancelled", "done"])
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0
