"""The layout of report pages: question, answer, picture, table, and sections that open."""

import re

import pytest

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


@pytest.mark.parametrize(
    ("kind", "first", "closed"),
    [
        ("accuracy", "accuracy-systems", {"ceilings"}),
        ("raters", "rater-matrix-1", {"columns"}),
        ("rankings", "Rankings by", set()),
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
