"""Pieces of a report that any worker computes: the report is the same, bit for bit."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.models import Result
from analysis.reports import report_job
from analysis.reports.service import report, report_or_job
from corpus.jobs.worker import claim, run, run_next
from corpus.models import Job, Study, System
from tests.analysis.reports.test_report_pages_comparison import simulated

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = Question(statistic="spearman", resamples=200)
DIVIDED = {
    "agreement": Question(resamples=100, resample="segments"),
    "rankings": Question(resamples=100),
    "accuracy": Question(resamples=100),
    "subgroups": Question(resamples=100),
    "system-comparison": Question(resamples=100, model="mixed"),
}


@pytest.fixture(scope="module", autouse=True)
def _study(import_once):
    import_once(simulated(), "simulated")


@pytest.fixture
def study():
    matrices.forget()
    return Study.objects.get()


@pytest.fixture
def asked(study):
    """Ask for a report that is computed by a job of six parts."""
    return report_or_job(study, "comparison", QUESTION, None, quick=0)


def before_each(monkeypatch, do):
    """Do something at the start of each part, with its job."""
    pieces_of = report_job._pieces

    def pieces(job, progress):
        do(job)
        return pieces_of(job, progress)

    monkeypatch.setattr(report_job, "_pieces", pieces)


def undivided(study, kind="comparison", question=QUESTION):
    Result.objects.all().delete()
    return json.dumps(report(study, kind, question)["content"], sort_keys=True)


def stored(kind="comparison"):
    content = Result.objects.filter(kind=kind).latest("pk").content["content"]
    return json.dumps(content, sort_keys=True)


def test_each_kind_that_is_divided_is_the_same_bit_for_bit(study, monkeypatch):
    parts = []

    def forget(part):
        parts.append(part.pk)
        report_job._remembered.clear()

    before_each(monkeypatch, forget)
    # One study for all kinds: importing it takes longer than its reports.
    for kind, question in DIVIDED.items():
        parts.clear()
        report_or_job(study, kind, question, None, quick=0)
        assert run_next().state == "done", kind
        assert len(parts) > 1, kind
        divided = stored(kind)
        assert divided == undivided(study, kind, question), kind


def test_a_job_whose_worker_is_killed_goes_on_from_the_pieces_that_are_done(
    study, asked, monkeypatch
):
    begun = []

    def kill(part):
        begun.append(part.parameters["pieces"])
        if len(begun) == 4:
            raise SystemExit

    before_each(monkeypatch, kill)
    with pytest.raises(SystemExit):
        run_next()
    Job.every.update(lease_until=timezone.now() - timedelta(seconds=1))
    report_job._remembered.clear()
    assert run(claim(asked.pk)).state == "done"
    assert len(begun) == 7
    assert sorted(begun)[3:5] == [[3, 4], [3, 4]], "only what was interrupted is computed twice"
    assert stored() == undivided(study)


def test_pieces_of_another_state_of_the_study_do_not_enter(study, asked, monkeypatch):
    def change(part):
        report_job._remembered.clear()
        System.objects.filter(name="worse").update(attributes={"size": part.pk})
        Study.objects.update(revision=part.pk + 1000)

    before_each(monkeypatch, change)
    whole = undivided(study)
    Result.objects.all().delete()
    assert run_next().state == "done"
    assert stored() == whole
