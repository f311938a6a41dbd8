"""The layout of report pages: question, answer, picture, table, and sections that open."""

import re

import numpy as np
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


def test_the_table_stands_first_with_its_intervals_and_charts_wait_folded():
    page = correlation("?aspect=content")
    in_order = [each for each in page.iter() if each.tag in ("figure", "table")]
    assert in_order[0].tag == "table"
    [charts] = [d for d in page.iter("details") if d.get("data-section") == "charts"]
    assert "open" not in charts.attrib
    assert all(image.get("loading") == "lazy" for image in charts.iter("img"))
    # An interval is drawn where its numbers lie on the scale of the column.
    drawn = []
    for cell in in_order[0].iter("td"):
        for picture in cell.iter("svg"):
            [number] = [d for d in cell.iter("details") if d.get("class") == "number"]
            ends = re.search(r"\[(.+), (.+)\]", words(cell)).groups()
            [line] = [each for each in picture.iter("line") if each.get("class") != "zero"]
            [dot] = picture.iter("circle")
            places = [float(each) for each in (line.get("x1"), dot.get("cx"), line.get("x2"))]
            value = float(number.get("data-value"))
            low, high = (float(end.replace("−", "-")) for end in ends)
            drawn += zip((low, value, high), places, strict=True)
    shown, places = np.array(drawn).T
    assert len(drawn) == 3 * len([*in_order[0].iter("svg")]) > 6
    slope, start = np.polyfit(shown, places, 1)
    assert places == pytest.approx(start + slope * shown, abs=0.3)
    assert (places.min(), places.max()) == (4, 116)


@pytest.mark.parametrize(
    ("kind", "first", "closed"),
    [
        ("accuracy", "Accuracy of metrics", {"ceilings"}),
        ("raters", "Raters of style", {"columns", "charts"}),
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
