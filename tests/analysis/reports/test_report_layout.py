"""The layout of report pages: question, answer, picture, table, and sections that open."""

import re

import pytest

from analysis.reports.catalogue import LISTED
from tests.fixtures.report_pages import open_page, reader, words

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("demo_reports")]
STUDY = "/studies/formality-demo"


def correlation(query: str = ""):
    return open_page(reader("ria", "formality-demo"), f"{STUDY}/correlation/{query}")


def sections(page) -> dict[str, bool]:
    """Return the sections of a page by name, and whether each is open."""
    found = [each for each in page.iter("details") if each.get("data-section")]
    assert all(each.get("id") == f"section-{each.get('data-section')}" for each in found)
    return {each.get("data-section"): "open" in each.attrib for each in found}


@pytest.mark.parametrize("kind", [kind for kind in LISTED if kind.key != "comparison"])
def test_the_title_of_a_report_is_its_question(kind):
    page = open_page(reader("ria", "formality-demo"), f"{STUDY}/{kind.key}/")
    assert [words(heading) for heading in page.iter("h1")] == [kind.asks]


def test_the_answer_is_at_most_three_sentences_and_the_others_are_folded_away():
    (answer,) = [each for each in correlation().iter("section") if each.get("class") == "answer"]
    assert len(answer.findall("p")) == 3
    assert len(answer.findall("details/p")) > 0


def test_the_main_picture_stands_before_the_table_and_keeps_its_place_free():
    page = correlation("?aspect=content")
    in_order = [each for each in page.iter() if each.tag in ("figure", "table")]
    assert in_order[0].get("id") == "metrics-1"
    (image,) = in_order[0].iter("img")
    assert "loading" not in image.attrib
    picture = reader("ria").get(image.get("src")).content.decode()
    size = re.search(r' width="(\d+)" height="(\d+)"', picture)
    assert size is not None
    assert size.groups() == (image.get("width"), image.get("height"))


def test_pictures_of_further_aspects_load_when_they_come_into_view():
    images = {
        figure.get("id"): image
        for figure in correlation().iter("figure")
        for image in figure.iter("img")
    }
    at_once = [name for name, image in images.items() if image.get("loading") != "lazy"]
    assert at_once == ["metrics-1", "top-1"]


def test_metrics_that_compare_with_the_same_texts_stand_under_one_heading():
    tables = {
        each.get("aria-label"): each.find("table")
        for each in correlation("?aspect=content").iter("div")
    }
    bodies = tables["Metrics and human scores of content"].findall("tbody")
    headings = [words(each.findall("tr")[0]) for each in bodies]
    assert headings == ["compared with reference", "compared with source"]


def test_the_address_says_which_sections_are_open():
    assert not any(sections(correlation()).values())
    opened = sections(correlation("?open=kinds,reproduce&aspect=style"))
    assert {name for name, is_open in opened.items() if is_open} == {"kinds", "reproduce"}


def test_the_menu_of_a_report_leads_to_its_sections_without_a_script():
    page = correlation("?aspect=style&open=kinds")
    (menu,) = [each for each in page.iter("details") if words(each).startswith("Download")][:1]
    links = [a.get("href") for a in menu.iter("a") if "#section-" in a.get("href")]
    assert [link.partition("#section-")[2] for link in links] == ["downloads", "reproduce"]
    for link in links:
        query, _, name = link.partition("#section-")
        opened = sections(correlation(query))
        assert opened[name]
        assert opened["kinds"]


@pytest.mark.parametrize(
    ("kind", "first", "closed"),
    [
        ("accuracy", "accuracy-systems", {"ceilings"}),
        ("metric-means", "system-means-metric", {"tested"}),
        ("planning", "plan", {"sizes", "components"}),
        ("raters", "rater-matrix-1", {"columns"}),
        ("rankings", "Rankings by", set()),
        ("scores", "metric-matrix", {"extremes", "system-distributions"}),
        ("subgroups", "strata", {"differences", "top-last"}),
    ],
)
def test_a_report_begins_with_what_carries_its_answer_and_folds_away_the_rest(kind, first, closed):
    page = open_page(reader("ria", "formality-demo"), f"{STUDY}/{kind}/")
    shown = [
        each.get("id") or each.get("aria-label")
        for each in page.iter()
        if each.tag == "figure" or each.get("class") == "scroll"
    ]
    assert shown[0].startswith(first)
    found = sections(page)
    assert closed <= found.keys()
    assert not any(found.values())
    opened = open_page(
        reader("ria", "formality-demo"), f"{STUDY}/{kind}/?open={','.join(sorted(closed))}"
    )
    assert {name for name, is_open in sections(opened).items() if is_open} == closed


@pytest.mark.parametrize("kind", ["agreement", "planning", "rankings", "subgroups"])
def test_an_answer_is_at_most_three_sentences(kind):
    page = open_page(reader("ria", "formality-demo"), f"{STUDY}/{kind}/")
    (answer,) = [each for each in page.iter("section") if each.get("class") == "answer"]
    assert 1 <= len(answer.findall("p")) <= 3
    ids = {each.get("id") for each in page.iter()}
    links = [link.get("href") for link in answer.iter("a")]
    assert {link.removeprefix("#") for link in links if link.startswith("#")} <= ids


def bar(page):
    (form,) = [form for form in page.iter("form") if form.get("id") == "filter"]
    return form


def test_conditions_in_force_are_links_that_remove_each():
    page = correlation("?aspect=content&direction=formal-to-informal&metric=bleu&metric=chrf")
    removing = {
        words(link): link.get("href") for link in bar(page).iter("a") if link.get("class") == "chip"
    }
    assert removing == {
        "Direction: formal to informal": "?aspect=content&metric=bleu&metric=chrf",
        "Metrics: bleu": "?aspect=content&direction=formal-to-informal&metric=chrf",
        "Metrics: chrf": "?aspect=content&direction=formal-to-informal&metric=bleu",
    }


def test_the_fields_used_most_stand_open_and_the_others_are_on_demand():
    form = bar(correlation())
    assert [words(label) for label in form.iterfind("div/label")] == [
        "Aspect",
        "Statistic",
        "Level",
        "Compared to",
    ]
    (others,) = [each for each in form if each.tag == "details"]
    assert "open" not in others.attrib
    assert "Variants" in words(others)


def test_a_field_that_is_wrong_is_in_sight():
    page = open_page(
        reader("ria", "formality-demo"), f"{STUDY}/correlation/?resamples=-1", status=400
    )
    (others,) = [each for each in bar(page) if each.tag == "details"]
    assert "open" in others.attrib


@pytest.mark.parametrize("address", ["disagreement/", "map/"])
def test_pages_that_are_no_report_have_the_same_bar(address):
    client = reader("ria", "formality-demo")
    page = open_page(client, f"{STUDY}/{address}", client.get(f"{STUDY}/{address}").status_code)
    assert [words(heading) for heading in page.iter("h1")] != [""]
    opened = f"{STUDY}/{address}?open=conditions"
    page = open_page(client, opened, client.get(opened).status_code)
    assert sections(page)["conditions"]
