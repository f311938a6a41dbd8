"""`manage.py move_database` takes every row along, to PostgreSQL and back, or changes nothing."""

import json
import re
import sqlite3
from contextlib import closing, contextmanager

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, connections, transaction
from django.db.utils import ConnectionHandler
from django.test import Client

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.frozen.service import freeze, verify
from analysis.models import FrozenReport
from analysis.reports.service import report
from annotation.models import Annotator, Campaign, Draft, Rating, Submission
from config.accounts.tokens import new_token
from config.database import moving
from config.database.address import database_at
from corpus.models import AuditEntry, Job, Membership, Output, Segment, Study
from corpus.storage.permitting import permitted
from tests.fixtures.campaigns import judge, make_campaign, make_study
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = pytest.mark.django_db(transaction=True)
LINE = re.compile(r"^\w+ +[\d,]+ rows  sha256 \w{64}$", re.MULTILINE)
NEW_EACH_TIME = re.compile(r'csrfmiddlewaretoken" value="[^"]*"|X-CSRFToken": "[^"]*"')


@contextmanager
def database(url):
    """Let everything use the database at an address."""
    before, other = connections["default"], ConnectionHandler({"default": database_at(url)})
    connections["default"] = other["default"]
    matrices.forget()
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = before
        matrices.forget()


def fill(folder):
    """Store something of every kind, odd values among them."""
    owner = User.objects.create_user("owner")
    owner.groups.add(Group.objects.create(name="raters"))
    new_token(owner, "a script", "read", None)
    Client().force_login(owner)
    study = import_path(write_files(folder / "small", TABLES)).study
    Membership.objects.create(study=study, user=owner, role="owner")
    freeze(study, "agreement", Question(aspect="content", resamples=100), owner, "How raters agree")
    numbers = {"z": -0.0, "a": [1e22, 100.0, 1e-7, 2**70], "text": "\\u0000 ü 🌍"}
    kept = Job.objects.create(kind="report", key="one", created_by=owner, result=numbers)
    Job.objects.create(kind="report", key="two", parent=kept).delete()
    judge(make_campaign(make_study(segments=3, slug="rated"))[1][0], 2)


def seen():
    """Return a page, a frozen report computed again and one computed now."""
    client = Client()
    client.force_login(User.objects.get(username="owner"))
    study, frozen = Study.objects.get(slug="small"), FrozenReport.objects.get()
    address = f"/studies/{study.slug}/frozen/{frozen.pk}/"
    page = client.get(address)
    assert page.status_code == 200
    again = verify(frozen)
    assert not again.is_damaged
    assert not again.differences
    asked = Question(aspect="content", resamples=100, metric=("bleu*",))
    content = json.dumps(report(study, "correlation", asked)["content"])
    return NEW_EACH_TIME.sub("", page.content.decode()), content


def moved_to(url, capsys):
    """Move, and return the lines of tables that were printed."""
    call_command("move_database", url)
    printed = capsys.readouterr().out
    assert "manage.py doctor" in printed
    lines = LINE.findall(printed)
    assert len(lines) == len(moving.all_tables())
    return lines


def assert_goes_on(last_job):
    """New rows get numbers that no row had, ratings are taken, and what is rated cannot change."""
    assert Job.objects.create(kind="report", key="three").pk == last_job + 1
    before = Rating.objects.count()
    judge(Annotator.objects.filter(campaign__study__slug="rated").earliest("pk"), 1)
    assert Rating.objects.count() > before
    Study.objects.create(slug="later")
    for table, change in ((Output, {"text": "x"}), (Rating, {"aspect": "x"})):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            table.objects.update(**change)


def lossy(rows):
    """Return a reader of rows that leaves the last segment out."""

    def read(table, name):
        found = list(rows(table, name))
        return iter(found[:-1] if table is Segment else found)

    return read


def test_every_row_moves_to_postgresql_and_back(postgres_url, tmp_path, capsys, monkeypatch):
    fill(tmp_path)
    before, last_job = seen(), Job.objects.latest("pk").pk + 1
    present = connection.settings_dict["NAME"]
    with monkeypatch.context() as patch:
        patch.setattr(moving, "rows", lossy(moving.rows))
        with pytest.raises(
            CommandError, match=r"differs[^/]*corpus_segment: 7 rows, 6 in the copy"
        ):
            call_command("move_database", postgres_url)
    assert connection.settings_dict["NAME"] == present
    capsys.readouterr()

    there = moved_to(postgres_url, capsys)  # It has tables by now, without rows.
    back = f"sqlite:///{tmp_path / 'back.sqlite3'}"
    with database(postgres_url):
        assert moved_to(back, capsys) == there
        assert seen() == before
        assert_goes_on(last_job)
    with database(back):
        assert seen() == before
        assert_goes_on(last_job)
        assert (tmp_path / "back.sqlite3").stat().st_mode & 0o077 == 0
        with pytest.raises(CommandError, match="has rows"):
            call_command("move_database", postgres_url)
    assert Job.objects.latest("pk").pk < last_job


