"""What load balancers and monitors are told, and what strangers are not."""

import datetime as dt
import sqlite3
from collections import namedtuple

import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from config.health import serving
from corpus.models import Job, Worker

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-who-watches-it"


@pytest.fixture(autouse=True)
def anew():
    serving.forget()
    yield
    serving.forget()


def details(client):
    return client.get("/readyz").json()["checks"]


def waiting(minutes, **fields):
    job = Job.objects.create(kind="import", key=f"{minutes} {fields}", **fields)
    Job.objects.update(created_at=timezone.now() - dt.timedelta(minutes=minutes))
    return job


def test_the_process_answers_without_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        reply = client.get("/healthz", headers={"host": "10.0.0.7"})
    assert (reply.status_code, reply.content) == (200, b"ok\n")
    assert not reply.cookies
    assert client.post("/healthz").status_code == 405


@pytest.mark.dialect
def test_everything_is_well_on_a_new_site(client):
    Worker.objects.create(name="here:1", kind="work", queues=["default", "gpu", "heavy"])
    checks = details(client)
    assert list(checks) == ["database", "migrations", "disk", "jobs", "worker"]
    assert [each["problem"] for each in checks.values()] == [""] * 5
    assert checks["disk"]["figures"]["free_mib"] > 0


def test_strangers_learn_no_more_than_what_is_missing(client, monkeypatch):
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(serving.shutil, "disk_usage", lambda _: usage(5 << 20))
    reply = client.get("/readyz", REMOTE_ADDR="203.0.113.9")
    assert (reply.status_code, reply.content) == (503, b"not ready: disk\n")
    proxied = client.get("/readyz", headers={"x-forwarded-for": "127.0.0.1"})
    assert proxied.content == reply.content
    here = client.get("/readyz")
    assert here.status_code == 503
    assert "5 MiB are free" in here.json()["checks"]["disk"]["problem"]


def test_a_token_shows_the_details_from_elsewhere(client, settings):
    def asked(token):
        headers = {"authorization": f"Bearer {token}"}
        return client.get("/readyz", REMOTE_ADDR="203.0.113.9", headers=headers)

    assert asked("").content == b"ok\n"
    settings.METRICS_TOKEN = TOKEN
    assert asked(TOKEN).json()["ready"] is True
    assert asked(TOKEN[:-1]).content == b"ok\n"


@pytest.mark.dialect
def test_a_migration_that_was_not_applied_is_named(client):
    MigrationRecorder(connection).record_unapplied("site", "0001_initial")
    reply = client.get("/readyz")
    assert reply.status_code == 503
    assert "site.0001_initial" in reply.json()["checks"]["migrations"]["problem"]


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("attempt to write a readonly database", "cannot write"),
        ("database disk image is malformed", "damaged"),
        ("could not connect to db.internal as ada", "The check failed: OperationalError."),
    ],
)
def test_a_database_that_fails_is_told_without_names(client, monkeypatch, message, said):
    def fail(statement):
        raise sqlite3.OperationalError(message)

    monkeypatch.setattr(serving, "value", fail)
    reply = client.get("/readyz")
    assert reply.status_code == 503
    assert said in reply.json()["checks"]["database"]["problem"]
    assert "ada" not in reply.text


def test_a_worker_is_missed_only_if_a_job_waits_and_none_runs(client):
    waiting(2)
    reply = client.get("/readyz")
    assert reply.status_code == 200
    assert "No worker is at work and none alive" in reply.json()["checks"]["worker"]["problem"]
    assert reply.json()["checks"]["jobs"]["figures"]["oldest_waiting_seconds"] >= 120
    serving.forget()
    waiting(2, state="running", lease_until=timezone.now() + dt.timedelta(seconds=30))
    found = details(client)["worker"]
    assert found["problem"] == "No worker is alive: jobs would wait."
    assert found["figures"] == {
        **{"at_work": 1, "alive": 0},
        "queues_without": ["default", "gpu", "heavy"],
    }


def test_a_queue_is_missed_if_a_job_waits_in_it_and_no_living_worker_takes_it(client):
    gone = timezone.now() - dt.timedelta(minutes=1)
    Worker.objects.create(name="a:1", kind="work", queues=["default", "heavy"])
    Worker.objects.create(name="b:2", kind="celery", queues=["gpu"], seen_at=gone)
    waiting(2, queue="gpu")
    waiting(2, state="running", lease_until=timezone.now() + dt.timedelta(seconds=30))
    problem = details(client)["worker"]["problem"]
    assert problem == "No worker takes gpu, where jobs wait; alive: a:1."
    serving.forget()
    Worker.objects.filter(name="b:2").update(seen_at=timezone.now())
    figures = {"at_work": 1, "alive": 2, "queues_without": []}
    assert details(client)["worker"] == {"required": False, "problem": "", "figures": figures}


def test_a_broker_that_does_not_answer_is_told_without_its_address(client, settings):
    settings.REDIS_URL = "redis://ada:secret@127.0.0.1:1/0"
    reply = client.get("/readyz")
    assert reply.status_code == 200
    assert reply.json()["checks"]["broker"]["problem"] == "The check failed: ConnectionError."
    assert "secret" not in reply.text
