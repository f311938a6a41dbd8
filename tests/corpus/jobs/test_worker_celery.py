"""With Redis configured, Celery carries job ids; the row stays the truth."""

import logging
import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.utils import timezone

from corpus.jobs import queue
from corpus.jobs.queue import ask_for_job, send_waiting_jobs
from corpus.jobs.worker import claim
from corpus.models import Job
from tests.fixtures.machine import ROOT
from tests.fixtures.waiting import PATIENCE, wait_until


@pytest.fixture
def sent(settings, monkeypatch):
    """The ids handed to the queue, which accepts them all."""
    ids = []
    settings.JOB_QUEUE = "corpus.jobs.queue.job_queue_of_this_test"
    monkeypatch.setattr(queue, "job_queue_of_this_test", ids.append, raising=False)
    return ids


def ask(key="key", **parameters):
    return ask_for_job("count slowly", key, study=None, user=None, parameters=parameters)


@pytest.mark.django_db
def test_an_id_is_sent_only_once_its_row_is_committed(sent, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks() as callbacks:
        job = ask()
    assert sent == []
    for callback in callbacks:
        callback()
    assert sent == [job.pk]


@pytest.mark.django_db
def test_the_sweep_sends_as_many_ids_as_the_queue_lacks(sent):
    waiting, at_work, silent, done = (ask(key) for key in "abcd")
    claim(at_work.pk)
    claim(silent.pk)
    past = timezone.now() - timedelta(seconds=1)
    Job.objects.filter(pk=silent.pk).update(lease_until=past)
    Job.objects.filter(pk=done.pk).update(state="done")
    assert send_waiting_jobs(in_queue=0) == 2
    assert sent == [waiting.pk, silent.pk]
    assert send_waiting_jobs(in_queue=1) == 1
    assert send_waiting_jobs(in_queue=5) == 0


@pytest.mark.django_db
def test_a_job_outlives_a_queue_that_refuses_it(
    settings, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def refuse(job_id):
        raise ConnectionError("nobody listens")

    settings.JOB_QUEUE = "corpus.jobs.queue.job_queue_of_this_test"
    monkeypatch.setattr(queue, "job_queue_of_this_test", refuse, raising=False)
    with caplog.at_level(logging.WARNING), django_capture_on_commit_callbacks(execute=True):
        job = ask()
    assert f"job {job.pk} not queued; the sweep will send it again" in caplog.text
    job.refresh_from_db()
    assert job.state == "queued"
    ids = []
    monkeypatch.setattr(queue, "job_queue_of_this_test", ids.append)
    send_waiting_jobs()
    assert ids == [job.pk]


# Real processes

SITE = "import config, django; django.setup(); "
ASK = (
    SITE
    + """
import sys
from corpus.jobs.queue import ask_for_job
parameters = {"steps": int(sys.argv[2]), "log": sys.argv[1]}
ask_for_job("count slowly", "steps", study=None, user=None, parameters=parameters)
"""
)
SWEEP = SITE + "from corpus.jobs.queue import send_waiting_jobs; assert send_waiting_jobs() == 1"


@pytest.fixture
def run_python(worker_environment, redis_url):
    """Start Python processes with Redis configured; none outlives the test."""
    processes = []

    def start(*arguments, **variables):
        environment = worker_environment | {"REDIS_URL": redis_url} | variables
        command = [sys.executable, *map(str, arguments)]
        processes.append(subprocess.Popen(command, cwd=ROOT, env=environment))
        return processes[-1]

    yield start
    for process in processes:
        process.terminate()
    for process in processes:
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def start_celery(run_python):
    options = "worker --pool prefork --concurrency 1 --loglevel warning --without-mingle"
    return run_python("-m", "celery", "-A", "tests.fixtures.slow_jobs_celery", *options.split())


def state():
    return Job.objects.values_list("state", flat=True).get()


@pytest.mark.slow
@pytest.mark.redis
def test_a_celery_worker_finishes_a_job_sent_by_asking_for_it(run_python, tmp_path):
    assert run_python("-c", ASK, tmp_path / "log", 3).wait(PATIENCE) == 0
    start_celery(run_python)
    wait_until(lambda: state() == "done")
    job = Job.objects.get()
    assert (job.attempts, job.result) == (1, {"steps": 3})


@pytest.mark.nightly
@pytest.mark.redis
def test_the_job_of_a_killed_celery_process_is_finished_after_the_sweep(run_python, tmp_path):
    log = tmp_path / "log"
    assert run_python("-c", ASK, log, 10_000).wait(PATIENCE) == 0
    start_celery(run_python)
    wait_until(log.exists)
    wait_until(lambda: log.read_text().count("\n") > 2)
    job = Job.objects.get()
    Job.objects.update(parameters=job.parameters | {"steps": 2})
    os.kill(int(log.read_text().split()[0]), signal.SIGKILL)
    wait_until(lambda: Job.objects.get().lease_until < timezone.now())
    assert run_python("-c", SWEEP).wait(PATIENCE) == 0
    wait_until(lambda: state() == "done")
    assert Job.objects.get().attempts == 2
