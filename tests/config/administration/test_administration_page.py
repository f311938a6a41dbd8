"""The page for administrators: for them alone, complete, and by a bounded number of queries."""

import csv
import io
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config.models import Defect
from corpus.access.log import Action, log_access
from corpus.jobs.worker import run_next
from corpus.models import AccessEntry, Job, Worker
from tests.fixtures.campaigns import make_study

pytestmark = pytest.mark.django_db
MOST_QUERIES = 26
PAGES = ("administration", "administration-log", "administration-log-file")


@pytest.fixture(autouse=True)
def data(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"
    settings.BACKUP_FOLDER = tmp_path / "backups"


@pytest.fixture
def root() -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def page(client: Client, name: str = "administration", query: str = "") -> str:
    reply = client.get(reverse(name) + query)
    assert reply.status_code == 200
    return b"".join(reply).decode()


def test_for_everybody_else_there_is_no_such_page():
    owner = Client()
    owner.force_login(User.objects.create_user("ada"))
    for name in PAGES:
        assert owner.get(reverse(name)).status_code == 404
        assert Client().get(reverse(name)).status_code == 302
    assert owner.post(reverse("administration-examine")).status_code == 404
    assert "Administration" not in page(owner, "account")


@pytest.mark.dialect
def test_it_is_complete_and_asks_no_more_for_more_studies(root):
    page(root)
    for number in range(3):
        study = make_study(2, 2, slug=f"study-{number}")
        Job.objects.create(kind="score", key=f"{number}", study=study, state="queued")
        Job.objects.create(kind="report", key=f"{number}-", study=study)
        log_access(Action.EXPORTED, "archive", study=study, size=2048)
    assert root.post(reverse("administration-examine")).status_code == 302
    Job.objects.exclude(kind="examine-site").update(state="failed", error="No such metric.")
    Job.objects.filter(kind="score").update(finished_at="2999-01-01T00:00Z")
    assert run_next().state == "done"
    with CaptureQueriesContext(connection) as queries:
        shown = page(root)
    assert len(queries) <= MOST_QUERIES
    for words in (
        "study-2",
        "No such metric.",
        "Try&nbsp;again",
        "2.0\xa0KB",
        "The database is whole.",
    ):
        assert words in shown


def test_workers_are_listed_and_queues_that_none_of_them_takes_are_marked(root):
    assert "no worker</span> is alive" in page(root)
    Worker.objects.create(name="one:1", kind="celery", queues=["default", "heavy"], processes=4)
    long_ago = timezone.now() - timedelta(minutes=5)
    Worker.objects.create(name="two:2", kind="work", queues=["gpu"], seen_at=long_ago)
    shown = page(root)
    assert "1 worker alive" in shown
    assert "none</span> takes gpu" in shown
    alive, silent = (shown.partition(name)[2].partition("</tr>")[0] for name in ("one:1", "two:2"))
    assert [words in alive for words in ("alive", "Celery")] == [True, True]
    assert [words in silent for words in ("silent", "manage.py work")] == [True, True]


def test_a_defect_is_listed_by_the_number_that_its_page_shows(root, monkeypatch):
    def fail(*_):
        raise ValueError("what somebody had entered")

    monkeypatch.setattr("config.accounts.pages.account_page", fail)
    root.raise_request_exception = False
    reply = root.get(reverse("account"))
    number = reply["X-Request-ID"]
    assert number in reply.text
    shown = page(root)
    assert number in shown
    assert "what somebody had entered" not in shown
    assert Defect.objects.get().route == "account"


def test_the_log_is_filtered_and_downloaded_and_that_is_logged(root):
    study = make_study(1, 1, slug="small")
    log_access(Action.EXPORTED, "=archive", study=study, size=5)
    assert (
        "archive"
        not in page(root, "administration-log", "?action=signed-in").partition("<tbody")[2]
    )
    text = page(root, "administration-log-file", "?study=small")
    header, row = csv.reader(io.StringIO(text))
    assert dict(zip(header, row, strict=True))["detail"] == "'=archive"
    last = AccessEntry.objects.first()
    assert (last.action, last.person.username) == ("downloaded", "root")
    wrong = page(root, "administration-log", "?first=never&person=%23999999999999999999999")
    assert "Enter a valid date." in wrong
