"""Figures for Prometheus: only by token, by names of routes, and of all processes."""

import os
import subprocess
import sys

import pytest
from django.db import OperationalError
from django.test import Client

from corpus.jobs import registry, watched
from corpus.jobs.worker import run_next
from corpus.later_functions import Later
from corpus.models import Job
from tests.fixtures.machine import ROOT

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-who-watches-it"


@pytest.fixture
def figures(settings, monkeypatch):
    """Returns a client of a site that counts, and what the figures are now."""
    settings.METRICS_TOKEN = TOKEN
    monkeypatch.setattr(watched, "ended", [Later("config.watching.metrics", "count_job")])
    client = Client(raise_request_exception=False)

    def read():
        reply = client.get("/metrics", headers={"authorization": f"Bearer {TOKEN}"})
        assert reply.status_code == 200
        lines = (line for line in reply.text.splitlines() if not line.startswith("#"))
        return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}

    return client, read


def test_there_are_none_unless_a_token_is_set(client, settings):
    assert client.get("/metrics").status_code == 404
    settings.METRICS_TOKEN = TOKEN
    refused = client.get("/metrics", headers={"authorization": "Bearer x"})
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")


def test_requests_are_counted_by_route_and_never_by_address(figures):
    client, read = figures
    names = [
        'touchstone_requests_total{method="GET",route="sign-in-once",status="403"}',
        'touchstone_request_seconds_count{route="sign-in-once"}',
        'touchstone_requests_total{method="other",route="none",status="404"}',
    ]
    before = read()
    client.get("/sign-in/ada/secret-of-the-link/")
    client.generic("BREW", "/no-such-page/")
    after = read()
    assert [after[name] - before.get(name, 0) for name in names] == [1, 1, 1]
    assert "secret" not in str(after)


def test_errors_of_the_database_are_counted_though_they_are_answered(figures, monkeypatch):
    client, read = figures
    name = 'touchstone_database_errors_total{error="OperationalError"}'

    def fail(*_):
        raise OperationalError("database is locked")

    monkeypatch.setattr("config.accounts.signing_in.SignIn.get", fail)
    before = read()
    assert client.get("/sign-in/").status_code == 503
    assert read()[name] - before.get(name, 0) == 1


def test_jobs_are_counted_when_they_end_and_while_they_wait(figures, monkeypatch):
    _, read = figures
    monkeypatch.setitem(registry._functions, "counted", lambda job, progress: {})
    Job.objects.create(kind="counted", key="x")
    waiting = read()
    assert waiting['touchstone_jobs{kind="counted",state="queued"}'] == 1
    assert waiting["touchstone_jobs_waiting"] == 1
    assert waiting['touchstone_workers{queue="gpu"}'] == 0
    run_next()
    done = read()
    name = 'touchstone_job_seconds_count{kind="counted",state="done"}'
    assert done[name] - waiting.get(name, 0) == 1
    assert done["touchstone_jobs_waiting"] == 0


def test_what_another_process_has_counted_is_shown_too(figures):
    _, read = figures
    code = (
        "import django; django.setup()\n"
        "from config.watching.metrics import count_database_error\n"
        "count_database_error(ZeroDivisionError())"
    )
    name = 'touchstone_database_errors_total{error="ZeroDivisionError"}'
    before = read()
    variables = {"DJANGO_SETTINGS_MODULE": "config.settings", "METRICS_TOKEN": TOKEN}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=os.environ | variables, check=True)
    assert read()[name] - before.get(name, 0) == 1
