"""Broken files and requests are answered in words, by page, job and API: no traceback, no path."""

import re

import pytest
from django.conf import settings as site

from corpus.jobs import registry
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import run_next
from corpus.models import Study
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.plain import MOST_LEVELS
from corpus.tabular.problems import TableError
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.by_night import by_night
from tests.fixtures.harmful_files import parquet_of
from tests.fixtures.study_files import SEGMENTS, TABLES, import_path, text_of, write_files

pytestmark = pytest.mark.django_db
UTF_16 = text_of(SEGMENTS).decode().encode("utf-16-le")


def in_words(text):
    return not re.search(r"\w+Error\b|Traceback|\[Errno", text) and str(site.DATA_DIR) not in text


def damaged(content):
    """UTF-16 with half of a surrogate pair in its first line, and one byte too many at its end."""
    return content[:20] + b"\xd8\xd8" + content[22:] + b"\0"


DAMAGED = (damaged(UTF_16), damaged(b"\xff\xfe" + UTF_16))


@pytest.mark.parametrize("encoding", ["utf-32", "utf-16-le"])
@pytest.mark.parametrize(
    "content", by_night([UTF_16, *DAMAGED], DAMAGED[1]), ids=["sound", "damaged", "marked"]
)
def test_utf_16_that_is_none_is_told_by_page_and_job(pages, study, tmp_path, content, encoding):
    _, page = pages.upload({"segments.csv": content}, encoding=encoding)
    assert page.status_code == 200
    assert in_words(page.text)
    files = write_files(tmp_path / "files", {"segments.csv": content})
    job = import_path(files, encoding=encoding)
    if content == UTF_16 and encoding != "utf-32":
        assert job.state == "done", job.error
        return
    [problem] = job.result["problems"]
    assert (job.state, problem["file"], problem["code"]) == ("failed", "segments.csv", "encoding")
    assert in_words(job.error)


@pytest.mark.slow
def test_every_changed_byte_of_a_parquet_file_is_told_in_words(tmp_path):
    whole = parquet_of({"segment": ["s1", "s2", "s3"] * 3}, compression="none")
    place = tmp_path / "a.parquet"
    problems = []
    with ConfinedReading() as reading:
        for offset in range(len(whole)):
            place.write_bytes(whole[:offset] + b"\x18" + whole[offset + 1 :])
            try:
                reading.preview(SourceFile(place, f"{offset}.parquet", "parquet"))
            except TableError as error:
                problems += error.problems
    assert [problem for problem in problems if not in_words(str(problem))] == []
    codes = {problem.code for problem in problems}
    assert "damaged" in codes
    assert "unreadable" not in codes


def test_a_manifest_that_names_an_endless_member_is_told_by_page_and_job(pages, study, tmp_path):
    manifest = {"format": "touchstone-study/1", "members": {"x" * 5000: {"sha256": "0"}}}
    files = {**TABLES, "manifest.json": manifest}
    _, page = pages.upload(files)
    assert page.status_code == 200
    assert "the file that manifest.json lists" in page.text
    assert in_words(page.text)
    job = import_path(write_files(tmp_path / "files", files))
    [problem] = job.result["problems"]
    assert (job.state, problem["code"]) == ("failed", "checksum")
    assert problem["file"].startswith("xxx")
    assert len(problem["file"]) < 100
    assert in_words(job.error)


@pytest.mark.parametrize("body", ["[" * 200_000, '{"a":' * 200_000, "[" * 200 + "]" * 200])
def test_endless_brackets_are_a_bad_request(body):
    client = client_of("owner", Study.objects.create(slug="small"), "owner")
    for address in ("studies/", "studies/small/runs/"):
        answer = client.post(f"{API}{address}", body, content_type="application/json")
        assert answer.status_code == 400
        assert f"brackets nested more than {MOST_LEVELS} deep" in answer.json()["detail"]


def test_a_job_that_fails_unforeseen_names_no_folder_of_the_server(monkeypatch, study):
    def fail(job, progress):
        (site.DATA_DIR / "files" / ("x" * 5000)).read_bytes()

    monkeypatch.setitem(registry._functions, "probe", fail)
    ask_for_job("probe", "probe", study=study, user=None, parameters={})
    job = run_next()
    assert job.state == "failed"
    assert "File name too long" in job.error
    assert str(site.DATA_DIR) not in job.error
    assert "/" not in job.error.replace("…/", "")
