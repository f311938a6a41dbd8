"""Files of users cannot harm the site: what reading them may take is limited, on every way in."""

import io
import zipfile
from random import Random

import pytest

from corpus.imports.batch import Batch
from corpus.models import Job
from tests.fixtures.harmful_files import (
    KINDS,
    damaged_parquet,
    parquet_of,
    repeated_text,
    workbook,
    written,
)
from tests.fixtures.study_files import SEGMENTS, import_path, row_counts, text_of, write_files

pytestmark = pytest.mark.django_db
QUERY = """
-- table: outputs
SELECT _row, id AS segment, each.system AS system, source AS output
FROM (SELECT *, unnest(outputs) AS each FROM files."outputs.jsonl")
"""


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


# A damaged file


def test_a_damaged_file_is_a_problem_on_the_mapping_page(client, pages, study):
    address, page = pages.upload({"metric_scores.parquet": damaged_parquet()})
    started = pages.press(address, page)
    assert (page.status_code, started.status_code) == (200, 400)
    assert "metric_scores.parquet cannot be read" in started.text
    for answer in (page, client.get(address), started):
        assert "The file is damaged: copy or write it again." in answer.text
    assert not Job.objects.exists()


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


LIMITS = {
    "IMPORT_ROWS": (150, "more than 150 rows in this import"),
    "IMPORT_CELLS": (900, "more than 900 values in this import"),
    "IMPORT_TEXT_MB": (1, "more than 1 MiB of text in this import"),
    "IMPORT_CELL_CHARACTERS": (4000, "4000"),
}
IN_EVERY_RUN = {
    *(("csv", setting) for setting in LIMITS),
    *((kind, "IMPORT_TEXT_MB") for kind in ("jsonl", "parquet", "xlsx")),
}


@pytest.mark.parametrize(
    ("kind", "setting"),
    [
        (kind, setting)
        if (kind, setting) in IN_EVERY_RUN
        else pytest.param(kind, setting, marks=pytest.mark.nightly)
        for kind in (kind + packed for kind in KINDS for packed in ("", ".gz", ".zip"))
        for setting in LIMITS
    ],
)
def test_rows_cells_and_texts_are_limited_in_every_format(tmp_path, settings, kind, setting):
    most, words = LIMITS[setting]
    setattr(settings, setting, most)
    name = f"segments.{kind}"
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
        "study.json": {"query": QUERY},
    }
    problem = refused(tmp_path, files)
    assert (problem["file"], problem["code"]) == ("outputs.jsonl", "too-much")


MANY, LONG = [f"c{n}" for n in range(2001)], ["segment", "x" * 1001]


# Of JSON Lines the first 2,000 names are taken.
@pytest.mark.parametrize(
    ("kind", "names", "words"),
    [
        ("parquet", MANY, "2001 columns"),
        ("csv", LONG, "1001 characters"),
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
    rows = [dict.fromkeys(names, f"{n}" + "\1" * 1_000_000) for n in range(2)]
    rows = [row | {"segment": f"s{n}"} for n, row in enumerate(rows)]
    _, page = pages.upload({"segments.csv": written("segments.csv", rows)})
    assert page.status_code == 200
    assert "cannot be read" not in page.text
    assert len(page.text) < 1_000_000


# Memory and time


LAUGHS = b"<!DOCTYPE r [<!ENTITY l0 'ha'>%b]>" % b"".join(
    b"<!ENTITY l%d '%b'>" % (n, b"&l%d;" % (n - 1) * 10) for n in range(1, 10)
)
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def changed_book(name, *changes, **parts):
    """Return a small workbook whose parts have something else in place of a text."""
    book, out = workbook([["segment", "source"], ["s1", "hello"]], name), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(book)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for part in old.namelist():
            content = old.read(part)
            for before, after in changes:
                content = content.replace(before, after)
            new.writestr(part, content)
        for part, content in parts.items():
            new.writestr(f"xl/{part}.xml", content, zipfile.ZIP_STORED)
    return out.getvalue()


def laughing(name):
    return changed_book(name, (b"?>", b"?>" + LAUGHS), (b"hello", b"&l9;"))


def repeated_row(name):
    often = b'<table:table-row table:number-rows-repeated="1000000000">'
    return changed_book(name, (b"<table:table-row>", often))


def shared_texts(name):
    """Two million shared texts, all but equal, of which one cell has one."""
    part = f'<Relationship Id="r2" Type="{RELATION}/sharedStrings" Target="texts.xml"/>'.encode()
    cell = b'<c t="inlineStr"><is><t xml:space="preserve">hello</t></is></c>'
    texts = "".join(f"<si><t>{n}</t></si>" for n in range(2_000_000))
    return changed_book(
        name, (b"</Relationships>", part + b"</Relationships>"),
        (cell, b'<c t="s"><v>1</v></c>'), texts=f"<sst>{texts}</sst>",
    )  # fmt: skip


def huge_cells(name):
    columns = {"segment": ["s1", "s2"], "source": ["x" * 60_000_000, "y" * 60_000_000]}
    return parquet_of(columns, compression="zstd", use_dictionary=False)


def long_lists(name):
    columns = {"segment": ["s1"], "source": ["x"], "reference": [["x"] * 9_000_000]}
    return parquet_of(columns, compression="zstd", use_dictionary=False)


@pytest.mark.parametrize(
    ("kind", "write"),
    [
        ("parquet", huge_cells),
        pytest.param("parquet", long_lists, marks=pytest.mark.nightly),
        ("xlsx", laughing),
        pytest.param("ods", laughing, marks=pytest.mark.nightly),
        ("ods", repeated_row),
        pytest.param("xlsx", shared_texts, marks=pytest.mark.nightly),
    ],
)
def test_what_grows_ends_within_the_memory_that_reading_has(tmp_path, settings, kind, write):
    settings.IMPORT_MEMORY_MB = 192
    name = f"segments.{kind}"
    problem = refused(tmp_path, {name: write(name)})
    # A process that was ended names no file.
    assert problem["file"] == ("study" if write is repeated_row else name)
    assert problem["code"] in {"memory", "damaged", "expansion", "too-much"}


def test_reading_that_takes_too_long_ends_in_words(tmp_path, settings, pages):
    settings.IMPORT_SECONDS = settings.IMPORT_PAGE_SECONDS = 1
    # Rows that are looked at closely and never arrive.
    content = b"segment,source\n" + b"a\n" * 3_000_000
    problem = refused(tmp_path, {"segments.csv": content})
    assert problem["found"] == "more than 1 seconds of reading"
    _, page = pages.upload({"segments.csv": content})
    assert "more than 1 seconds of reading" in page.text
    assert "IMPORT_PAGE_SECONDS" in page.text
