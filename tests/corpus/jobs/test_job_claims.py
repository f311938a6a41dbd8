"""A job is asked for once and run by one worker at a time."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from corpus.jobs import worker
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.jobs.worker import claim, run_next
from corpus.models import Job
from tests.fixtures.waiting import PATIENCE

pytestmark = pytest.mark.dialect


def ask(key="texts", kind="import"):
    return ask_for_job(kind, key, study=None, user=None, parameters={})


@pytest.mark.django_db(transaction=True)
def test_many_workers_at_once_claim_each_job_exactly_once():
    jobs = {ask(f"key {number}").pk for number in range(12)}
    start, claimed, failures = threading.Barrier(4), [], []

    def work():
        try:
            start.wait(PATIENCE)
            while job := claim():
                claimed.append(job.pk)
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert sorted(claimed) == sorted(jobs)


@pytest.mark.django_db
def test_a_job_whose_lease_ran_out_is_taken_over():
    ask()
    first = claim()
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    second = claim()
    assert second == first
    assert second.attempts == 2
    assert second.worker != first.worker


@pytest.mark.django_db
def test_a_worker_whose_clock_is_an_hour_slow_does_no_job_twice(monkeypatch):
    done, true_now = [], timezone.now

    def work(job, progress):
        with monkeypatch.context() as right:
            right.setattr(timezone, "now", true_now)
            right.setattr(worker, "job_function", lambda kind: by_the_other)
            run_next()
        progress.report("still here")
        done.append("by the slow one")

    def by_the_other(job, progress):
        done.append("by the other")
        return {}

    job = ask()
    monkeypatch.setattr(worker, "job_function", lambda kind: work)
    monkeypatch.setattr(timezone, "now", lambda: true_now() - timedelta(hours=1))
    run_next()
    job.refresh_from_db()
    assert (done, job.state) == (["by the other"], "done")


@pytest.mark.django_db
def test_a_key_is_asked_for_once_while_active_and_again_afterwards():
    job = ask()
    with pytest.raises(JobActive, match=f"import job {job.pk} is waiting") as refused:
        ask()
    assert refused.value.job == job
    claim()
    with pytest.raises(JobActive, match="is running"):
        ask()
    Job.objects.update(state="done")
    assert ask().pk != job.pk
    assert ask("another key").state == "queued"
