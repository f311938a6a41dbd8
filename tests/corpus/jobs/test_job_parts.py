"""A job in parts: any worker does them, and its own is one of them."""

import pytest

from corpus.jobs import progress as progress_module
from corpus.jobs import registry
from corpus.jobs.parts import divide, finish_parts
from corpus.jobs.queue import ask_for_job, cancel, resume
from corpus.jobs.worker import JobError, claim, run, run_next
from corpus.models import Job

pytestmark = [pytest.mark.dialect, pytest.mark.django_db]


@pytest.fixture
def done():
    return []


@pytest.fixture
def kinds(monkeypatch, done):
    """Register a job of three parts; `kinds(before)` does something before a part."""

    def register(before=lambda part: None):
        def whole(job, progress):
            divide(job, "part", [{"size": 10, "number": number} for number in range(3)])
            finish_parts(job, progress, "counting")
            return {"parts": sorted(done)}

        def part(job, progress):
            before(job)
            progress.report("counting", done=5, total=10)
            done.append(job.parameters["number"])
            return {}

        monkeypatch.setattr(progress_module, "SECONDS_BETWEEN_WRITES", 0)
        monkeypatch.setattr(registry, "_functions", {})
        registry.register_job("whole", whole)
        registry.register_job("part", part)

    return register


@pytest.fixture
def job():
    return ask_for_job("whole", "key", study=None, user=None, parameters={})


def parts():
    return Job.every.exclude(parent=None).order_by("pk")


def test_one_worker_does_all_parts_in_turn(kinds, job, done):
    kinds()
    assert run_next().state == "done"
    assert done == [0, 1, 2]
    assert {part.state for part in parts()} == {"done"}
    assert run_next() is None


def test_a_free_worker_takes_a_part_of_a_job_that_another_has(kinds, job, done):
    def helped(part):
        if part.parameters["number"] == 0:
            assert run(claim()).parameters["number"] == 1

    kinds(helped)
    assert run_next().result == {"parts": [0, 1, 2]}
    assert done == [1, 0, 2]


def test_cancelling_a_job_cancels_its_parts(kinds, job, done):
    kinds(lambda part: cancel(job))
    assert run_next().state == "cancelled"
    assert done == []
    assert {part.state for part in parts()} == {"cancelled"}


def test_a_part_that_fails_fails_the_job_which_may_be_tried_again(kinds, job, done):
    def fail(part):
        if part.parameters["number"] == 1:
            raise JobError("one is not good")

    kinds(fail)
    failed = run_next()
    assert (failed.state, failed.error) == ("failed", "one is not good")
    kinds()
    assert resume(job)
    assert run_next().state == "done"
    assert done == [0, 2, 0, 1, 2]


def test_a_worker_that_stops_hands_its_part_and_the_job_back(kinds, job, done):
    def stop(part):
        if part.parameters["number"] == 1:
            progress_module.shutting_down.set()

    kinds(stop)
    try:
        given_back = run_next()
    finally:
        progress_module.shutting_down.clear()
    assert (given_back.state, given_back.attempts) == ("queued", 0)
    assert [part.state for part in parts()] == ["done", "queued", "queued"]
