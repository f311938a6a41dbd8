"""A long report is computed by a job: the page shows how far it is, then the report."""

from dataclasses import replace

import pytest

from analysis.data import matrices
from analysis.reports import early, service
from analysis.reports.catalogue import report_kind
from corpus.jobs.worker import run_next
from corpus.models import Job, Membership, Study
from tests.fixtures.report_pages import open_page, parse, reader, tables, words
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SCORES,
    SEGMENTS,
    STUDY,
    import_path,
    write_files,
)

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/studies/small/correlation/"


@pytest.fixture
def client(tmp_path, monkeypatch):
    matrices.forget()
    import_path(
        write_files(
            tmp_path / "small",
            {
                "segments.csv": SEGMENTS,
                "outputs.csv": OUTPUTS,
                "ratings.csv": RATINGS,
                "metric_scores.csv": SCORES,
                "study.json": STUDY,
            },
        )
    )
    monkeypatch.setattr(service, "QUICK", 0)
    monkeypatch.setattr(early, "AT_ONCE", 0)
    yield reader("ada", "small")
    matrices.forget()


def test_the_page_waits_and_then_shows_the_report(client):
    page = open_page(client, PAGE, status=202)
    assert "This report is being computed" in words(page)
    (link,) = [a for a in page.iter("a") if words(a) == "Look again" and a.get("href") == PAGE]
    job = Job.objects.get(kind="report")
    (progress,) = [s for s in page.iter("section") if s.get("id") == "waiting"]
    asks = f"/studies/small/reports/{job.pk}/waiting/"
    assert progress.get("hx-get") == asks
    assert open_page(client, PAGE, status=202) is not None
    assert Job.objects.filter(kind="report").count() == 1

    done = run_next()
    assert (done.pk, done.state) == (job.pk, "done")
    # What asks for the progress loads the report into the page.
    (progress,) = parse(client.get(asks).text).iter("section")
    assert (progress.get("hx-get"), progress.get("hx-target")) == (PAGE, "#report")
    assert "Metrics and human scores of content" in tables(open_page(client, link.get("href")))


def test_files_say_that_they_are_being_made(client):
    answer = client.get("/studies/small/correlation/tables/headline.csv")
    assert answer.status_code == 202
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    job = Job.objects.get(kind="report")
    assert f"Job {job.pk} computes this report" in answer.text
    run_next()
    answer = client.get("/studies/small/correlation/tables/headline.csv")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/csv; charset=utf-8")


def test_a_failed_report_shows_its_error_and_can_be_tried_again(client, monkeypatch):
    open_page(client, PAGE, status=202)

    def fail(*arguments):
        raise ArithmeticError("the sum is off")

    with monkeypatch.context() as broken:
        failing = replace(report_kind("correlation"), build=fail)
        broken.setattr(service, "report_kind", lambda key: failing)
        job = run_next()
    assert job.state == "failed"
    page = open_page(client, PAGE, status=202)
    assert "This report could not be computed" in words(page)
    assert job.error in words(page)
    (form,) = [f for f in page.iter("form") if f.get("action", "").endswith("/again/")]
    answer = client.post(form.get("action"), {"back": f"{PAGE}?aspect=content"})
    assert answer["Location"] == f"{PAGE}?aspect=content"
    assert run_next().state == "done"
    assert tables(open_page(client, PAGE))


def test_another_reader_sees_the_failure_but_no_button(client):
    open_page(client, PAGE, status=202)
    Job.objects.filter(kind="report").update(state="failed", error="The sum is off.")
    other = reader("bob", "small")
    page = open_page(other, PAGE, status=202)
    assert "The sum is off." in words(page)
    assert "Who asked for it, or an owner of the study, can have it tried again." in words(page)
    assert not [f for f in page.iter("form") if f.get("action", "").endswith("/again/")]
    Membership.objects.filter(study=Study.objects.get(), user__username="bob").update(role="owner")
    owned = parse(other.get(PAGE).text)
    assert [f for f in owned.iter("form") if f.get("action", "").endswith("/again/")]
