"""The search finds things of every kind, and leads to the page of each."""

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.study_sections import SECTIONS
from annotation.models import Campaign
from config.search import texts
from config.search.query import Query
from corpus.models import Membership, Study
from tests.fixtures.campaign_pages import member
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.nonempty import at_least_one

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(small_study, db) -> Study:
    return Study.objects.get(slug="small")


@pytest.fixture
def ask(client, study):
    """Search as a researcher of the study; return the hits of each kind by title."""
    person = member("ada", study, "researcher")
    client.force_login(person)

    def search(words, **values):
        page = client.get("/search/", {"q": words} | values)
        assert page.status_code == 200
        ask.text = page.content.decode()
        return {group.title: list(group.hits) for group in page.context["groups"]}

    ask = search
    search.client = client
    return search


def titles(found, kind):
    return [hit.title for hit in found.get(kind, ())]


def test_a_study_is_found_by_title_slug_and_description(ask, study):
    Study.objects.update(description="Ratings of politeness")
    for words in ("A SMALL", "small study", "study small", "POLITEness"):
        assert titles(ask(words), "Studies") == ["A small study"], words
    assert "Studies" not in ask("small studio")


def test_campaigns_are_found_wherever_their_page_is(ask, study):
    [hit] = ask("ratings")["Campaigns"]
    assert hit.address == "/studies/small/campaigns/ratings/datasheet/"
    campaign, _ = make_campaign(make_study(slug="other"))
    Membership.objects.create(study=campaign.study, user=User.objects.get(), role="researcher")
    Campaign.objects.filter(pk=campaign.pk).update(title="Fluency of answers")
    [hit] = ask("FLUENCY")["Campaigns"]
    assert hit.address == f"/studies/other/campaigns/{campaign.slug}/"
    Campaign.objects.filter(pk=campaign.pk).update(state="draft")
    [hit] = ask("FLUENCY")["Campaigns"]
    assert hit.address.endswith("/preview/")
    Membership.objects.update(role="owner")
    [hit] = ask("FLUENCY")["Campaigns"]
    assert hit.address.endswith("/edit/")


def test_a_system_is_found_and_its_row_is_on_the_page(ask, study):
    [hit] = ask("bart")["Systems"]
    address, _, anchor = hit.address.partition("#")
    assert hit.place == "A small study"
    assert f'id="{anchor}"' in ask.client.get(address).content.decode()


@pytest.mark.dialect
def test_a_segment_is_found_by_its_key_its_source_a_reference_and_an_output(ask, study):
    for words, key in {"S3": "s3", "gonna BE": "s1", "shall be": "s1", "t5 writes 2": "s2"}.items():
        [hit] = ask(words)["Segments"]
        assert hit.title == key
        address, _, anchor = hit.address.partition("#")
        assert f'id="{anchor}"' in ask.client.get(address).content.decode()
    assert "(T5)" in hit.detail


def test_as_many_segments_are_counted_as_the_segments_page_shows(ask, study, monkeypatch):
    monkeypatch.setattr("config.search.views.ON_THE_PAGE", 2)
    ask("writes")
    [(count, address)] = re.findall(r'<a href="([^"]+)">All (\d+) segments of', ask.text) and [
        re.search(r'<a href="([^"]+)">All (\d+) segments of', ask.text).group(2, 1)
    ]
    page = ask.client.get(address)
    assert page.context["page_obj"].paginator.count == int(count) == 4


@pytest.mark.parametrize(
    ("words", "report"),
    [
        ("krippendorff", "Agreement"),
        ("tau", "Correlation"),
        ("williams", "Metric comparison"),
        ("how many ratings enough", "Planning"),
    ],
)
def test_a_report_is_found_by_its_title_question_and_statistics(ask, words, report):
    hits = ask(words)["Reports and pages"]
    assert hits[0].title == report
    assert hits[0].address.startswith("/studies/small/")


def test_every_page_of_a_study_is_found_by_its_title(ask):
    for section in at_least_one([*SECTIONS]):
        for page in section.pages:
            found = titles(ask(page.title, study="small"), "Reports and pages")
            assert (page.title in found) != page.for_owners, page.title


def test_words_are_marked_and_markup_is_shown_as_text(ask, study):
    Study.objects.update(title="<b>bold</b> words")
    ask("BOLD words <b>")
    assert "&lt;b&gt;</mark><mark>bold</mark>&lt;/b&gt; <mark>words</mark>" in ask.text
    assert "<b>" not in ask.text


def test_the_study_from_whose_page_one_searches_comes_first(ask, study, tmp_path):
    for slug in ("aa", "zz"):
        another = make_study(slug=slug, systems=1)
        another.systems.filter(kind="system").update(name="BART")
        Membership.objects.create(study=another, user=User.objects.get(), role="researcher")
    for slug in ("small", "aa", "zz"):
        hits = ask("bart", study=slug)["Systems"]
        assert len(hits) == 3
        assert hits[0].address.startswith(f"/studies/{slug}/")
        assert hits[0].place == str(Study.objects.get(slug=slug))
        pages = ask("kappa", study=slug)["Reports and pages"]
        assert {hit.address.split("/")[2] for hit in pages} == {slug}
    page = ask.client.get("/studies/small/systems/").content.decode()
    assert '<input type="hidden" name="study" value="small">' in page


def test_what_is_typed_is_bounded(ask):
    assert ask("x") == ask("") == ask("  x ") == {}
    assert "Write at least 2 letters" in ask.text
    ask("long " * 100)
    assert len(Query.of("x" * 1000).phrase) == 200
    ask(" ".join("abcdefghijklmnopqrstuvwxyz" * 8))


def queries(client, words):
    with CaptureQueriesContext(connection) as captured:
        client.get("/search/", {"q": words})
    return len(captured)


def test_the_number_of_queries_does_not_grow_with_what_there_is(ask, study):
    before = queries(ask.client, "small")
    for number in range(5):
        another = make_study(slug=f"small-{number}")
        Membership.objects.create(study=another, user=User.objects.get(), role="researcher")
        make_campaign(another)
    assert queries(ask.client, "small") <= before
    assert queries(ask.client, "s1") <= before + 2
    assert before < 25


@pytest.mark.dialect
def test_a_search_that_takes_too_long_is_stopped_and_the_page_says_so(ask, monkeypatch):
    monkeypatch.setattr(texts, "SECONDS", 0)
    monkeypatch.setattr("corpus.storage.reading_time._STEPS", 1)
    monkeypatch.setattr(texts, "_matches", lambda *_: too_long())
    ask("t5 writes 2")
    assert "The search of texts was stopped" in ask.text
    assert titles(ask("bart"), "Systems") == ["BART"]


def too_long():
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000000)"
    with connection.cursor() as cursor:
        cursor.execute(f"{numbers} SELECT sum(i) FROM n")


def test_the_panel_is_sent_to_htmx_only(ask):
    panel = ask.client.get("/search/", {"q": "bart"}, headers={"HX-Request": "true"})
    page = ask.client.get("/search/", {"q": "bart"})
    assert b"<html" not in panel.content
    assert b'role="option"' in panel.content
    assert b"<html" in page.content
    assert "HX-Request" in panel["Vary"]
    short = ask.client.get("/search/", {"q": "b"}, headers={"HX-Request": "true"})
    assert short.content.strip() == b""
