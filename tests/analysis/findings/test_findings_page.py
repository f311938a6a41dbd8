"""The home of a study: its four answers, what it waits for, and what is missing."""

import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.data import matrices
from analysis.findings import cards
from annotation.models import Rating
from corpus.jobs.worker import run_next
from corpus.models import Job
from tests.fixtures.arena_votes import MAPPING, write_votes
from tests.fixtures.report_pages import open_page, reader, tables, words
from tests.fixtures.study_files import (
    OUTPUTS,
    RATINGS,
    SCORES,
    SEGMENTS,
    TABLES,
    import_path,
    write_files,
)

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/"


@pytest.fixture(autouse=True)
def nothing_kept():
    """Let each test begin without cards of another."""
    caches["local"].clear()
    matrices.forget()
    yield
    caches["local"].clear()


@pytest.fixture
def small(tmp_path):
    """Import a small study of some tables."""

    def imported(**changes):
        files = {name: rows for name, rows in (TABLES | changes).items() if rows}
        job = import_path(write_files(tmp_path / "small", files))
        assert job.state == "done", job.error
        return reader("ada", "small")

    return imported


def card(page, key):
    """Return the text of a card."""
    return words(section(page, key))


def section(page, key):
    [found] = [each for each in page.iter("section") if each.get("id") == key]
    return found


def test_the_answers_have_the_numbers_of_the_reports(demo_reports):
    client = reader("ada", "formality-demo")
    home = "/studies/formality-demo/"
    page = open_page(client, home)
    while run_next():
        page = open_page(client, home)
    agreement = tables(open_page(client, f"{home}agreement/"))
    shown = re.search(r"([\d.]+) on style", card(page, "trust"))[1]
    [alpha] = [
        row[1].numbers[0].shown
        for table in agreement.values()
        for _, row in table.rows
        if row[0].text == "Krippendorff’s α, interval" and table.headings[1:2] == ["style"]
    ][:1]
    assert f"{float(alpha):.2f}" == shown
    assert "careful is rated highest on style" in card(page, "systems")
    page = open_page(client, f"{home}?aspect=content")
    while run_next():
        page = open_page(client, f"{home}?aspect=content")
    [link] = [a for a in section(page, "metrics").iter("a") if words(a) == "Metric comparison"]
    compared = words(open_page(client, link.get("href")))
    best = re.search(r"(\S+) correlates best.* \(r\s=\s([\d.]+)", card(page, "metrics"))
    first = re.search(rf"{best[1]} ([\d.]+)", compared[compared.index("Rank") :])[1]
    assert f"{float(first):.2f}" == best[2]


def test_aspect_level_and_metric_are_chosen_once_for_all_cards_and_reports(demo_reports):
    client = reader("ada", "formality-demo")
    asked = "/studies/formality-demo/?aspect=content&level=system&metric=chrf/reference"
    page = open_page(client, asked)
    while run_next():
        page = open_page(client, asked)
    [bar] = [f for f in page.iter("form") if f.get("aria-label") == "What all answers are about"]
    chosen = [words(o) for o in bar.iter("option") if o.get("selected") is not None]
    assert chosen == ["content", "system", "chrf/reference"]
    for key in ("systems", "metrics"):
        assert "on content" in card(page, key)
    assert "system level" in card(page, "metrics")
    assert "The largest gap for chrf/reference on content" in card(page, "failures")
    [link] = [a for a in section(page, "systems").iter("a") if words(a) == "Systems"]
    assert link.get("href").endswith("?aspect=content")
    [link] = [a for a in page.iter("a") if words(a) == "Reports"]
    assert link.get("href").endswith("reports/?aspect=content&metric=chrf%2Freference&level=system")
    # The card compares all metrics, and so does the report that it leads to.
    [compared] = [a for a in section(page, "metrics").iter("a") if words(a) == "Metric comparison"]
    assert compared.get("href").endswith("?aspect=content&level=system")
    listed = open_page(client, link.get("href"))
    [link] = [a for a in listed.iter("a") if words(a) == "Correlation"]
    report = open_page(client, link.get("href"))
    assert "metric=chrf%2Freference" in link.get("href")
    assert "on content" in words(report)
    assert client.get("/studies/formality-demo/?level=word").status_code == 404


