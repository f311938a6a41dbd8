"""Heavy work of one person does not stand in the way of others: order, bounds, cancelling."""

import time

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from config.celery import run_job
from corpus.jobs import registry
from corpus.jobs.queue import ask_for_job, resume
from corpus.jobs.worker import claim, run_next
from corpus.models import Job, Membership, Study
from corpus.models.job import Queue

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return Study.objects.create(slug="reviews", title="Reviews")


@pytest.fixture
def people(study):
    people = {name: User.objects.create_user(name) for name in ("owner", "bob", "eve")}
    for name, user in people.items():
        role = "owner" if name == "owner" else "researcher"
        Membership.objects.create(study=study, user=user, role=role)
    return people


@pytest.fixture
def ask(study, people):
    def asked(name, kind="report", count=1):
        start = Job.objects.count()
        return [
            ask_for_job(kind, f"{kind} {start + n}", study=study, user=people[name], parameters={})
            for n in range(count)
        ]

    return asked


def claimed(count):
    return [claim() for _ in range(count)]


def names(jobs):
    return [(job.created_by.username, job.kind) for job in jobs]


@pytest.mark.dialect
def test_owners_come_first_and_what_raters_wait_for_before_all(ask):
    ask("eve", count=2)
    ask("owner", "export")
    ask("owner", "import")
    ask("owner", "start campaign")
    assert names(claimed(5)) == [
        ("owner", "import"),
        ("owner", "start campaign"),
        ("owner", "export"),
        ("eve", "report"),
        ("eve", "report"),
    ]


def test_turns_hold_where_each_job_ends_before_the_next_begins(ask):
    ask("eve", count=3)
    ask("bob", count=2)
    order = []
    for _ in range(5):
        job = claim()
        order.append(job.created_by.username)
        Job.objects.filter(pk=job.pk).update(state="done", lease_until=None)
    assert order == ["eve", "bob", "eve", "bob", "eve"]


def test_celery_runs_what_is_next_in_turn_whatever_id_it_was_sent(ask, monkeypatch):
    ran = []
    monkeypatch.setattr(registry, "_functions", {})
    for kind in ("report", "import"):
        registry.register_job(kind, lambda job, progress: ran.append(job.kind) or {})
    [first] = ask("eve")
    [second] = ask("owner", "import")
    run_job(first.pk)
    run_job(second.pk)
    assert ran == ["import", "report"]
    run_job(second.pk)
    assert ran == ["import", "report"]


def test_one_more_than_a_person_may_have_waiting_is_refused_in_words(ask, people, settings, study):
    settings.JOBS_WAITING_LIMIT = 3
    jobs = ask("owner", "export", count=3)
    client = Client()
    client.force_login(people["owner"])
    answer = client.post("/studies/reviews/export/")
    assert answer.status_code == 429
    assert "You have 3 jobs waiting" in answer.text
    assert Job.objects.count() == 3
    api_client = APIClient()
    api_client.force_authenticate(people["owner"])
    api = api_client.post("/api/v1/studies/reviews/exports/")
    assert api.status_code == 429
    assert "cancel some on the page Jobs" in api.json()["detail"]
    # Who is refused is one person, and what waits already may be asked for again.
    assert ask("bob")
    Job.objects.filter(pk=jobs[0].pk).update(state="cancelled")
    assert resume(jobs[0])


@pytest.mark.dialect
def test_a_report_that_takes_too_long_ends_in_words_though_it_never_reports(
    ask, settings, monkeypatch
):
    settings.REPORT_MINUTES = 0
    monkeypatch.setattr(registry, "_functions", {})

    def endless(job, progress):
        until = time.monotonic() + 30
        while time.monotonic() < until:
            pass
        return {}

    registry.register_job("report", endless, bounded=True)
    ask("eve")
    job = run_next()
    assert job.state == "failed"
    assert "stopped after 0 minutes" in job.error
    assert "fewer draws" in job.error
    assert resume(job)


@pytest.mark.dialect
def test_many_jobs_are_cancelled_at_once_and_nobody_else_s(ask, people):
    mine, others = ask("eve", count=3), ask("bob", count=2)
    client = Client()
    client.force_login(people["eve"])
    page = client.get("/jobs/").text
    assert f'name="job" value="{mine[0].pk}"' in page
    assert f'name="job" value="{others[0].pk}"' not in page
    assert "Cancel all my waiting jobs (3)" in page
    client.post("/jobs/cancel/", {"job": [mine[0].pk, others[0].pk, "9" * 30, "x"]})
    assert Job.objects.get(state="cancelled") == mine[0]
    client.post("/jobs/cancel/", {"waiting": "mine"})
    assert set(Job.objects.filter(state="cancelled")) == set(mine)
    client.force_login(people["owner"])
    client.post("/jobs/cancel/", {"job": [others[0].pk]})
    assert set(Job.objects.active()) == {others[1]}


def test_a_worker_takes_jobs_of_its_own_queues_only(settings, monkeypatch):
    assert tuple(Queue.values) == settings.QUEUES
    monkeypatch.setattr("corpus.jobs.queue.heavy_kinds", {"train"})
    asked = {"study": None, "user": None, "parameters": {}}
    heavy = ask_for_job("train", "a", **asked)
    gpu = ask_for_job("score", "b", **asked, needs_gpu=True)
    plain = ask_for_job("score", "c", **asked)
    settings.WORKER_QUEUES = ["gpu"]
    assert claim() == gpu
    assert claim() is None
    settings.WORKER_QUEUES = ["default", "heavy"]
    assert [claim(), claim()] == [heavy, plain]
