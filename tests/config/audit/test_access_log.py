"""The log of who signed in and took data out: nothing is forgotten, nothing changed."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from config import downloads
from config.accounts.signing_in import one_time_path
from corpus.access.log import Action, log_access
from corpus.exports.run import ask_for_export
from corpus.jobs.worker import run_next
from corpus.models import AccessEntry, Study
from corpus.storage.pruning import prune
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.machine import ROOT
from tests.fixtures.nonempty import at_least_one

pytestmark = pytest.mark.django_db
PASSWORD = "a cup of cold tea"
NO_DATA = {
    *("filter_docs", "verify_report", "doctor", "migrate", "restore", "serve"),
    *("sign_in_link", "delete_due", "import_study", "prune", "work", "baselines", "metrics_docs"),
    *(
        "judge",
        "learn_metric",
        "score",
        "train_language_model",
        "train_style",
        "train_writer",
        "try_texts",
        "write_outputs",
    ),
    "move_database",  # Both databases are the administrator's.
    *("publish_study", "benchmark"),  # The service that each calls writes the line.
}


@pytest.fixture(autouse=True)
def anew():
    downloads.forget_readings()


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def study(small_secret_study, db) -> Study:
    return Study.objects.get(slug="small")


@pytest.fixture
def owner(study, ada) -> Client:
    return signed_in("ada", study)


def lines(action: Action) -> list[tuple[str, object]]:
    entries = AccessEntry.objects.filter(action=action).order_by("pk")
    return list(entries.values_list("detail", "person"))


def test_every_way_of_signing_in_and_out_is_logged(ada):
    client = Client()
    sign_in = reverse("account_login")
    client.post(sign_in, {"login": "ada", "password": "wrong"})
    client.post(sign_in, {"login": "a password here", "password": "ada"})
    client.post(sign_in, {"login": "ada", "password": PASSWORD})
    client.post(reverse("account-token"), {"name": "cron", "scope": "read", "days": "30"})
    client.post(reverse("account_logout"))
    ada.refresh_from_db()
    client.post(one_time_path(ada))
    assert list(AccessEntry.objects.order_by("pk").values_list("action", "detail", "person")) == [
        ("sign-in-failed", "password", ada.pk),
        ("sign-in-failed", "password, unknown name", None),
        ("signed-in", "password", ada.pk),
        ("token-made", "read", ada.pk),
        ("signed-out", "", ada.pk),
        ("signed-in", "one-time link", ada.pk),
    ]
    [mark] = set(AccessEntry.objects.values_list("network", flat=True))
    assert len(mark) == 8


def test_an_export_is_logged_when_it_is_made_and_when_it_is_fetched(owner, study, ada, tmp_path):
    job = ask_for_export(study, ada)
    run_next()
    b"".join(owner.get(reverse("export-download", args=[job.pk])))
    call_command("export_study", study.slug, output=tmp_path / "small.zip", verbosity=0)
    made = AccessEntry.objects.filter(action=Action.EXPORTED).order_by("pk")
    assert [(each.detail, each.person, each.study) for each in made] == [
        ("archive", ada, study),
        ("archive by command", None, study),
    ]
    fetched = AccessEntry.objects.get(action=Action.DOWNLOADED)
    assert (fetched.person, fetched.study, fetched.size) == (ada, study, made[0].size)


def test_every_command_is_logged_or_gives_nothing_out():
    commands = list(at_least_one(ROOT.glob("*/management/commands/[a-z]*.py")))
    logged = {path.stem for path in commands if "log_access(" in path.read_text(encoding="utf-8")}
    assert {path.stem for path in commands} - logged == NO_DATA


def test_several_processes_write_one_line_an_hour_of_the_same_reading(owner, study, ada):
    address, long_ago = "/api/v1/studies/small/outputs/", timezone.now() - timedelta(minutes=61)
    AccessEntry.objects.create(
        action=Action.READ, detail="outputs", person=ada, study=study, at=long_ago
    )
    owner.get(address)
    assert len(lines(Action.READ)) == 2
    # What another process finds that was started since.
    downloads.forget_readings()
    owner.get(address)
    assert len(lines(Action.READ)) == 2
    with CaptureQueriesContext(connection) as captured:
        owner.get(address)
    assert "accessentry" not in str(captured.captured_queries)
    owner.get("/api/v1/studies/small/segments/")
    assert len(lines(Action.READ)) == 3


def test_lines_are_not_changed_and_go_after_their_days_alone(ada, study):
    log_access(Action.SIGNED_IN, "password", person=ada)
    for change in (
        lambda: AccessEntry.objects.update(detail="other"),
        lambda: AccessEntry.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError, match="is append-only"), transaction.atomic():
            change()
    prune(timezone.now() + timedelta(days=179))
    assert AccessEntry.objects.count() == 1
    prune(timezone.now() + timedelta(days=181))
    assert not AccessEntry.objects.exists()
