"""A heavy report shows its values while a job computes the rest, and claims nothing by them."""

from dataclasses import replace

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports import early, service
from analysis.reports.catalogue import KINDS, report_kind
from analysis.reports.comparison import report as comparison
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
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
IN_PARTS = ["comparison", "correlation", "system-comparison"]
PAGE = "/studies/small/{}/?aspect=style"
TABLES = {
    "comparison": ("Metrics by correlation with human scores", "Correlation"),
    "correlation": ("Metrics of another aspect, and human scores of style", "Segment r"),
    "system-comparison": ("Systems by human scores", "Mean"),
}


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
    yield reader("ada", "small")
    matrices.forget()


def waiting(page):
    """Return what asks how far the job is; None where nothing does."""
    return next((each for each in page.iter("section") if each.get("id") == "waiting"), None)


def values(page, kind):
    """Return the numbers of the main table, without their intervals, by row."""
    name, heading = TABLES[kind]
    table = tables(page)[name]
    place = table.headings.index(heading)
    return {cells[0].text: cells[place].numbers[0].shown for _, cells in table.rows}


def announced(page):
    (status,) = [each for each in page.iter("p") if each.get("id") == "report-status"]
    assert status.get("role") == "status"
    return words(status)


def test_the_kinds_that_come_in_parts_are_those_that_are_tested_here():
    assert [kind for kind in sorted(KINDS) if report_kind(kind).early] == IN_PARTS


@pytest.mark.parametrize("kind", IN_PARTS)
def test_values_are_shown_at_once_and_stay_as_they_are(client, kind):
    address = PAGE.format(kind)
    if kind == "comparison":
        address += "&candidates=all"
    page = open_page(client, address, status=202)
    assert "These are the values." in words(waiting(page))
    assert announced(page).startswith("Values are shown")
    shown = values(page, kind)
    assert len(shown) == 2
    assert "Rank range" not in words(page)
    # Nothing is claimed, kept or downloaded before tests are there.
    assert not [each for each in page.iter() if each.get("class") == "answer"]
    assert not [link for link in page.iter("a") if "download" in link.attrib]
    assert not [each for each in page.iter("details") if each.get("data-section") == "keep"]

    assert run_next().state == "done"
    page = open_page(client, address)
    assert waiting(page) is None
    assert values(page, kind) == shown
    assert [each for each in page.iter() if each.get("class") == "answer"] or kind == "correlation"


def test_pictures_of_values_are_drawn_while_the_rest_is_computed(client):
    page = open_page(client, PAGE.format("system-comparison"), status=202)
    (picture,) = list(page.iter("img"))
    drawn = client.get(picture.get("src"))
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml")
    assert "T5" in drawn.text
    # Other files are those of the whole report.
    whole = picture.get("src").partition("?")[0] + "?aspect=style"
    assert client.get(whole).status_code == 202


def test_the_page_learns_that_the_rest_is_ready_and_keeps_its_sections_open(client):
    page = open_page(client, PAGE.format("correlation"), status=202)
    asks = waiting(page).get("hx-get")
    here = "http://testserver" + PAGE.format("correlation") + "&open=kinds"
    headers = {"HX-Request": "true", "HX-Current-URL": here}
    still = waiting(parse(client.get(asks, headers=headers).text))
    assert (still.get("hx-get"), still.get("hx-trigger")) == (asks, "every 1s")

    assert run_next().state == "done"
    ready = waiting(parse(client.get(asks, headers=headers).text))
    assert ready.get("hx-trigger") == "load"
    assert (ready.get("hx-target"), ready.get("hx-select")) == ("#report", "#report")
    assert ready.get("hx-get") == here.removeprefix("http://testserver")
    whole = parse(client.get(ready.get("hx-get"), headers=headers).text)
    assert announced(whole) == "The report is complete."


def test_no_other_address_is_loaded_into_the_page(client):
    page = open_page(client, PAGE.format("correlation"), status=202)
    run_next()
    for elsewhere in ("http://evil.example/studies/small/correlation/", "http://testserver/jobs/"):
        answer = client.get(waiting(page).get("hx-get"), headers={"HX-Current-URL": elsewhere})
        assert waiting(parse(answer.text)).get("hx-get") == "/studies/small/correlation/"


def test_values_that_take_long_are_stored_by_the_job_before_the_rest(client, monkeypatch):
    monkeypatch.setattr(early, "AT_ONCE", 0)
    page = open_page(client, PAGE.format("correlation"), status=202)
    assert "This report is being computed" in words(waiting(page))
    assert waiting(parse(client.get(waiting(page).get("hx-get")).text)).get("hx-target") is None
    seen = []

    def slow(asked):
        study = Study.objects.get()
        seen.append(early.has_early_values(study, "correlation", asked.question))
        answer = client.get(waiting(page).get("hx-get"))
        seen.append(waiting(parse(answer.text)).get("hx-target"))
        return report_kind("correlation").build(asked)

    slowed = replace(report_kind("correlation"), build=slow)
    monkeypatch.setattr(service, "report_kind", lambda key: slowed)
    assert run_next().state == "done"
    assert seen == [True, "#report"]


def test_a_cancelled_report_is_not_asked_for_again_by_the_page(client):
    page = open_page(client, PAGE.format("correlation"), status=202)
    Job.objects.filter(kind="report").update(state="cancelled")
    found = waiting(parse(client.get(waiting(page).get("hx-get")).text))
    assert "This was cancelled" in words(found)
    assert "hx-get" not in found.attrib
    assert Job.objects.filter(kind="report").count() == 1


def test_what_values_refuse_is_refused_before_the_job_does(client, monkeypatch):
    monkeypatch.setattr(comparison, "MOST_METRICS", 1)
    page = open_page(client, PAGE.format("comparison") + "&candidates=all", status=400)
    assert "2 metrics fit, at most 1 are compared at once" in words(page)


def test_early_values_are_none_of_the_stored_report(client):
    study = Study.objects.get()
    question = Question(aspect="style")
    assert early.early_values(study, "correlation", question)
    assert service.stored_report(study, "correlation", question) is None
    assert early.early_values(study, "raters", question) is None
