"""A publication is one folder: complete, reproducible, and nobody is named in it."""

import hashlib
import json
import subprocess
import zipfile
from io import StringIO

import pyarrow.parquet as parquet
import pytest
from django.core.management import call_command

from analysis.models import Publication
from analysis.publishing.public_page import zip_path
from annotation.models import Annotator
from corpus.models import Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.publications import published, read_json


@pytest.fixture
def study(folder) -> Study:
    return Study.objects.get(slug="formality-demo")


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_study_seed_and_date_give_the_same_bytes(study, folder, tmp_path):
    again = published(study, tmp_path / "again")
    assert files(again) == files(folder)
    zips = [zip_path(each).read_bytes() for each in Publication.objects.all()]
    assert len(zips) == 2
    assert zips[0] == zips[1]
    other = published(study, tmp_path / "other", seed="another")
    assert files(other)["data/ratings.parquet"] != files(folder)["data/ratings.parquet"]
    assert files(other)["data/outputs.parquet"] == files(folder)["data/outputs.parquet"]


def test_raters_of_the_study_are_named_nowhere(folder):
    people = set(Annotator.objects.values_list("pseudonym", flat=True))
    for name, content in at_least_one(files(folder).items()):
        texts = [content]
        if name.endswith(".zip"):
            with (
                zipfile.ZipFile(folder / name) as report,
                zipfile.ZipFile(report.open("inputs.zip")) as inputs,
            ):
                texts = [report.read("report.json"), inputs.read("names.json")]
        if name.endswith(".parquet"):
            texts = [json.dumps(parquet.read_table(folder / name).to_pylist()).encode()]
        for person in people:
            for text in texts:
                assert f'"{person}"'.encode() not in text, (name, person)
    rated = parquet.read_table(folder / "data/ratings.parquet")
    names = set(rated["rater"].to_pylist())
    assert len(names) == len(people)
    assert all(name.startswith("r-") for name in names)


def test_sums_are_those_of_the_files(folder):
    told = subprocess.run(
        ["sha256sum", "--check", "--strict", "SHA256SUMS"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.count(": OK") == len(files(folder)) - 1
    made = Publication.objects.get()
    assert made.sha256 == hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()


def test_published_reports_verify_and_say_what_renaming_changed(folder):
    for path in at_least_one(sorted((folder / "reports").iterdir())):
        out = StringIO()
        call_command("verify_report", str(path), stdout=out)
        assert "equal to the bit" in out.getvalue()
    record = read_json(folder, "publication.json")
    by_kind = {each["file"].split("/")[1].split("-")[0]: each for each in record["reports"]}
    assert by_kind["correlation"]["numbers_that_renaming_changed"] == 0
    # Two correlations in the order of the file depend on the order of raters, each with a value,
    # an interval of two ends and its margin, with and without human-written systems.
    assert by_kind["agreement"]["numbers_that_renaming_changed"] == 16
    assert "a seed" not in json.dumps(record)
