"""The home of a study: its four answers, what it waits for, and what is missing."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.data import matrices
from analysis.findings import cards
from analysis.findings.ahead import compute_ahead
from analysis.views import findings as views
from annotation.models import Rating
from benchmarks.votes_at_size import MAPPING, write_votes
from corpus.jobs.worker import run_next
from corpus.models import Job, Study
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
    cache.clear()
    matrices.forget()
    yield
    cache.clear()


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
    [link] = [a for a in section(page, "metrics").iter("a") if words(a) == "Metric comparison"]
    compared = words(open_page(client, link.get("href")))
    best = re.match(r".*\? (\S+) correlates best.* \(r\s=\s([\d.]+)", card(page, "metrics"))
    first = re.search(rf"{best[1]} ([\d.]+)", compared[compared.index("Rank") :])[1]
    assert f"{float(first):.2f}" == best[2]


def test_the_example_is_the_first_of_the_page_that_it_leads_to(small):
    client = small()
    page = open_page(client, ADDRESS)
    [link] = [a for a in section(page, "failures").iter("a") if words(a) == "Disagreement"]
    [system, segment] = re.search(r"Output of (\w+) on (\w+)", card(page, "failures")).groups()
    cases = open_page(client, link.get("href"))
    assert words(next(each for each in cases.iter("h2"))) == f"{system} on {segment}"


def test_each_answer_explains_its_words_and_leads_to_the_help(small):
    page = open_page(small(), ADDRESS)
    guides = {"trust": "trust-ratings", "systems": "compare-systems"}
    guides |= {"metrics": "choose-a-metric", "failures": "find-failures"}
    for key, guide in guides.items():
        [reading] = section(page, key).iter("details")
        [link] = reading.iter("a")
        assert link.get("href") == reverse("help-page", args=[f"how-to/{guide}"])
        assert words(reading).startswith("How to read this")
    assert "Reference: the metric compares outputs with it" in card(page, "failures")


def test_pictures_have_their_size_and_are_kept_by_browsers(small):
    client = small()
    page = open_page(client, ADDRESS)
    for key in ("trust", "systems", "metrics"):
        pictures = [each for each in section(page, key).iter() if each.tag in ("img", "source")]
        assert len(pictures) == 7
        for each in pictures:
            assert int(each.get("width")) > 0
            assert int(each.get("height")) > 0
            answer = client.get(each.get("src") or each.get("srcset"))
            assert answer["Content-Type"] == "image/svg+xml"
            assert "immutable" in answer["Cache-Control"]
            assert f'width="{each.get("width")}"' in answer.text
            assert f'height="{each.get("height")}"' in answer.text


def test_a_picture_is_drawn_by_one_process_for_all(small, monkeypatch):
    client = small()
    open_page(client, ADDRESS)
    picture = reverse("study-findings-picture", args=["small", "trust", "wide"])
    first, dark = (client.get(picture, {"theme": theme}).text for theme in ("light", "dark"))
    assert first != dark
    # As another process: it knows what is stored, and nothing else.
    cache.clear()
    monkeypatch.setattr("analysis.charts.render.to_svg", lambda *_: pytest.fail("drawn again"))
    assert client.get(picture).text == first
    assert client.get(picture, {"theme": "dark"}).text == dark


def test_a_picture_is_drawn_again_by_other_code(small, monkeypatch):
    client = small()
    picture = reverse("study-findings-picture", args=["small", "trust", "wide"])
    client.get(picture)
    cache.clear()
    monkeypatch.setattr("analysis.findings.drawings._drawing_code", lambda: "changed")
    monkeypatch.setattr("analysis.charts.render.to_svg", lambda *_: "<svg>new</svg>")
    assert client.get(picture).text == "<svg>new</svg>"


def test_a_picture_of_another_state_is_not_kept(small):
    client = small()
    open_page(client, ADDRESS)
    picture = reverse("study-findings-picture", args=["small", "trust", "wide"])
    assert "immutable" not in client.get(picture, {"v": "0" * 16}).get("Cache-Control", "")
    assert client.get(picture, {"theme": "sepia"}).status_code == 404
    assert client.get(picture.replace("wide", "huge")).status_code == 404
    assert client.get(picture.replace("trust", "none")).status_code == 404


def test_each_missing_part_says_what_to_do(small):
    client = small(**{"ratings.csv": None, "metric_scores.csv": None})
    page = open_page(client, ADDRESS)
    for key in ("trust", "systems", "metrics", "failures"):
        assert "Nobody has rated this study yet." in card(page, key)
    assert "no ratings yet · no metric scores yet" in words(page)


def test_without_scores_only_the_answers_on_metrics_are_missing(small):
    page = open_page(small(**{"metric_scores.csv": None}), ADDRESS)
    for key in ("metrics", "failures"):
        assert "No metric has scored this study yet." in card(page, key)
    assert "Krippendorff’s α is" in card(page, "trust")


def test_another_aspect_is_chosen_by_a_link(small):
    client = small()
    page = open_page(client, ADDRESS)
    assert "on content" in card(page, "systems")
    [other] = [a for a in section(page, "systems").iter("a") if words(a) == "style"]
    chosen = open_page(client, other.get("href"))
    assert "on style" in card(chosen, "systems")
    none = "No metric can be compared with human scores: none measures this aspect."
    assert f"{none} See what each metric measures" in card(chosen, "metrics")
    assert "aspect=style" in section(chosen, "systems").find(".//p[@class='more']/a").get("href")


def test_an_aspect_that_does_not_exist_is_refused_in_the_cards(small):
    page = open_page(small(), f"{ADDRESS}?aspect=beauty")
    assert "aspect=beauty: this study has" in card(page, "systems")


def test_people_who_rate_in_several_campaigns_are_counted_once(small, tmp_path):
    client = small()
    assert "32 ratings by 2 annotators" in words(open_page(client, ADDRESS))
    rows = [[*RATINGS[0], "task"], ["s1", "T5", "r1", "fluency", "5", "absolute_naturalness"]]
    assert import_path(write_files(tmp_path / "more", {"ratings.csv": rows})).state == "done"
    assert Study.objects.get(slug="small").campaigns.count() == 2
    assert "33 ratings by 2 annotators" in words(open_page(client, ADDRESS))


def test_a_card_waits_for_its_job_and_shows_what_it_found(small, monkeypatch):
    client = small()
    monkeypatch.setattr(cards, "QUICK", -1)
    page = open_page(client, ADDRESS)
    waiting = section(page, "trust")
    assert "This answer is being computed." in words(waiting)
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


def test_ratings_that_come_in_do_not_ask_for_another_job_while_one_is_under_way(
    small, monkeypatch, tmp_path
):
    client = small()
    monkeypatch.setattr(cards, "QUICK", -1)
    again = section(open_page(client, ADDRESS), "trust").get("hx-get")
    Study.objects.update(revision=7)
    before = Job.objects.count()
    open_page(client, again)
    assert Job.objects.count() == before


def test_what_is_computed_ahead_is_there_at_the_first_look(small, monkeypatch):
    client = small()
    study = Study.objects.get(slug="small")
    compute_ahead(study)
    compute_ahead(study)
    assert Job.objects.filter(kind="report").count() == 4
    while run_next():
        pass
    monkeypatch.setattr(cards, "QUICK", -1)
    page = open_page(client, ADDRESS)
    assert "This answer is being computed." not in words(page)
    assert not Job.objects.active().exists()


def test_what_orders_many_outputs_does_not_hold_up_the_page(small, monkeypatch):
    client = small()
    monkeypatch.setattr(views, "MANY_OUTPUTS", 1)
    waiting = section(open_page(client, ADDRESS), "failures")
    assert waiting.get("hx-trigger") == "load"
    [again] = [a.get("href") for a in waiting.iter("a")]
    assert "The largest gap for" in card(open_page(client, f"{ADDRESS}{again[-6:]}"), "failures")
    assert "The largest gap for" in words(open_page(client, waiting.get("hx-get")))
    assert "The largest gap for" in card(open_page(client, ADDRESS), "failures")


def test_a_failed_report_is_said_and_not_tried_at_each_look(small, monkeypatch):
    client = small()
    monkeypatch.setattr(cards, "QUICK", -1)
    open_page(client, ADDRESS)
    Job.objects.filter(kind="report").update(state="failed", error="it broke")
    before = Job.objects.filter(parameters__kind="agreement").count()
    page = open_page(client, ADDRESS)
    assert "The report could not be computed: it broke" in card(page, "trust")
    assert Job.objects.filter(parameters__kind="agreement").count() == before


def test_a_second_visit_asks_for_little_however_large_the_study_is(small, tmp_path):
    client = small()

    def queries():
        open_page(client, ADDRESS)
        with CaptureQueriesContext(connection) as found:
            open_page(client, ADDRESS)
        return len(found)

    first = queries()
    segments = [[f"t{n}", *SEGMENTS[1][1:]] for n in range(30)]
    outputs = [[f"t{n}", s, f"{s} wrote {n}"] for n in range(30) for s in ("BART", "T5", "NIU")]
    ratings = [
        [f"t{n}", s, r, "style", str((7 * n + len(s)) % 100)]
        for n in range(30)
        for s in ("BART", "T5", "NIU")
        for r in ("r1", "r2")
    ]
    scores = [
        [f"t{n}", s, f"metric{m}", "reference", f"0.{n}{m}"]
        for n in range(30)
        for s in ("BART", "T5", "NIU")
        for m in range(9)
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
    assert import_path(folder, without_texts=True, mappings=MAPPING).state == "done"
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


def test_too_many_metrics_to_compare_are_counted(small):
    names = [f"metric{n}" for n in range(41)]
    scores = [
        [f"s{n}", system, name, "reference", f"0.{n}{len(system)}{at}"]
        for n in range(1, 5)
        for system in ("BART", "T5")
        for at, name in enumerate(names)
    ]
    directions = {name: {"orientation": "higher"} for name in names}
    study = TABLES["study.json"] | {"metrics": directions}
    client = small(**{"metric_scores.csv": [SCORES[0], *scores], "study.json": study})
    open_page(client, ADDRESS)
    while run_next():
        pass
    page = open_page(client, ADDRESS)
    assert re.search(r"of 41 metrics correlate with human scores", card(page, "metrics"))
