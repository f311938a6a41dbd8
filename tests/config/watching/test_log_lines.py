"""Lines of the log lead from a number on a page to a request or job, and quote nobody."""

import json
import logging

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config.watching.log_lines import JsonFormatter
from corpus.jobs import registry, watched
from corpus.jobs.worker import run_next
from corpus.models import Job

TEXT = "a sentence of an annotator"


@pytest.fixture
def lines(caplog):
    """What is logged, as objects."""
    before = caplog.handler.formatter
    caplog.handler.setFormatter(JsonFormatter())
    caplog.set_level(logging.INFO)
    yield lambda: [json.loads(line) for line in caplog.text.splitlines()]
    caplog.handler.setFormatter(before)


@pytest.fixture
def broken(monkeypatch):
    """Let the list of jobs fail, and quote a text."""

    def fail(*_):
        raise ValueError(TEXT)

    monkeypatch.setattr("corpus.pages.jobs.render", fail)


@pytest.mark.django_db
def test_the_number_on_the_page_is_in_the_log_with_person_and_route(lines, broken):
    person = User.objects.create_user("grace-hopper", is_superuser=True)
    client = Client(raise_request_exception=False)
    client.force_login(person)
    reply = client.get("/jobs/")
    assert reply.status_code == 500
    number = reply["X-Request-ID"]
    assert f"<code>{number}</code>" in reply.text
    [line] = [each for each in lines() if each["level"] == "ERROR"]
    assert line["request"] == number
    assert (line["route"], line["method"], line["status"]) == ("job-list", "GET", 500)
    assert (line["person"], line["error"]) == (person.pk, "ValueError")
    assert any("corpus/pages/jobs.py" in place for place in line["stack"])
    assert TEXT not in str(line)
    assert "hopper" not in str(line)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("behind_proxy", "sent", "kept"),
    [
        (True, "0f3a-b_c.d8", True),
        (True, "short", False),
        (True, 'x"}\nforged line', False),
        (False, "0f3a-b_c.d8", False),
    ],
)
def test_only_a_proxy_may_number_requests(client, settings, behind_proxy, sent, kept):
    settings.BEHIND_PROXY = behind_proxy
    number = client.get("/sign-in/", headers={"x-request-id": sent})["X-Request-ID"]
    assert (number == sent) == kept
    assert kept or len(number) == 16


@pytest.mark.django_db
def test_a_job_is_named_in_its_lines_and_what_it_quotes_is_not(lines, monkeypatch):
    def fail(job, progress):
        logging.getLogger("corpus").info("half way")
        raise ValueError(TEXT)

    monkeypatch.setitem(registry._functions, "failing", fail)
    job = Job.objects.create(kind="failing", key="x")
    run_next()
    half, failed = lines()
    for line in (half, failed):
        assert (line["job"], line["kind"], line["study_id"]) == (job.pk, "failing", None)
        assert ":" in line["worker"]
    assert (failed["message"], failed["error"]) == (f"job {job.pk} failed", "ValueError")
    assert TEXT not in str(failed)
    assert watched.log_fields() == {}