@pytest.mark.sqlite
def test_what_postgresql_cannot_store_is_named_and_nothing_is_written(postgres_url):
    make_study(segments=1)
    segment = Segment.objects.latest("pk")
    if connection.vendor == "postgresql":
        pytest.skip("PostgreSQL refuses such a row")
    Segment.objects.filter(pk=segment.pk).update(key="a\0b")
    job = Job.objects.create(kind="x" * 51, key="one", result={"a": "\0"})
    with pytest.raises(CommandError) as refused:
        call_command("move_database", postgres_url)
    lines = str(refused.value).splitlines()[1:]
    assert sorted(lines) == [
        f"corpus_job, id {job.pk}, column kind: 51 characters where 50 are allowed",
        f"corpus_job, id {job.pk}, column result: a NUL character, in JSON",
        f"corpus_segment, id {segment.pk}, column key: a NUL character",
    ]
    with database(postgres_url):
        assert connection.introspection.table_names() == []


@pytest.mark.nightly
def test_what_the_doctor_repaired_moves_with_a_record_of_each_change(postgres_url, capsys):
    campaign, [annotator, _] = make_campaign(make_study(segments=2))
    if connection.vendor == "postgresql":
        pytest.skip("PostgreSQL refuses such rows")
    judge(annotator, 1, comment="a\0b\0")
    submission = Submission.objects.latest("pk")
    draft = Draft.objects.create(
        assignment=annotator.assignments.order_by("-position").first(),
        answers=[{"style\0": "1\ud83d0"}],
    )
    Campaign.objects.filter(pk=campaign.pk).update(title="\0")
    hashed = Output.objects.create(
        study=campaign.study,
        ordinal=99,
        variant=9,
        text="\0",
        sha256="0" * 64,
        **Output.objects.values("segment_id", "system_id").first(),
    )

    with pytest.raises(CommandError, match="doctor --repair"):
        call_command("move_database", postgres_url)
    call_command("doctor", "--repair")

    said = capsys.readouterr().err
    assert said.startswith("3 values repaired")
    assert f"a hash depends on it: corpus_output {hashed.pk}, text" in said
    repaired = Submission.objects.get(pk=submission.pk)
    assert repaired.comment == "a\ufffdb\ufffd"
    assert repaired.payload_sha256 == submission.payload_sha256
    draft.refresh_from_db()
    assert draft.answers == [{"style\ufffd": "1\ufffd0"}]
    entries = AuditEntry.objects.filter(action="repair characters")
    assert {entry.object: entry.before["replaced"] for entry in entries} == {
        f"annotation_submission {submission.pk} comment": [
            {"in": [], "at": 1, "was": "U+0000"},
            {"in": [], "at": 3, "was": "U+0000"},
        ],
        f"annotation_draft {draft.pk} answers": [
            {"in": ["0", "style\ufffd"], "at": 5, "was": "U+0000"},
            {"in": ["0", "style\ufffd"], "at": 1, "was": "U+D83D"},
        ],
        f"annotation_campaign {campaign.pk} title": [{"in": [], "at": 0, "was": "U+0000"}],
    }
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        Submission.objects.update(comment="forged")
    with permitted("delete"):
        Output.objects.filter(pk=hashed.pk).delete()
    call_command("move_database", postgres_url)
    with database(postgres_url):
        assert Submission.objects.get(pk=submission.pk).comment == "a\ufffdb\ufffd"


def test_a_database_in_use_or_with_rows_and_a_wrong_address_are_refused(tmp_path):
    other = tmp_path / "other.sqlite3"
    with closing(sqlite3.connect(other)) as opened:
        opened.execute("CREATE TABLE notes (text)")
        opened.execute("INSERT INTO notes VALUES (1)")
        opened.commit()
    for url, why in [
        (f"sqlite:///{other}", "has rows .table notes"),
        (f"sqlite:///{tmp_path}/missing/a.sqlite3", "cannot be opened"),
        ("nonsense://", "cannot be opened"),
    ]:
        with pytest.raises(CommandError, match=why):
            call_command("move_database", url)


@pytest.mark.sqlite
def test_the_database_itself_and_one_that_somebody_has_open_are_refused(tmp_path):
    name = connection.settings_dict["NAME"]
    with pytest.raises(CommandError, match="in use"):
        call_command("move_database", f"sqlite:///{name}")
    Study.objects.count()
    with closing(sqlite3.connect(name)) as opened:
        opened.execute("SELECT COUNT(*) FROM corpus_study").fetchall()
        with pytest.raises(CommandError, match="Stop Touchstone"):
            call_command("move_database", f"sqlite:///{tmp_path / 'new.sqlite3'}")
