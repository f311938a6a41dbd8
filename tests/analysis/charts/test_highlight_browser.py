"""Metrics and systems are highlighted in all charts and tables of a page; pictures are copied."""

from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from playwright.sync_api import expect

from analysis.charts.chart import table_rows
from analysis.charts.dots import metric_dots, system_means
from analysis.charts.heat_map import heat_map
from analysis.charts.render import to_svg
from tests.fixtures.accessibility import assert_usable
from tests.fixtures.machine import ROOT

pytestmark = pytest.mark.browser
SITE = "http://localhost"
"""Pages may write to the clipboard only where the browser trusts the address."""
SYSTEMS = ("BART", "IBT", "<img src=x>")
MEANS = system_means(
    [
        {"system": name, "aspect": "style", "mean": place, "low": place - 1.0, "high": place + 1.0}
        | {"link": f"../outputs/{place}"}
        for place, name in enumerate(SYSTEMS)
    ],
    title="Means",
    score="mean",
    name="means",
)
HEAT = heat_map(
    [{"metric": name, "aspect": "style", "value": 0.5} for name in ("BART", "BLEU")],
    title="Correlations",
    statistic="r",
    name="heat",
)
PANELS = metric_dots(
    [
        {"metric": name, "compared_to": text, "value": 0.5, "n": 9}
        for text in ("source", "reference")
        for name in ("BLEU", "TER (raw)")
    ],
    statistic="r",
    title="Metrics",
    name="panels",
)
CHARTS = {"/means.svg": MEANS, "/heat.svg": HEAT, "/panels.svg": PANELS}
ROWS = (
    '<div class="scroll" tabindex="0"><table id="rows"><tbody>'
    '<tr data-of="TER · source"><th scope="row">TER</th></tr>'
    '<tr data-of="BLEU · source" data-and="TER · source"><th scope="row">BLEU less TER</th></tr>'
    '<tr data-of="BLEU · reference"><th scope="row">BLEU</th></tr></tbody></table></div>'
)


def figure(chart) -> str:
    """Return a chart as the pages have it."""
    context = {"chart": chart, "table": table_rows(chart), "svg_url": f"/{chart.name}.svg"}
    return render_to_string(
        "components/chart.html", context | {"spec_url": f"/{chart.name}.json", "open": True}
    )


SCRIPTS = "".join(
    f'<script src="/static/js/{name}.js" defer></script>'
    for name in (
        "highlight",
        "copy-picture",
        "menu",
        "table-rows",
        "table-columns",
        "table-order",
        "table",
    )
)
PAGE = (
    '<!doctype html><html lang="en"><title>Charts</title><link rel="icon" href="data:,">'
    '<link rel="stylesheet" href="/static/css/tokens.css">'
    '<link rel="stylesheet" href="/static/css/touchstone.css">'
    f'<link rel="stylesheet" href="/static/css/workbench.css">{SCRIPTS}<main><h1>Charts</h1>'
    f"{figure(MEANS)}{figure(HEAT)}{figure(PANELS)}{ROWS}</main>"
)


@pytest.fixture
def opened(chromium_page):
    """Open the page of both charts; what the browser complains of fails the test."""
    complaints = []

    def answer(route):
        address = urlsplit(route.request.url)
        headers = {"Content-Security-Policy": settings.CONTENT_SECURITY_POLICY}
        if address.path in CHARTS:
            theme = "dark" if "dark" in address.query else "light"
            svg = to_svg(CHARTS[address.path], theme)
            route.fulfill(body=svg, content_type="image/svg+xml", headers=headers)
        elif address.path.startswith("/static/"):
            route.fulfill(path=ROOT / address.path[1:])
        else:
            route.fulfill(body=PAGE, content_type="text/html; charset=utf-8", headers=headers)

    def open_page(**options):
        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.route(f"{SITE}/**", answer)
        page.goto(f"{SITE}/report/")
        for image in page.locator("figure img").all():
            image.scroll_into_view_if_needed()
            expect(image).to_have_js_property("complete", value=True)
        return page

    yield open_page
    assert complaints == []


def drawn(page):
    """Point at the first chart, wait for the drawings and return the page."""
    page.locator("figure picture").first.hover()
    expect(page.locator("svg.drawing")).to_have_count(3)
    return page


def pointed_at(page, where: str) -> set[str]:
    return set(
        page.locator(f"{where} .pointed-at").evaluate_all("all => all.map((x) => x.dataset.of)")
    )


def place(page, what: str) -> list[float]:
    """Return where something is in the page, whatever part of it is in sight."""
    return page.locator(what).evaluate(
        "x => [x.getBoundingClientRect()].flatMap("
        "(r) => [r.left + scrollX, r.top + scrollY, r.width, r.height])"
    )


def test_pointing_at_a_mark_highlights_its_system_in_all_charts_and_tables(opened):
    page = drawn(opened())
    page.locator("#means svg path[data-of=BART]").hover()
    assert pointed_at(page, "#means svg") == pointed_at(page, "#heat svg") == {"BART"}
    assert pointed_at(page, "#means table") == pointed_at(page, "#heat table") == {"BART"}
    faint = page.locator("#means svg path[data-of=IBT]")
    expect(faint).to_have_css("opacity", "0.15")
    page.locator("h1").hover()
    assert page.locator(".pointed-at").count() == 0


def test_a_row_that_is_pointed_at_or_has_the_focus_highlights_its_marks(opened):
    page = drawn(opened())
    page.locator("#means tbody tr").last.hover()
    assert pointed_at(page, "#means svg") == {"<img src=x>"}
    assert pointed_at(page, "#heat svg") == set()
    assert page.locator("#heat svg.has-pointed-at").count() == 0
    page.locator("h1").hover()
    page.locator("#heat tbody tr", has_text="BLEU").evaluate(
        "row => { row.tabIndex = -1; row.focus(); }"
    )
    assert pointed_at(page, "#heat svg") == {"BLEU"}
    # The pointer elsewhere takes nothing from what has the focus.
    page.locator("h1").hover()
    assert pointed_at(page, "#heat svg") == {"BLEU"}


def test_a_drawing_takes_the_place_of_its_picture_and_moves_nothing(opened):
    page = opened()
    before, below = place(page, "#means img"), place(page, "#heat")
    drawn(page)
    assert place(page, "#means svg.drawing") == before
    assert place(page, "#heat") == below
    # Its name and description are the picture's, as before.
    assert page.get_by_role("img", name="Means").count() == 1
    assert page.evaluate(
        "new Set([...document.querySelectorAll('[id]')].map((x) => x.id)).size"
    ) == (page.locator("[id]").count())


@pytest.mark.parametrize(
    ("width", "dark"), [(1280, False), pytest.param(390, True, marks=pytest.mark.nightly)]
)
def test_drawings_are_accessible(opened, width, dark):
    page = drawn(opened(width=width, height=844, dark=dark))
    page.locator("#means tbody tr").first.hover()
    assert_usable(page, whatever_impact=True)


def test_the_menu_of_a_chart_is_used_by_keyboard_and_moves_nothing(opened):
    page = opened()
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=SITE)
    places = [place(page, f"{chart} figcaption") for chart in ("#means", "#heat")]
    menu = page.locator("#means .chart-menu")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Copy picture"
    assert places == [place(page, f"{chart} figcaption") for chart in ("#means", "#heat")]
    page.keyboard.press("Enter")
    page.locator("#means [role=status]", has_text="Copied.").wait_for()
    assert menu.get_attribute("open") is None
    assert page.evaluate("document.activeElement.localName") == "summary"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
