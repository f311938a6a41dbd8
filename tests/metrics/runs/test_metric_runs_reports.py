"""Computed runs in reports, and the documents that some count in."""

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from corpus.jobs.worker import run_next
from metrics.models import MetricRun
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import RunRequest
from tests.fixtures.study_files import TABLES

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


def test_a_run_that_is_not_finished_is_in_no_report_and_appears_when_it_is(study):
    MetricRun.objects.filter(metric__name="pair").update(content_sha256="")
    matrices.forget()
    assert "pair-c" not in {view.metric for view in matrices.load(study).runs}
    ask_for_runs(study, [RunRequest("pair")], None)
    run_next()
    study.refresh_from_db()
    assert "pair-c" in {view.metric for view in matrices.load(study).runs}
