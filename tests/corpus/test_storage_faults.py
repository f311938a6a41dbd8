"""A full, read-only or damaged disk: words for whoever meets it, and nothing half-stored."""

import errno
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.db import DatabaseError, connection
from django.urls import reverse

from annotation.models import Rating, Submission
from corpus.jobs import registry
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import run_next
from corpus.models import Study
from corpus.storage.faults import storage_fault
from tests.fixtures import databases
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.import_pages import sent_files
from tests.fixtures.machine import ROOT
from tests.fixtures.rating_pages import FULL, entered, open_screen, submit

NO_ROOM = "has no room left"
READ_ONLY = "cannot write to its database"


@contextmanager
def full_disk():
    """A database file that cannot grow."""
    with connection.cursor() as cursor:
        # What earlier tests deleted would be room.
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA page_count")
        cursor.execute(f"PRAGMA max_page_count={cursor.fetchone()[0]}")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count=4294967294")


@contextmanager
def read_only():
    """A database that takes no writes."""
    sqlite = connection.vendor == "sqlite"
    name = "PRAGMA query_only" if sqlite else "SET default_transaction_read_only"
    with connection.cursor() as cursor:
        cursor.execute(f"{name} = on")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"{name} = off")


@pytest.fixture
def annotator(transactional_db):
    return make_campaign(make_study())[1][0]


@pytest.fixture
def rater(annotator):
    client = entered(annotator)
    client.raise_request_exception = False
    return client


def long_comment(form):
    """What needs more room than the last page of the database has."""
    return form | {"comment": "Too long for the page. " * 80}


def until_full(rater, annotator, form, **given):
    """Send corrections until there is no room; the last one is not stored."""
    for _ in range(60):
        before = Submission.objects.count()
        reply = submit(rater, annotator, long_comment(form), **given, **FULL)
        if reply.status_code != 200:
            assert Submission.objects.count() == before
            return form, reply
        form = open_screen(rater, annotator)
    raise AssertionError("the disk is not full")


# Whoever rates


@pytest.mark.sqlite
def test_an_answer_for_which_there_is_no_room_is_kept_on_the_page_and_sent_again(annotator, rater):
    form = open_screen(rater, annotator)
    with full_disk():
        form, reply = until_full(rater, annotator, form)
        assert reply.status_code == 507
        assert reply.headers["Content-Type"].startswith("text/plain")
        assert NO_ROOM in reply.text
        assert "not stored" in reply.text
    stored = Submission.objects.count()
    assert submit(rater, annotator, long_comment(form), **FULL).status_code == 200
    assert Submission.objects.count() == stored + 1
    assert Rating.objects.count() == 3 * Submission.objects.count()


@pytest.mark.parametrize(
    ("broken", "status", "words"),
    [pytest.param(full_disk, 507, NO_ROOM, marks=pytest.mark.sqlite), (read_only, 503, READ_ONLY)],
)
def test_without_scripts_the_screen_comes_back_with_its_answers(
    annotator, rater, broken, status, words
):
    form = open_screen(rater, annotator) | {"comment": "x" * 1999}
    with broken():
        for _ in range(60):
            reply = submit(rater, annotator, form, fetched=False, **FULL)
            if reply.status_code != 302:
                break
            form = open_screen(rater, annotator) | {"comment": "x" * 1999}
        assert reply.status_code == status
        assert words in reply.text
        assert "Your answer is not stored" in reply.text
        assert f'value="{FULL["fluency"]}"' in reply.text
        assert "x" * 1999 in reply.text
    if form["assignment"] not in open_screen(rater, annotator).values():
        return
    assert submit(rater, annotator, form, fetched=False, **FULL).status_code == 302


@pytest.mark.sqlite
def test_the_page_of_the_next_item_says_why_there_is_none(annotator, rater):
    with read_only():
        reply = rater.get(f"/rate/{annotator.public_id}/")
    assert reply.status_code == 503
    assert READ_ONLY in reply.text
    assert "defect of Touchstone" not in reply.text
    assert str(connection.settings_dict["NAME"]) not in reply.text


# Whoever works on studies


@pytest.mark.parametrize(
    ("broken", "status", "words"),
    [pytest.param(full_disk, 507, NO_ROOM, marks=pytest.mark.sqlite), (read_only, 503, READ_ONLY)],
)
def test_the_api_answers_in_the_one_shape_of_errors(transactional_db, broken, status, words):
    client = client_of("owner")
    with broken():
        for number in range(400):
            answer = client.post(f"{API}studies/", {"slug": f"s{number}", "title": "x" * 200})
            if answer.status_code != 201:
                break
        assert words in is_error(answer, status)["detail"]
    assert not Study.objects.filter(slug=f"s{number}").exists()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/srv/data/x"), NO_ROOM),
        (OSError(errno.EROFS, "Read-only file system", "/srv/data/x"), READ_ONLY),
        (FileNotFoundError(errno.ENOENT, "No such file or directory", "/srv/data/x"), "No such"),
    ],
)
def test_a_job_ends_in_words_without_a_path(transactional_db, monkeypatch, error, words):
    def fails(job, progress):
        raise error

    monkeypatch.setitem(registry._functions, "fails", fails)
    ask_for_job("fails", "fails", study=None, user=None, parameters={})
    job = run_next()
    assert job.state == "failed"
    assert words in job.error
    assert "/srv" not in job.error


