"""Files of users cannot harm the site: what reading them may take is limited, on every way in."""

import subprocess
import sys
from random import Random

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from attack.harmful_files import KINDS, aborting_parquet, parquet_of, repeated_text, written
from corpus.imports.batch import Batch
from corpus.jobs.worker import run_next
from corpus.models import Job, Segment
from tests.fixtures.api_clients import API, client_of
from tests.fixtures.machine import ROOT, missing
from tests.fixtures.study_files import SEGMENTS, import_path, row_counts, text_of, write_files
from tests.fixtures.waiting import PATIENCE

pytestmark = pytest.mark.django_db
FORMATS = [f"segments.{kind}{packed}" for kind in KINDS for packed in ("", ".gz", ".zip")]


def refused(tmp_path, files):
    """Import files that must be refused; return the first problem."""
    job = import_path(write_files(tmp_path / "study", files))
    assert job.state == "failed"
    assert job.attempts == 1
    assert "Traceback" not in job.error
    assert str(tmp_path) not in job.error
    assert not any(row_counts().values())
    return job.result["problems"][0]


def single(tmp_path, name, content):
    """Import one file or archive that must be refused; return the first problem."""
    (tmp_path / name).write_bytes(content)
    job = import_path(tmp_path / name)
    assert (job.state, row_counts()["Segment"]) == ("failed", 0)
    return job.result["problems"][0]


# One byte that ends the process which reads it


@pytest.fixture
def aborting():
    try:
        return aborting_parquet()
    except LookupError as error:
        missing(str(error))


def test_a_byte_that_ends_the_reader_is_a_problem_on_the_mapping_page(
    client, pages, study, aborting
):
    address, page = pages.upload({"metric_scores.parquet": aborting})
    started = pages.press(address, page)
    assert (page.status_code, started.status_code) == (200, 400)
    assert "metric_scores.parquet cannot be read" in started.text
    for answer in (page, client.get(address), started):
        assert "It is damaged, or needs more than 1024 MiB of memory." in answer.text
    assert not Job.objects.exists()


def test_a_byte_that_ends_the_reader_is_a_problem_of_the_job(tmp_path, aborting):
    files = {"segments.csv": SEGMENTS, "metric_scores.parquet": aborting}
    problem = refused(tmp_path, files)
    assert (problem["file"], problem["code"]) == ("metric_scores.parquet", "damaged")


def test_a_byte_that_ends_the_reader_is_a_problem_through_the_api(study, aborting):
    owner = client_of("scripted", study, "owner")
    file = SimpleUploadedFile("metric_scores.parquet", aborting)
    answer = owner.post(f"{API}studies/small/imports/", {"files": [file]}, format="multipart")
    assert answer.status_code == 202
    job = run_next()
    assert (job.state, job.attempts) == ("failed", 1)
    assert "metric_scores.parquet: found 'a file that ends the program" in job.error


def test_a_byte_that_ends_the_reader_is_a_problem_of_the_command(
    tmp_path, migrated_environment, aborting
):
    place = tmp_path / "metric_scores.parquet"
    place.write_bytes(aborting)
    done = subprocess.run(
        [sys.executable, "manage.py", "import_study", str(place)],
        cwd=ROOT,
        env=migrated_environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1, done.stderr
    assert "nothing was imported: 1 problem" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_byte_that_ends_the_reader_is_a_problem_of_a_training(client, study, aborting):
    file = SimpleUploadedFile("labelled.parquet", aborting)
    fields = {
        "name": "formal",
        "file": file,
        "strength": "1",
        "deviations": "1",
        "fewest": "1",
        "text_column": "system",
        "label_column": "aspect",
    }
    answer = client.post(reverse("study-lexicon-train", args=["small"]), fields)
    assert answer.status_code == 302, answer.text
    job = run_next()
    assert (job.state, job.error) == ("failed", "the labelled texts cannot be read")
    assert job.result["problems"][0]["code"] == "damaged"


# Little that becomes much


def test_a_small_parquet_file_does_not_fill_the_disk(tmp_path, monkeypatch):
    written_characters = []
    insert = Batch.insert

    def counted(self, table, columns, rows):
        def each():
            for row in rows:
                written_characters.append(sum(len(v) for v in row if isinstance(v, str)))
                yield row

        return insert(self, table, columns, each())

    monkeypatch.setattr(Batch, "insert", counted)
    content = repeated_text(rows=20_000, characters=100_000)
    assert len(content) < 100_000
    problem = refused(tmp_path, {"segments.parquet": content})
    assert (problem["file"], problem["code"]) == ("segments.parquet", "expansion")
    assert sum(written_characters) < 20_000_000


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    ("setting", "most", "words"),
    [
        ("IMPORT_ROWS", 150, "more than 150 rows in this import"),
        ("IMPORT_CELLS", 900, "more than 900 values in this import"),
        ("IMPORT_TEXT_MB", 1, "more than 1 MiB of text in this import"),
        ("IMPORT_CELL_CHARACTERS", 4000, "4000"),
    ],
)
def test_rows_cells_and_texts_are_limited_in_every_format(
    tmp_path, settings, name, setting, most, words
):
    setattr(settings, setting, most)
    texts = Random(7)
    rows = [
        {"segment": f"s{n}", "source": "x", "source_style": "a", "domain": texts.randbytes(8).hex()}
        for n in range(300)
    ]
    for row in rows[1:]:
        row["source"] = texts.randbytes(2500).hex()
    problem = single(tmp_path, name, written(name, rows))
    assert words in f"{problem['found']} {problem['expected']}"
    if setting != "IMPORT_CELL_CHARACTERS":
        assert f"ask the administrator to raise {setting}." in problem["message"]


