"""Databases of earlier versions migrate forward with their rows, and rating goes on in them.

`scripts/earlier_database.py` made the dumps; each is named by its commit or tag. Every release has
one for each database. The commits are those 50, 150 and 250 before the first that holds this test,
and those whose migrations were changed later or that hold what no earlier one has:

- 27ba813: staged ratings and scores by names. PostgreSQL could not run it.
- fa5fa8b: staged scores without reasons, staged blocks without statistics.
- 0fca448: frozen reports as JSON.
- ea2e44a: trained models under another name, 0011_trained_model.
- ac816c8: 0012_trained_model before 0011_word_attributions.
- a27aff4: a panel, a collection, a waiting job without queue and parts.
"""

import json
import shutil
import subprocess
import sys

import pytest
from django.db import connection

from attack.earlier_databases import DUMPS, earlier_database, version_and_vendor
from tests.fixtures.machine import ROOT

KEPT = {
    "annotation_rating": "id, submission_id, aspect, value, choice",
    "annotation_submission": "id, uuid, item_id, annotator_id, revision, comment",
    "corpus_output": "id, segment_id, system_id, text, sha256",
    "corpus_segment": "id, key, source_style, target_style",
    "metrics_scoreblock": 'id, run_id, number, "values"',
}
GO_ON = """
import uuid
from django.core.management import call_command
call_command("migrate", verbosity=0)
from annotation.queue.handing_out import next_assignments
from annotation.models import Annotator, Rating
from annotation.statements import find_annotator
from annotation.rating.submitting import Sent, submit
from django.db import transaction
before = Rating.objects.count()
for person in Annotator.objects.filter(public_id__isnull=False):
    annotator = find_annotator(person.public_id)
    with transaction.atomic():
        [lead, *_] = next_assignments(annotator)
    answers = {aspect: "50" for aspect in ("style", "content", "fluency")}
    submit(annotator, lead.public_id, Sent(uuid.uuid4(), 1, [answers]))
print(Rating.objects.count() - before)
"""


@pytest.fixture(params=[path.name for path in DUMPS])
def earlier(request, tmp_path):
    """A database of an earlier version: its commit, how to run commands on it, how to ask it."""
    [dump] = [path for path in DUMPS if path.name == request.param]
    commit, vendor = version_and_vendor(dump)
    if vendor != connection.vendor:
        pytest.skip(f"this run's database is not {vendor}")
    with earlier_database(dump, tmp_path) as (env, connect):
        yield commit, env, connect


def run(env, code):
    command = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def rows(connect):
    """Return everything in the tables that an upgrade leaves alone."""
    database = connect()
    try:
        return {
            table: database.execute(f"SELECT {columns} FROM {table} ORDER BY id").fetchall()
            for table, columns in KEPT.items()
        }
    finally:
        database.close()


def columns(cursor, vendor):
    """Return the columns of all tables, each with its type and whether it may be empty."""
    if vendor == "sqlite":
        cursor.execute(
            'SELECT m.name, c.name, lower(c.type), c."notnull" FROM sqlite_master m '
            "JOIN pragma_table_info(m.name) c WHERE m.type = 'table'"
        )
    else:
        cursor.execute(
            "SELECT table_name, column_name, udt_name, is_nullable "
            "FROM information_schema.columns WHERE table_schema = 'public'"
        )
    return set(cursor.fetchall())


def releases():
    """The tags of this checkout; none where there is no history, as in an archive."""
    if shutil.which("git") is None:
        return []
    asked = ["git", "tag", "--list", "v[0-9]*"]
    return subprocess.run(asked, cwd=ROOT, capture_output=True, text=True).stdout.split()


def missing_dumps(tags):
    """What each release lacks: its dump of each database."""
    there = {version_and_vendor(dump) for dump in DUMPS}
    return {(tag, vendor) for tag in tags for vendor in ("sqlite", "postgresql")} - there


def test_each_release_has_a_dump_of_both_databases():
    assert missing_dumps(releases()) == set()
    assert missing_dumps(["a27aff4", "v0.0.0"]) == {("v0.0.0", "sqlite"), ("v0.0.0", "postgresql")}


@pytest.mark.django_db
def test_a_database_of_an_earlier_version_migrates_with_its_rows(earlier):
    commit, env, connect = earlier
    before = rows(connect)
    rated = run(env, GO_ON)
    after = rows(connect)
    for table, kept in before.items():
        assert after[table][: len(kept)] == kept
    database = connect()
    try:
        with connection.cursor() as fresh:
            assert columns(database.cursor(), connection.vendor) == columns(
                fresh, connection.vendor
            )
    finally:
        database.close()
    # The earliest could neither import nor rate.
    ratings = 0 if commit == "27ba813" else 216 + 2 * 3 * 3
    assert len(before["annotation_rating"]) == ratings
    assert rated == ("6" if ratings else "0")


MIGRATE_AND_ASK = """
import json
from django.core.management import call_command
call_command("migrate", verbosity=0)
from analysis.frozen.service import content_sha256
from analysis.models import FrozenReport
from config.models import ApiToken
from rest_framework.test import APIClient
client = APIClient(SERVER_NAME="localhost")
client.credentials(HTTP_AUTHORIZATION="Token 0a1b2c")
print(json.dumps({
    "same text": [content_sha256(e.content_json) == e.sha256 for e in FrozenReport.objects.all()],
    "status": client.post("/api/v1/studies/", {"slug": "mine"}).status_code,
    "token is readable": "0a1b2c" in str(ApiToken.objects.values()),
}))
"""


@pytest.fixture(scope="module")
def migrated_0fca448(tmp_path_factory):
    """What is found in a database that held a report as JSON and a token as it is."""
    [dump] = [path for path in DUMPS if path.name.startswith(f"0fca448.{connection.vendor}.")]
    with earlier_database(dump, tmp_path_factory.mktemp("0fca448")) as (env, connect):
        person = "(77, '', '2026-01-01', '1', 'ada', '', '', '', '0', '1', '2026-01-01')"
        database = connect()
        database.execute(
            "INSERT INTO auth_user (id, password, last_login, is_superuser, username, first_name, "
            f"last_name, email, is_staff, is_active, date_joined) VALUES {person}"
        )
        database.execute(
            "INSERT INTO authtoken_token (key, created, user_id) "
            "VALUES ('0a1b2c', '2026-01-01', 77)"
        )
        database.commit()
        database.close()
        yield json.loads(run(env, MIGRATE_AND_ASK))


def test_a_report_frozen_as_json_is_the_same_as_text(migrated_0fca448):
    assert migrated_0fca448["same text"] == [True]


def test_a_token_that_was_stored_as_it_is_goes_on_working_from_its_hash(migrated_0fca448):
    assert migrated_0fca448["status"] == 201
    assert not migrated_0fca448["token is readable"]
