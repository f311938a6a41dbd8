"""Computed runs in reports, and the documents that some count in."""

import re

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.jobs.worker import run_next
from corpus.models import Output
from metrics.models import MetricRun
from metrics.resources.loaders import References
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import Planner, RunRequest
from tests.fixtures.study_files import SEGMENTS, TABLES, import_path, write_files

pytestmark = pytest.mark.django_db


SCORES = [row[:] for row in TABLES["metric_scores.csv"]]
SCORES += [[s, x, "counting", "source", v] for s, x, _, _, v in SCORES[1::2]]
FILES = TABLES | {"metric_scores.csv": SCORES}


@pytest.fixture(autouse=True)
def _scored(study, own):
    matrices.forget()
    ask_for_runs(study, [RunRequest("pair"), RunRequest("counting", against="source")], None)
    assert run_next().state == "done"
    study.refresh_from_db()


def test_computed_and_imported_scores_stand_side_by_side_under_different_names(study):
    rows = report(study, "correlation", Question())["content"]["rows"]
    named = {(row["metric"], row["compared_to"]) for row in rows}
    assert {("counting", "source"), ("counting (computed)", "source")} <= named
    assert {("pair-c", ""), ("pair-w", "")} <= named


def test_each_number_of_a_run_is_a_metric_of_its_own(study):
    data = matrices.load(study)
    views = {view.metric: view for view in data.runs if view.metric.startswith("pair")}
    text_of = dict(Output.objects.values_list("ordinal", "text"))
    texts = [text_of[ordinal] for ordinal in data.stored_ordinals]
    assert list(data.scores(views["pair-c"])[:, views["pair-c"].column]) == list(map(len, texts))
    words = [len(text.split()) for text in texts]
    assert list(data.scores(views["pair-w"])[:, views["pair-w"].column]) == words
    rows = report(study, "correlation", Question(metric=("pair-w",)))["content"]["rows"]
    assert {row["metric"] for row in rows} == {"pair-w"}


def test_a_run_that_is_not_finished_is_in_no_report_and_appears_when_it_is(study):
    MetricRun.objects.filter(metric__name="pair").update(content_sha256="")
    matrices.forget()
    assert "pair-c" not in {view.metric for view in matrices.load(study).runs}
    ask_for_runs(study, [RunRequest("pair")], None)
    run_next()
    study.refresh_from_db()
    assert "pair-c" in {view.metric for view in matrices.load(study).runs}


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
