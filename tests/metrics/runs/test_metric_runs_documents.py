"""BERTScore weighted by document frequency counts in the references of the study it scores."""

import re

import pytest

from metrics.resources.loaders import References
from metrics.runs.requests import Planner, RunRequest
from tests.fixtures.study_files import SEGMENTS, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db
IDF = RunRequest("bertscore", {"idf": "yes"}, against="source")


def imported(folder, segments):
    files = {"segments.csv": segments, "outputs.csv": TABLES["outputs.csv"]}
    job = import_path(write_files(folder, files))
    assert job.state == "done", job.error
    return job.study


def test_documents_are_the_references_in_their_order_and_sources_where_there_are_none(tmp_path):
    study = imported(tmp_path / "few", [row[:4] for row in SEGMENTS])
    sources = [row[1] for row in SEGMENTS[1:]]
    assert References(study).texts == sources
    before = References(study).sha256
    study = imported(tmp_path / "small", SEGMENTS)
    references = References(study)
    assert sorted(references.texts) == sorted(
        text for row in SEGMENTS[1:] for text in row[4:6] if text
    )
    assert references.sha256 != before
    assert references.sha256 == References(study).sha256


def test_new_references_make_another_run_only_where_they_are_counted_in(tmp_path):
    study = imported(tmp_path / "few", [row[:4] for row in SEGMENTS])
    plain = RunRequest("bertscore", against="source")
    before = [Planner(study).plan(each).signature for each in (IDF, plain)]
    assert re.search(r"\|idf:yes\|.*\|idf:[0-9a-f]{16}\|", before[0])
    assert "|idf:no|" in before[1]
    study = imported(tmp_path / "small", SEGMENTS)
    after = [Planner(study).plan(each).signature for each in (IDF, plain)]
    assert after[0] != before[0]
    assert after[1] == before[1]
