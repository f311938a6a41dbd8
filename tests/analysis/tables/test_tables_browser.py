"""Tables in a browser: sorted, searched and shortened, and the same again from their address."""

from html import escape
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings

from tests.fixtures.accessibility import assert_usable
from tests.fixtures.machine import ROOT

pytestmark = pytest.mark.browser
SITE = "http://tables.test"
SCRIPTS = ("table-rows", "table-columns", "table-order", "table", "menu")
SHEETS = ("tokens", "touchstone", "workbench")
STATIC = {f"/{name}.js": f"js/{name}.js" for name in SCRIPTS}
STATIC |= {f"/{name}.css": f"css/{name}.css" for name in SHEETS}
HEAD = (
    '<!doctype html><html lang="en"><title>Tables</title><link rel="icon" href="data:,">'
    + "".join(f'<link rel="stylesheet" href="/{name}.css">' for name in SHEETS)
    + "".join(f'<script src="/{name}.js" defer></script>' for name in SCRIPTS)
    + "<main><h1>Tables</h1>"
)
HEADINGS = (
    '<thead><tr><th scope="col">Metric</th><th scope="col" class="number">r</th>'
    '<th scope="col" class="number">Rank</th><th scope="col">Orientation</th></tr></thead>'
)


def row(name: str, value: float | None, rank: str = "1–4", better: str = "higher") -> str:
    """Return a row as the reports have it: numbers are details, unrounded in data-value."""
    number = (
        '<details class="number"><summary>undefined</summary></details>'
        if value is None
        else f'<details class="number" data-value="{value}"><summary>{value:.1f}</summary>'
        '<div class="number-detail">signature pearson</div></details>'
    )
    return (
        f'<tr id="{name}"><th scope="row">{escape(name)}</th><td class="number">{number}</td>'
        f'<td class="number">{rank}</td><td>{better}</td></tr>'
    )


def table(*bodies: str, name: str = "t", headings: str = HEADINGS) -> str:
    return (
        f'<div class="scroll" data-table="{name}" role="region" aria-label="Metrics" tabindex="0">'
        f"<table>{headings}{''.join(f'<tbody>{body}</tbody>' for body in bodies)}</table></div>"
    )


def group(words: str) -> str:
    return f'<tr class="group"><th scope="rowgroup" colspan="4">{words}</th></tr>'


SHORT = table(
    row("bleu", 0.31, rank="10", better="–")
    + row("chrf", None, rank="2")
    + row("comet", 0.34, rank="−1", better="lower")
    + row("ter", -0.5, rank="1,200")
)
GROUPED = table(
    group("compared with source") + row("bleu", 0.3) + row("comet", 0.8),
    group("compared with reference") + row("chrf", 0.1) + row("bleurt", 0.2) + row("ter", 0.2),
)
LONG = table("".join(row(f"metric {n}", n / 100) for n in range(1, 21)), name="long")


@pytest.fixture
def opened(chromium_page):
    """Open a page with tables at an address; what the browser complains of fails the test."""
    complaints = []

    def open_page(content: str, query: str = "", **options):
        def answer(route):
            path = urlsplit(route.request.url).path
            if path in STATIC:
                route.fulfill(path=ROOT / "static" / STATIC[path])
            else:
                route.fulfill(
                    body=HEAD + content,
                    content_type="text/html; charset=utf-8",
                    headers={"Content-Security-Policy": settings.CONTENT_SECURITY_POLICY},
                )

        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route(f"{SITE}/**", answer)
        page.goto(f"{SITE}/{query}")
        return page

    yield open_page
    assert complaints == []


def names(page) -> list[str]:
    """Return the first cells of the rows that can be seen."""
    return page.locator("tbody tr:visible > th").all_inner_texts()


def press(page, heading: str) -> None:
    page.get_by_role("button", name=heading, exact=True).click()


def said(page) -> str:
    return page.locator(".table-tools [role=status]").inner_text()