def test_an_upload_for_which_there_is_no_room_is_refused_in_words(
    transactional_db, settings, tmp_path, client, study
):
    client.raise_request_exception = False
    settings.MEDIA_ROOT = tmp_path / "media"
    sent = sent_files({"outputs.csv": [["segment_id"], ["x" * 300_000]]})
    with limited_files():
        reply = client.post(reverse("study-import", args=["small"]), {"files": sent})
    assert reply.status_code == 507
    assert NO_ROOM in reply.text
    assert str(tmp_path) not in reply.text
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@contextmanager
def limited_files(most=100_000):
    """No file may grow beyond so many bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


# Whoever administers


@pytest.fixture
def folder():
    """A folder that another user may look into, too."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="storage-") as name:
        path = Path(name)
        path.chmod(0o755)
        (path / "data").mkdir()
        (path / "data").chmod(0o777)
        yield path


def manage(folder, *command, run_by=(), **options):
    """Run a command in a process of its own; return its status and what it said."""
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "TOUCHSTONE_DATA": str(folder / "data"),
        "JOB_LEASE_SECONDS": "1",
        "SECRET_KEY": "a key of no worth, for tests only, long enough",
    }
    # From here, for another user need not be let into the folders above.
    python = os.path.relpath(sys.executable, ROOT)
    done = subprocess.run(
        [*run_by, python, "manage.py", *command],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, **options,
    )  # fmt: skip
    return done.returncode, done.stderr


def sentence(result):
    """Check that a command failed with words only, and return the last of them."""
    status, said = result
    assert status not in (0, None)
    assert "Traceback" not in said
    return said.strip().splitlines()[-1]


@pytest.fixture
def migrated(folder, django_db_setup):
    """A migrated database of its own."""
    place = folder / "db.sqlite3"
    if databases.of_this_run.is_file:
        return Path(shutil.copyfile(databases.of_this_run.template, place))
    assert manage(folder, "migrate", "--verbosity", "0") == (0, "")
    return place


@pytest.mark.parametrize("room", [pytest.param(0, marks=pytest.mark.nightly), 50_000])
def test_an_import_for_which_there_is_no_room_ends_in_a_sentence(folder, migrated, room):
    most = migrated.stat().st_size + room

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    demo = ("import_study", "demo/formality-demo", "--verbosity", "0")
    assert NO_ROOM in sentence(manage(folder, *demo, preexec_fn=limit))
    with sqlite3.connect(migrated) as database:
        assert database.execute("SELECT count(*) FROM corpus_output").fetchone() == (0,)
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        # Without room for saying that it failed, a worker takes it up once its lease has ended;
        # whether some page of the file has that room depends on what else is on it.
        [state] = database.execute("SELECT state FROM corpus_job").fetchone()
        assert state in {"running", "failed"}
        while database.execute("SELECT lease_until > datetime() FROM corpus_job").fetchone()[0]:
            time.sleep(0.1)
        again = demo if state == "failed" else ("work", "--until-idle")
        assert manage(folder, *again)[0] == 0
        assert database.execute("SELECT count(*) FROM corpus_output").fetchone()[0] > 0


# What is recognised


def sqlite_error(path, statement, **options):
    with pytest.raises(sqlite3.Error) as caught:
        sqlite3.connect(path, **options).execute(statement)
    return caught.value


def test_sqlites_own_errors_are_told_apart(tmp_path):
    path = tmp_path / "db.sqlite3"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE a (b)")
    uri = f"file:{path}?mode=ro"
    assert storage_fault(sqlite_error(uri, "INSERT INTO a VALUES (1)", uri=True)).status == 503
    assert storage_fault(sqlite_error(tmp_path, "SELECT 1")).status == 503
    assert storage_fault(sqlite_error(path, "INSERT INTO absent VALUES (1)")) is None
    path.write_bytes(b"x" * 5000)
    assert "damaged" in storage_fault(sqlite_error(path, "SELECT * FROM a")).words


def test_a_read_only_database_is_recognised_whichever_it_is(transactional_db):
    with read_only(), pytest.raises(DatabaseError, match=r"read-?only") as caught:
        Study.objects.create(slug="s", title="S")
    assert storage_fault(caught.value).status == 503
