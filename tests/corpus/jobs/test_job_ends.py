"""A claimed job ends as done, failed, cancelled, or back in the queue, and its row tells which."""

import os
import select
import subprocess
import sys
import threading
from contextlib import nullcontext, suppress
from datetime import timedelta

import pytest
from django.db import OperationalError, connection, transaction
from django.utils import timezone

from corpus.jobs import progress as progress_module
from corpus.jobs import registry
from corpus.jobs.progress import Progress, holding
from corpus.jobs.queue import ask_for_job, cancel
from corpus.jobs.worker import claim, run_next
from corpus.models import Job
from metrics.scorers.asking import asking
from tests.fixtures.running_jobs import run_by_id
from tests.fixtures.waiting import wait_until


@pytest.fixture
def kind(monkeypatch):
    """Register a function as the only kind of job, for one test."""

    def register(function):
        monkeypatch.setattr(registry, "_functions", {})
        registry.register_job("test", function)

    return register


@pytest.fixture
def job(db):
    return ask_for_job("test", "key", study=None, user=None, parameters={"rows": 3})


def expire_lease():
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def test_a_job_whose_way_to_the_database_was_cut_is_tried_again_by_itself(kind, job, monkeypatch):
    tried = []

    def cut_once(job, progress):
        tried.append(job.attempts)
        if len(tried) == 1:
            raise OperationalError("database is locked")
        return {"added": 1}

    monkeypatch.setattr(connection, "close", lambda: None)
    kind(cut_once)
    back = run_next()
    assert (back.state, back.worker, back.error, back.lease_until) == ("queued", "", "", None)
    assert run_next().state == "done"
    assert tried == [1, 2]


def test_a_kind_that_nobody_registered_fails_by_name(kind, job, caplog):
    kind(lambda job, progress: {})
    unknown = ask_for_job("holiday", "other", study=None, user=None, parameters={})
    assert run_by_id(unknown.pk).error == "LookupError: no job of kind 'holiday'; known: test"


def test_a_job_that_waits_is_cancelled_at_once(kind, job):
    kind(lambda job, progress: pytest.fail("a cancelled job must not run"))
    assert cancel(job)
    job.refresh_from_db()
    assert job.state == "cancelled"
    assert job.finished_at is not None
    assert run_next() is None
    assert not cancel(job)


def test_a_job_that_runs_is_cancelled_at_its_next_report(kind, job):
    def work(job, progress):
        assert cancel(job)
        progress.report("half way")
        pytest.fail("the report must stop the job")

    kind(work)
    assert run_next().state == "cancelled"


def wait_in_python():
    while True:
        pass


def wait_where_every_error_is_caught():
    with suppress(Exception):
        wait_in_python()
    pytest.fail("a cancellation was taken for an error")


def wait_for_a_lock():
    threading.Event().wait()


def wait_for_a_file():
    read, _ = os.pipe()
    select.select([read], [], [])


def wait_for_a_process():
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        try:
            process.wait()
        finally:
            process.kill()


def wait_for_the_database():
    if connection.vendor == "sqlite":
        pytest.skip("SQLite is not waited for: it computes in the job's own thread")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_sleep(60)")


def wait_for_a_thread():
    stopped = threading.Event()
    with asking(1) as pool:
        try:
            pool.submit(stopped.wait).exception()
        finally:
            threading.Timer(1, stopped.set).start()


@pytest.mark.dialect
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "wait",
    [
        wait_where_every_error_is_caught,
        wait_for_a_lock,
        wait_for_a_process,
        wait_for_the_database,
        *(
            pytest.param(wait, marks=pytest.mark.nightly)
            for wait in (wait_in_python, wait_for_a_file, wait_for_a_thread)
        ),
    ],
)
def test_a_job_that_never_reports_is_cancelled_whatever_it_waits_for(kind, monkeypatch, wait):
    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_LOOKS", 0.1)
    ask_for_job("test", "key", study=None, user=None, parameters={})

    def work(job, progress):
        assert cancel(job)
        wait()

    kind(work)
    assert run_next().state == "cancelled"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("reports", [True, False])
def test_a_cancelled_job_may_clear_up_before_it_is_stopped_again(kind, monkeypatch, reports):
    looks, cleared = [], []

    def looked(progress):
        looks.append(progress)
        return progress_module.Cancelled

    monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_LOOKS", 0.01)
    monkeypatch.setattr(Progress, "_asked_to_stop", looked)
    ask_for_job("test", "key", study=None, user=None, parameters={})

    def work(job, progress):
        try:
            assert cancel(job)
            if reports:
                progress.report("half way")
            wait_in_python()
        finally:
            seen = len(looks)
            wait_until(lambda: len(looks) > seen + 5, every=0.001)
            cleared.append(job)

    kind(work)
    assert run_next().state == "cancelled"
    assert cleared


