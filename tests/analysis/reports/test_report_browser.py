"""Report pages in a real browser: by keyboard, on a phone, without scripts, under the policy."""

import pytest
from django.conf import settings

from analysis.reports import service
from corpus.jobs.worker import run_next
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
        "link", name="Systems", exact=True
    )
    assert beside.get_attribute("href").endswith("/system-comparison/?aspect=content")
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
    page.locator("#section-charts > summary").click()
    picture = page.locator("figure img").first
    picture.scroll_into_view_if_needed()
    assert picture.get_attribute("alt").startswith("Correlation with human scores of style.")


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
    page.wait_for_url("**/correlation/?open=charts,heat-map,numbers-heat-map,kinds")


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
