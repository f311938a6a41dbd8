"""Report pages in a real browser: by keyboard, on a phone, without scripts, under the policy."""

import pytest
from django.conf import settings

from analysis.reports import service
from analysis.reports.catalogue import KINDS
from corpus.jobs.worker import run_next
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.report_pages import DEMO, imported, reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
STUDY = "/studies/formality-demo"
MOST_TABS = 60


@pytest.fixture
def open_report(chromium_page, live_server):
    """Open pages of the demo study as a reader; what the browser complains of fails the test."""
    complaints = []

    def open_page(address: str, **options):
        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": live_server.url}]
        )
        page.goto(f"{live_server.url}{STUDY}/{address}")
        return page

    with imported(DEMO, stored=True):
        cookie = reader("ada", "formality-demo").cookies[settings.SESSION_COOKIE_NAME].value
        yield open_page
    assert complaints == []


def tab_to(page, selector: str) -> None:
    """Press the tabulator until the focus is on something that fits."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    pytest.fail(f"{MOST_TABS} steps do not lead to {selector}")


def test_from_the_filter_over_the_table_to_the_signature_by_keyboard_alone(open_report):
    page = open_report("correlation/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    tab_to(page, "#filter_aspect")
    page.keyboard.type("style")
    page.wait_for_url("**/correlation/?aspect=style")
    # The field that was changed has the focus again, and empty fields are not in the address.
    page.locator("#filter_aspect:focus").wait_for()
    tab_to(page, "td details.number > summary")
    page.keyboard.press("Enter")
    detail = page.locator("details.number[open] .number-detail")
    detail.wait_for()
    text = detail.inner_text()
    assert "95\N{NO-BREAK SPACE}% interval" in text
    assert "5 systems" in text
    assert "pearson|" in text
    page.keyboard.press("Escape")
    detail.wait_for(state="hidden")
    assert page.evaluate("document.activeElement.matches('details.number > summary')")
    tab_to(page, "td details.number > summary")
    page.keyboard.press("Enter")
    assert page.locator("details.number[open]").count() == 1


def test_lists_of_choices_wait_for_the_button(open_report):
    page = open_report("correlation/")
    page.get_by_text("Add condition").click()
    page.get_by_text("Metrics: all").click()
    page.get_by_label("bleu", exact=True).check()
    page.get_by_label("chrf", exact=True).check()
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**/correlation/?metric=bleu&metric=chrf&open=conditions")
    page.get_by_text("Metrics: 2 chosen").wait_for()
    page.get_by_role("link", name="Metrics: chrf, remove").click()
    page.wait_for_url("**/correlation/?metric=bleu*")


def test_a_change_of_the_filter_exchanges_the_report_and_back_brings_it_again(open_report):
    page = open_report("correlation/")
    page.evaluate("window.same = true")
    page.locator("#filter_aspect").focus()
    page.get_by_label("Aspect", exact=True).select_option("content")
    page.wait_for_url("**/correlation/?aspect=content")
    page.get_by_role("region", name="Metrics and human scores of style").wait_for(state="detached")
    assert page.evaluate("window.same"), "the whole page was loaded again"
    page.locator("#filter_aspect:focus").wait_for()
    beside = page.get_by_role("navigation", name="Reports").get_by_role(
        "link", name="Ranking", exact=True
    )
    assert beside.get_attribute("href").endswith("/ranking/?aspect=content")
    page.go_back()
    page.wait_for_url("**/correlation/")
    page.get_by_role("region", name="Metrics and human scores of style").wait_for()
    assert page.get_by_label("Aspect", exact=True).input_value() == ""
    page.wait_for_load_state("networkidle")
    page.go_forward()
    page.wait_for_url("**/correlation/?aspect=content")
    page.get_by_role("region", name="Metrics and human scores of style").wait_for(state="detached")


def test_without_scripts_the_filter_the_numbers_and_the_pictures_work(open_report):
    page = open_report("correlation/", scripts=False, width=390, height=844)
    page.get_by_label("Aspect", exact=True).select_option("style")
    page.get_by_role("button", name="Apply").click()
    page.get_by_role("heading", name="Style").first.wait_for()
    assert "aspect=style" in page.url
    page.locator("details.number > summary").first.click()
    assert page.get_by_text("signature", exact=True).first.is_visible()
    assert page.get_by_role("button", name="Explore").count() == 0
    picture = page.locator("figure img").first
    picture.scroll_into_view_if_needed()
    assert picture.get_attribute("alt").startswith("Correlation with human scores of style.")


# CI looks at these pages too, in three other windows: test_every_page_browser.py.
@pytest.mark.nightly
@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_every_page_is_accessible_and_no_wider_than_the_window(open_report, width, dark):
    for kind in KINDS:
        assert_usable(open_report(f"{kind}/", width=width, height=844, dark=dark))


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_details_of_a_number_lie_within_the_window(open_report, width, dark):
    page = open_report("correlation/?aspect=content", width=width, height=844, dark=dark)
    for place in (0, -1):
        table = page.get_by_role("region", name="Metrics and human scores of content")
        summary = table.locator("details.number > summary").nth(place)
        summary.scroll_into_view_if_needed()
        summary.click()
        box = page.locator("details.number[open] .number-detail").bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 844
        page.keyboard.press("Escape")


def test_a_chart_of_a_report_becomes_interactive(open_report):
    page = open_report("correlation/?aspect=style&open=heat-map")
    figure = page.locator("#heat-map")
    figure.locator(".chart-menu > summary").click()
    figure.get_by_role("button", name="Explore").click()
    page.locator("#heat-map[data-state=interactive]").wait_for()
    assert figure.locator(".chart-canvas svg").count() == 1


@pytest.mark.parametrize(("width", "beside"), [(1440, True), (1000, True), (999, False)])
def test_two_charts_stand_beside_each_other_on_wide_screens(open_report, width, beside):
    page = open_report("planning/", width=width, height=900)
    one, other = (
        page.locator(f".pictures > #{name}").bounding_box() for name in ("plan", "variance-shares")
    )
    assert (one["y"] == other["y"]) == beside
    page = open_report("subgroups/", width=width, height=900)
    alone, around = (
        page.locator("#report > .pictures > .chart"),
        page.locator("#report > .pictures"),
    )
    assert alone.bounding_box()["width"] == around.bounding_box()["width"]


def test_on_a_phone_a_chart_scrolls_before_its_letters_are_too_small_to_read(open_report):
    page = open_report("planning/", width=390, height=844)
    picture = page.locator("#plan img")
    assert 9 / 12 <= picture.bounding_box()["width"] / int(picture.get_attribute("width")) < 1


def test_a_section_and_a_long_table_are_fetched_when_they_are_opened(open_report):
    page = open_report("correlation/?open=heat-map")
    kinds = page.locator("#section-kinds")
    assert kinds.locator("table").count() == 0
    kinds.locator("summary").first.click()
    kinds.locator("table").first.wait_for()
    assert kinds.get_by_role("link", name="Show the three kinds").count() == 0
    page.locator("#heat-map .chart-numbers summary").click()
    page.locator("#heat-map table").wait_for()
    page.locator("#heat-map .table-more", has_text="Show all 21 rows").wait_for()
    page.wait_for_url("**/correlation/?open=kinds,heat-map,numbers-heat-map")


def test_the_address_keeps_which_sections_are_open(open_report):
    page = open_report("correlation/?aspect=style")
    page.locator("#section-kinds > summary").click()
    page.wait_for_url("**/correlation/?aspect=style&open=kinds")
    page.get_by_text("Reproduce", exact=False).first.click()
    page.get_by_role("link", name="How to get these numbers again").click()
    page.wait_for_url("**/correlation/?aspect=style&open=kinds,reproduce")
    assert page.locator("#section-reproduce > summary").evaluate(
        "e => e === document.activeElement"
    )
    page.reload()
    assert page.locator("details[data-section][open]").count() == 2
    page.locator("#section-kinds > summary").click()
    page.wait_for_url("**/correlation/?aspect=style&open=reproduce")


def test_a_report_appears_by_itself_and_keeps_focus_and_place_of_its_values(
    open_report, monkeypatch
):
    monkeypatch.setattr(service, "QUICK", 0)
    page = open_report("ranking/?ddof=1")
    page.get_by_text("This report is being computed").wait_for()
    assert run_next().state == "done"
    page.get_by_role("region", name="Ranking by style").wait_for()
    assert page.url.endswith("/ranking/?ddof=1")

    page.goto(page.url.replace("ranking/?ddof=1", "rankings/?resamples=100"))
    page.get_by_text("These are the values.").wait_for()
    by_people = page.get_by_role("columnheader", name="Human raters")
    by_people.get_by_role("button").click()
    place = by_people.bounding_box()

    assert run_next().state == "done"
    page.locator("#waiting").wait_for(state="detached")
    page.locator("#report-status", has_text="The report is complete.").wait_for()
    page.locator(".answer").wait_for()
    # The answer above is taller than what was there, and intervals are beside the values.
    page.locator("button.sort:focus", has_text="Human raters").wait_for()
    assert by_people.get_attribute("aria-sort") == "descending"
    found = by_people.bounding_box()
    assert [abs(found[side] - place[side]) < 16 for side in ("x", "y")] == [True, True]
