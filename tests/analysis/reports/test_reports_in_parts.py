"""A heavy report shows its values while a job computes the rest, and claims nothing by them."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports import service, snapshot
from analysis.reports.catalogue import KINDS, report_kind
from corpus.jobs.worker import run_next
from corpus.models import Study
from tests.fixtures.report_pages import open_page, parse, reader, tables, words
from tests.fixtures.study_files import TABLES as FILES

pytestmark = pytest.mark.django_db(transaction=True)
IN_PARTS = [kind for kind in KINDS if report_kind(kind).early]
WHOLE = {"probes", "ranking", "replication", "saving", "rater-groups", "learned-metric"}
"""Kinds whose values are not ready before the rest."""
PAGE = "/studies/small/{}/?aspect=style"
TABLES = {
    "comparison": ("Metrics by correlation with human scores", "Correlation"),
    "correlation": ("Metrics of another aspect, and human scores of style", "Segment r"),
    "system-comparison": ("Systems by human scores", "Mean"),
    "accuracy": ("Accuracy of metrics", "Pairs of systems"),
    "metric-means": ("Metric scores by system", "T5"),
    "raters": ("Raters of style", "r with the others"),
    "rankings": ("Rankings by style", "Human raters"),
    "agreement": ("How far raters agree", "Krippendorff’s α"),
    "stand-in": ("Judges and metrics in place of a rater", "As good as a rater, ρ"),
    "subgroups": ("Metrics by subgroup", "all together"),
}
WITHOUT_RESULTS = {"planning", "scores"}
"""Kinds that have no results of statistics to compare: shares of variance, say."""
OF_TESTS = {"signature", "details", "best", "worst", "cluster"}
"""Of a result how it was computed, and of a ranked thing its place by tests."""


@pytest.fixture(scope="module", autouse=True)
def _study(import_once):
    import_once(FILES)


@pytest.fixture
def client(monkeypatch):
    matrices.forget()
    monkeypatch.setattr(service, "QUICK", 0)
    yield reader("ada", "small")
    matrices.forget()


def waiting(page):
    """Return what asks how far the job is; None where nothing does."""
    return next((each for each in page.iter("section") if each.get("id") == "waiting"), None)


def values(page, kind):
    """Return the numbers of the main table, without their intervals, by row."""
    if kind in WITHOUT_RESULTS:
        return {}
    name, heading = TABLES[kind]
    table = tables(page)[name]
    place = table.headings.index(heading)
    return {cells[0].text: cells[place].numbers[0].shown for _, cells in table.rows}


def announced(page):
    (status,) = [each for each in page.iter("p") if each.get("id") == "report-status"]
    assert status.get("role") == "status"
    return words(status)


def test_every_kind_that_takes_long_shows_its_values_first():
    assert set(KINDS) - set(IN_PARTS) == WHOLE


def differing(early, whole, place=""):
    """Yield what values that are shown first have otherwise than the whole report."""
    if isinstance(early, dict) and isinstance(whole, dict):
        for name in early.keys() - OF_TESTS:
            yield from differing(early[name], whole.get(name), f"{place}.{name}")
    elif isinstance(early, list) and early and isinstance(whole, list):
        if len(early) != len(whole):
            yield place, len(early), len(whole)
        for at, (one, other) in enumerate(zip(early, whole, strict=False)):
            yield from differing(one, other, f"{place}[{at}]")
    # What is not there yet is none, or an empty list.
    elif early not in (None, [], whole):
        yield place, early, whole


def estimates(part):
    """Yield the results with a value of a part of a report."""
    if isinstance(part, dict) and part.get("kind") == "estimate":
        yield part
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from estimates(each)


def test_values_are_shown_at_once_and_stay_as_they_are(client):
    study = Study.objects.get()
    # One study for all kinds: importing it takes longer than its reports.
    for kind in IN_PARTS:
        asked = {"aspect": ["style"]}
        if "candidates" in report_kind(kind).fields and kind != "planning":
            asked["candidates"] = ["all"]
        address = f"/studies/small/{kind}/?{urlencode(asked, doseq=True)}"
        page = open_page(client, address, status=202)
        assert "These are the values." in words(waiting(page)), kind
        assert announced(page).startswith("Values are shown")
        shown = values(page, kind)
        # Nothing is claimed, kept or downloaded before tests are there.
        assert not {"Rank range", "Cluster"} & set(words(page).split("\n")), kind
        for claim in ("detected", "found to be"):
            assert claim not in words(page), (kind, claim)
        assert not [each for each in page.iter() if each.get("class") == "answer"], kind
        assert not [link for link in page.iter("a") if "download" in link.attrib], kind
        assert not [each for each in page.iter("details") if each.get("data-section") == "keep"]
        question = Question.parse(asked)
        first = snapshot.Snapshot.of(study, kind, question).early()["content"]
        found = list(estimates(first))
        assert found or kind in WITHOUT_RESULTS, kind
        assert not [each for each in found if each["interval"] or each["p_value"] is not None], kind

        assert run_next().state == "done"
        assert list(differing(first, service.report(study, kind, question)["content"])) == []
        page = open_page(client, address)
        assert waiting(page) is None
        assert values(page, kind) == shown, kind


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


def test_values_that_take_long_are_stored_by_the_job_before_the_rest(client, monkeypatch):
    monkeypatch.setattr(snapshot, "AT_ONCE", 0)
    page = open_page(client, PAGE.format("correlation"), status=202)
    assert "This report is being computed" in words(waiting(page))
    assert waiting(parse(client.get(waiting(page).get("hx-get")).text)).get("hx-target") is None
    seen = []

    def slow(asked):
        if asked.early:
            return report_kind("correlation").build(asked)
        study = Study.objects.get()
        seen.append(snapshot.Snapshot.of(study, "correlation", asked.question).has_early())
        answer = client.get(waiting(page).get("hx-get"))
        seen.append(waiting(parse(answer.text)).get("hx-target"))
        return report_kind("correlation").build(asked)

    slowed = replace(report_kind("correlation"), build=slow)
    monkeypatch.setattr(snapshot, "report_kind", lambda key: slowed)
    assert run_next().state == "done"
    assert seen == [True, "#report"]