@pytest.mark.dialect
@pytest.mark.django_db(transaction=True)
def test_a_job_cancelled_before_it_publishes_writes_nothing(kind):
    ask_for_job("test", "key", study=None, user=None, parameters={})

    def work(job, progress):
        assert cancel(job)
        with holding(job):
            pytest.fail("a cancelled job must not write")

    kind(work)
    assert run_next().state == "cancelled"


def test_a_worker_that_stops_gives_its_job_back_without_counting_an_attempt(kind, job):
    kind(lambda job, progress: progress.report("half way"))
    progress_module.shutting_down.set()
    try:
        given_back = run_next()
    finally:
        progress_module.shutting_down.clear()
    assert (given_back.state, given_back.attempts, given_back.worker) == ("queued", 0, "")
    assert given_back.finished_at is None


@pytest.mark.dialect
def test_a_worker_that_lost_its_lease_writes_nothing_more(kind, job):
    others = []

    def work(job, progress):
        expire_lease()
        others.append(claim())
        progress.report("still here")

    kind(work)
    run_next()
    job.refresh_from_db()
    assert (job.state, job.worker) == ("running", others[0].worker)
    assert job.progress == {}


def test_a_result_of_a_worker_that_was_overtaken_unknowingly_is_not_stored(kind, job):
    def work(job, progress):
        expire_lease()
        claim()
        return {"added": 1}

    kind(work)
    run_next()
    job.refresh_from_db()
    assert (job.state, job.result) == ("running", {})


def test_a_job_that_silences_every_worker_is_given_up(kind, job, settings):
    settings.JOB_MAX_ATTEMPTS = 2
    kind(lambda job, progress: {})
    for _ in range(2):
        claim()
        expire_lease()
    given_up = run_next()
    assert given_up.state == "failed"
    assert given_up.error == "given up: 2 workers stopped responding while they ran it"


@pytest.mark.dialect
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no connections to cut")
@pytest.mark.parametrize("amid_transaction", [False, True])
@pytest.mark.django_db(transaction=True)
def test_a_cut_connection_changes_nothing_but_the_number_of_attempts(kind, amid_transaction):
    ask_for_job("test", "key", study=None, user=None, parameters={})

    def cut_once(job, progress):
        with transaction.atomic() if amid_transaction else nullcontext():
            if job.attempts == 1:
                cut_from_elsewhere()
            Job.objects.filter(pk=job.pk).update(progress={"message": "on my way"})
        return {"added": 1}

    kind(cut_once)
    assert run_next().state == "queued"
    done = run_next()
    assert (done.state, done.attempts, done.result) == ("done", 2, {"added": 1})


def cut_from_elsewhere():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    other = connection.copy()
    try:
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    finally:
        other.close()


def test_the_commit_of_a_long_write_renews_the_lease(kind, job, settings):
    settings.JOB_LEASE_SECONDS = 10

    def write(job, progress):
        with holding(job):
            expire_lease()
        assert Job.objects.get().lease_until > timezone.now()
        return {}

    kind(write)
    assert run_next().state == "done"


@pytest.mark.django_db(transaction=True)
def test_a_lease_is_renewed_while_the_job_reports_nothing(settings):
    settings.JOB_LEASE_SECONDS = 0.15
    ask_for_job("test", "key", study=None, user=None, parameters={})
    job = claim()
    first = job.lease_until
    with Progress(job):
        wait_until(lambda: Job.objects.get().lease_until > first)


@pytest.mark.dialect
@pytest.mark.django_db(transaction=True)
def test_a_missed_heartbeat_is_made_up_for_at_the_next(settings, caplog):
    settings.JOB_LEASE_SECONDS = 0.15
    ask_for_job("test", "key", study=None, user=None, parameters={})
    job = claim()
    first = job.lease_until
    rename_table("corpus_job", "corpus_job_away")
    try:
        with Progress(job):
            wait_until(lambda: "missed a heartbeat" in caplog.text)
            rename_table("corpus_job_away", "corpus_job")
            wait_until(lambda: Job.objects.get().lease_until > first)
    finally:
        if "corpus_job_away" in connection.introspection.table_names():
            rename_table("corpus_job_away", "corpus_job")


def rename_table(name, new_name):
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {name} RENAME TO {new_name}")