def test_rows_that_a_list_or_columns_multiply_are_counted_as_they_arrive(tmp_path, settings):
    settings.IMPORT_TEXT_MB = 1
    long = "x" * 50_000
    nested = {"id": "s1", "source": long, "outputs": [{"system": f"a{n}"} for n in range(100)]}
    files = {
        "segments.csv": SEGMENTS,
        "outputs.jsonl": text_of(nested),
        "study.json": {
            "mappings": {
                "outputs.jsonl": {
                    "table": "outputs",
                    "explode": "outputs",
                    "columns": {"segment": "id", "system": "outputs[].system", "output": "source"},
                }
            }
        },
    }
    problem = refused(tmp_path, files)
    assert (problem["file"], problem["code"]) == ("outputs.jsonl", "too-much")


def test_all_tables_of_an_import_are_counted_together(tmp_path, settings):
    settings.IMPORT_ROWS = 300
    outputs = [["segment", "system", "output"], *([f"s{n}", "a", "x"] for n in range(200))]
    segments = [["segment", "source"], *([f"s{n}", "x"] for n in range(200))]
    problem = refused(tmp_path, {"segments.csv": segments, "outputs.csv": outputs})
    assert (problem["file"], problem["code"]) == ("outputs.csv", "too-much")
    settings.IMPORT_ROWS = 400
    job = import_path(tmp_path / "study")
    assert job.state == "done", job.error
    assert Segment.objects.count() == 200


MANY, LONG = [f"c{n}" for n in range(2001)], ["segment", "x" * 1001]


# Of JSON Lines the first 2,000 names are taken.
@pytest.mark.parametrize(
    ("kind", "names", "words"),
    [
        ("csv", MANY, "2001 columns"),
        ("parquet", MANY, "2001 columns"),
        ("csv", LONG, "1001 characters"),
        ("parquet", LONG, "1001 characters"),
        ("jsonl", LONG, "1001 characters"),
    ],
)
def test_too_many_or_endless_columns_are_refused_before_they_are_understood(
    pages, study, kind, names, words
):
    _, page = pages.upload({f"segments.{kind}": written(f"a.{kind}", [dict.fromkeys(names, "x")])})
    assert words in page.text
    assert page.text.count("xxx") < 20


def test_the_longest_rows_are_shown_on_the_mapping_page(pages, study):
    names = ["segment", "source", *(f"c{n}" for n in range(7))]
    rows = [dict.fromkeys(names, f"{n}" + "\1" * 1_000_000) for n in range(10)]
    rows = [row | {"segment": f"s{n}"} for n, row in enumerate(rows)]
    _, page = pages.upload({"segments.csv": written("segments.csv", rows)})
    assert page.status_code == 200
    assert "cannot be read" not in page.text
    assert len(page.text) < 1_000_000


# Memory and time


@pytest.mark.parametrize("kind", ["cells", "lists"])
def test_huge_cells_and_lists_end_within_the_memory_that_reading_has(tmp_path, settings, kind):
    settings.IMPORT_MEMORY_MB = 192
    if kind == "cells":
        columns = {"segment": ["s1", "s2"], "source": ["x" * 60_000_000, "y" * 60_000_000]}
    else:
        columns = {"segment": ["s1"], "source": ["x"], "reference": [["x"] * 9_000_000]}
    content = parquet_of(columns, compression="zstd", use_dictionary=False)
    problem = refused(tmp_path, {"segments.parquet": content})
    assert problem["file"] == "segments.parquet"
    assert problem["code"] in {"memory", "damaged", "expansion"}


def test_reading_that_takes_too_long_ends_in_words(tmp_path, settings, pages):
    settings.IMPORT_SECONDS = settings.IMPORT_PAGE_SECONDS = 1
    # Rows that are looked at closely and never arrive.
    content = b"segment,source\n" + b"a\n" * 3_000_000
    problem = refused(tmp_path, {"segments.csv": content})
    assert problem["found"] == "more than 1 seconds of reading"
    _, page = pages.upload({"segments.csv": content})
    assert "more than 1 seconds of reading" in page.text
    assert "IMPORT_PAGE_SECONDS" in page.text