def test_the_example_is_the_first_of_the_page_that_it_leads_to(small):
    client = small()
    page = open_page(client, ADDRESS)
    [link] = [a for a in section(page, "failures").iter("a") if words(a) == "Disagreement"]
    [system, segment] = re.search(r"Output of (\w+) on (\w+)", card(page, "failures")).groups()
    cases = open_page(client, link.get("href"))
    assert words(next(each for each in cases.iter("h2"))) == f"{system} on {segment}"


def test_a_card_waits_for_its_job_and_shows_what_it_found(small, monkeypatch):
    client = small()
    monkeypatch.setattr(cards, "QUICK", -1)
    page = open_page(client, ADDRESS)
    waiting = section(page, "trust")
    assert "This answer is being computed" in words(waiting)
    assert waiting.get("hx-trigger") == "every 1s"
    assert waiting.find(".//progress") is not None
    again = open_page(client, waiting.get("hx-get"))
    assert again.get("hx-get") == waiting.get("hx-get")
    asked = Job.objects.count()
    while run_next():
        pass
    done = open_page(client, waiting.get("hx-get"))
    assert "Krippendorff’s α is" in words(done)
    assert done.get("hx-get") is None
    assert Job.objects.count() == asked


def test_a_second_visit_asks_for_little_however_large_the_study_is(small, tmp_path):
    client = small()

    def queries():
        open_page(client, ADDRESS)
        with CaptureQueriesContext(connection) as found:
            open_page(client, ADDRESS)
        return len(found)

    first = queries()
    segments = [[f"t{n}", *SEGMENTS[1][1:]] for n in range(10)]
    outputs = [[f"t{n}", s, f"{s} wrote {n}"] for n in range(10) for s in ("BART", "T5", "NIU")]
    ratings = [
        [f"t{n}", s, r, "style", str((7 * n + len(s)) % 100)]
        for n in range(10)
        for s in ("BART", "T5", "NIU")
        for r in ("r1", "r2")
    ]
    scores = [
        [f"t{n}", s, f"metric{m}", "reference", f"0.{n}{m}"]
        for n in range(10)
        for s in ("BART", "T5", "NIU")
        for m in range(4)
    ]
    more = {
        "segments.csv": [SEGMENTS[0], *segments],
        "outputs.csv": [OUTPUTS[0], *outputs],
        "ratings.csv": [RATINGS[0], *ratings],
        "metric_scores.csv": [SCORES[0], *scores],
    }
    assert import_path(write_files(tmp_path / "more", more)).state == "done"
    assert queries() == first <= 16


def test_votes_alone_are_answered_by_strengths(tmp_path):
    folder = tmp_path / "small"
    folder.mkdir()
    write_votes(folder / "votes.csv", 800, 8)
    assert import_path(folder, without_texts=True, query=MAPPING).state == "done"
    assert not Rating.objects.exclude(choice="").filter(value__isnull=False).exists()
    page = open_page(reader("ada", "small"), ADDRESS)
    assert "is preferred most on" in card(page, "systems")
    assert "800 votes" in card(page, "systems")
    assert "Agreement" in card(page, "trust")
    assert "No metric has scored this study yet." in card(page, "metrics")


def test_a_study_without_texts_shows_ranks_without_texts(tmp_path):
    declared = {
        "without_texts": True,
        "scales": {"content": [0, 100], "style": [0, 100]},
        "metrics": {"bleu": {"orientation": "higher"}, "wmd": {"orientation": "lower"}},
    }
    files = {"ratings.csv": RATINGS, "metric_scores.csv": SCORES, "study.json": declared}
    assert import_path(write_files(tmp_path / "small", files)).state == "done"
    page = open_page(reader("ada", "small"), ADDRESS)
    assert "The largest gap for" in card(page, "failures")
    assert "not in this study" in card(page, "failures")