def test_numbers_are_sorted_unrounded_from_the_highest_and_the_undefined_come_last(opened):
    page = opened(SHORT)
    heading = page.locator("thead th", has_text="r").first
    press(page, "r")
    assert names(page) == ["comet", "bleu", "ter", "chrf"]
    assert page.locator("th[aria-sort]").all_inner_texts() == ["r"]
    assert page.locator("th[aria-sort=descending]").count() == 1
    assert said(page) == "Sorted by r, descending"
    press(page, "r")
    assert names(page) == ["ter", "bleu", "comet", "chrf"]
    assert said(page) == "Sorted by r, ascending"
    press(page, "r")
    assert names(page) == ["bleu", "chrf", "comet", "ter"]
    assert page.locator("th[aria-sort]").count() == 0
    assert heading.count() == 1


def test_a_table_is_sorted_by_keyboard_and_keeps_the_focus_on_its_heading(opened):
    page = opened(SHORT)
    button = page.get_by_role("button", name="Metric", exact=True)
    button.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert names(page) == ["ter", "comet", "chrf", "bleu"]
    assert page.evaluate("document.activeElement.textContent") == "Metric"


def test_a_search_takes_all_words_of_a_row_and_of_the_heading_above_it(opened):
    rows = "".join(row(f"bleu {n}", 0.1) for n in range(8))
    page = opened(table(group("compared with source") + rows, group("others") + row("ter", 0.5)))
    box = page.get_by_role("searchbox", name="Search rows: Metrics")
    box.fill("SOURCE 7")
    assert names(page) == ["compared with source", "bleu 7"]
    assert said(page) == "1 of 9 rows"
    box.fill("signature")
    assert names(page) == []
    box.fill("")
    assert len(names(page)) == 11
    assert page.url == f"{SITE}/"


def test_the_first_rows_are_shown_and_all_on_request_and_in_print(opened):
    page = opened(LONG)
    assert len(names(page)) == 15
    press(page, "r")
    assert names(page)[0] == "metric 20"
    page.emulate_media(media="print")
    assert len(names(page)) == 20
    page.emulate_media(media="screen")
    press(page, "Show all 20 rows")
    assert len(names(page)) == 20
    assert page.evaluate("document.activeElement.id") == "metric 5"
    assert page.get_by_role("button", name="Show all").count() == 0


def test_without_scripts_every_row_is_there(opened):
    page = opened(LONG, scripts=False)
    assert len(names(page)) == 20
    assert page.locator("button, input").count() == 0


def test_columns_are_chosen_and_the_first_one_stays(opened):
    page = opened(GROUPED)
    page.get_by_text("Columns", exact=True).click()
    assert page.locator(".table-tools label").all_inner_texts() == ["r", "Rank", "Orientation"]
    page.get_by_label("Rank").uncheck()
    assert page.locator("thead th:visible").all_inner_texts() == ["Metric", "r", "Orientation"]
    assert page.locator("tr#bleu > :visible").count() == 3
    assert page.locator("tr.group > th").first.get_attribute("colspan") == "3"
    assert said(page) == "Rank is hidden"
    page.keyboard.press("Escape")
    assert page.get_by_label("Rank").is_hidden()


def test_a_copied_address_shows_the_same_table_and_keeps_what_else_is_in_it(opened):
    page = opened(LONG + SHORT.replace('data-table="t"', 'data-table="other"'), "?aspect=style")
    press(page.locator(".scroll").first, "r")
    press(page.locator(".scroll").last, "Orientation")
    page.get_by_text("Columns", exact=True).first.click()
    page.get_by_label("Rank").first.uncheck()
    page.get_by_role("searchbox").fill("metric 1")
    shown = names(page)
    assert parse_qs(urlsplit(page.url).query) == {
        "aspect": ["style"],
        "table-long": ["sort.r.down hide.rank find.metric 1"],
        "table-other": ["sort.orientation"],
    }
    again = opened(
        LONG + SHORT.replace('data-table="t"', 'data-table="other"'),
        page.url.removeprefix(SITE)[1:],
    )
    assert names(again) == shown
    assert again.locator(".scroll").first.locator("thead th:visible").count() == 3
    assert again.get_by_role("searchbox").input_value() == "metric 1"


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), pytest.param(390, True, marks=pytest.mark.nightly)]
)
def test_the_controls_are_accessible(opened, width, dark):
    other = GROUPED.replace("Metrics", "Other metrics")
    page = opened(LONG + other, width=width, height=844, dark=dark)
    press(page.locator(".scroll").first, "r")
    page.get_by_text("Columns", exact=True).first.click()
    assert_usable(page, whatever_impact=True)
