"""Importing through the API: the same service as the command, and what is refused."""

import io
import json

import pytest
from django.core.management import call_command

from corpus.jobs.worker import run_next
from corpus.models import Job, Output, Study
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SEGMENTS,
    TABLES,
    row_counts,
    stored_content,
    text_of,
    write_files,
)

pytestmark = pytest.mark.django_db
ADDRESS = f"{API}studies/small/imports/"


@pytest.fixture
def owner():
    return client_of("owner", Study.objects.create(slug="small"), "owner")


def upload(name, content):
    file = io.BytesIO(text_of(content))
    file.name = name
    return file


def send(client, files, address=ADDRESS, **fields):
    sent = {"files": [upload(name, content) for name, content in files.items()], **fields}
    return client.post(address, sent, format="multipart")


def test_an_import_is_accepted_as_a_job_that_can_be_followed(owner):
    answer = send(owner, TABLES)
    assert answer.status_code == 202
    job = answer.json()
    assert answer["Location"] == job["url"]
    assert (job["kind"], job["study"], job["state"]) == ("import", "small", "queued")
    assert (job["progress"], job["result"], job["download"]) == ({}, {}, None)
    run_next()
    job = owner.get(job["url"]).json()
    assert (job["state"], job["error"]) == ("done", "")
    assert job["result"]["tables"]["outputs"] == {"added": 8, "unchanged": 0}
    assert Job.objects.get().created_by.username == "owner"


def test_options_mean_the_same_as_those_of_the_command(owner, tmp_path):
    query = """
        -- table: segments
        SELECT _row, segment_id AS segment, * EXCLUDE (_row, segment_id) FROM files."segments.csv";
        -- table: outputs
        SELECT _row, a AS segment, b AS system, c AS output FROM files."outputs.csv";
    """.replace("\n        ", "\n")
    files = {
        "segments.csv": SEGMENTS,
        "outputs.csv": [["a", "b", "c"], *([r[0], r[1], f"  {r[2]} x"] for r in OUTPUTS[1:])],
    }
    options = {
        "sample": 1,
        "sample_seed": 5,
        "collapse_whitespace": True,
        "truncate_words": 3,
        "attach_punctuation": True,
        "max_length_percentile": 100,
        "max_changed_share": 1,
        "changed_in": "output",
        "system_pattern": "{model}",
    }
    send(owner, files, options=json.dumps(options | {"query": query}))
    assert run_next().state == "done"
    (tmp_path / "mapping.sql").write_text(query)
    call_command(
        "import_study",
        str(write_files(tmp_path / "folder", files)),
        study="by-command",
        verbosity=0,
        **options | {"mapping": tmp_path / "mapping.sql"},
    )
    assert stored_content("small") == stored_content("by-command")
    assert Output.objects.filter(study__slug="small", text__startswith="BART writes").exists()


@pytest.mark.parametrize(
    ("answer", "stored"),
    [({"accept": True}, 31), ({"answers": {"rows-not-counted:ratings:status": "keep"}}, 32)],
)
def test_open_questions_are_answered_before_anything_is_imported(owner, answer, stored):
    rows = [[*row, "approved"] for row in RATINGS[2:]]
    ratings = [[*RATINGS[0], "status"], [*RATINGS[1], "rejected"], *rows]
    asked = send(owner, TABLES | {"ratings.csv": ratings})
    assert asked.status_code == 409
    content = asked.json()
    [question] = content["questions"]
    assert question["name"] == "rows-not-counted:ratings:status"
    assert question["preset"] == "leave-out"
    assert not Job.objects.exists()
    wrong = {"answers": {question["name"]: "perhaps"}}
    sent = {"upload": content["upload"], "options": json.dumps(wrong)}
    assert "leave-out" in is_error(owner.post(ADDRESS, sent, format="multipart"), 400)["detail"]
    sent["options"] = json.dumps(answer)
    assert owner.post(ADDRESS, sent, format="multipart").status_code == 202
    assert run_next().result["tables"]["ratings"]["added"] == stored
    gone = is_error(owner.post(ADDRESS, sent, format="multipart"), 400)
    assert "upload them again" in gone["detail"]


def test_a_second_import_meanwhile_is_refused_with_the_address_of_the_first(
    owner, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    first = send(owner, TABLES).json()
    answer = send(owner, {"ratings.csv": RATINGS})
    content = is_error(answer, 409)
    assert content["job"] == answer["Location"] == first["url"]
    assert Job.objects.count() == 1
    [kept] = (tmp_path / "uploads").iterdir()
    assert Job.objects.get().parameters["path"] == str(kept)


def test_a_request_without_files_or_with_two_of_one_name_is_refused(owner):
    assert (
        "there is no file" in is_error(owner.post(ADDRESS, {}, format="multipart"), 400)["detail"]
    )
    twice = {"files": [upload("a.csv", "x"), upload("a.csv", "y")]}
    answer = owner.post(ADDRESS, twice, format="multipart")
    assert "two files are named a.csv" in is_error(answer, 400)["detail"]
    is_error(owner.post(ADDRESS, {"files": []}, format="json"), 415)


def test_a_request_that_is_too_large_is_refused_before_it_is_kept(owner, settings):
    settings.UPLOAD_LIMIT_BYTES = 3 << 20
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1 << 20
    rows = row_counts()
    stated = send(owner, {"segments.csv": b"x" * (5 << 20)})
    assert "this site takes up to 3.0\xa0MB" in is_error(stated, 413)["detail"]
    together = send(owner, {"a.csv": b"x" * (2 << 20), "b.csv": b"x" * ((1 << 20) + 10)})
    assert "larger than 3 MiB together" in is_error(together, 413)["detail"]
    assert row_counts() == rows
    assert not Job.objects.exists()
