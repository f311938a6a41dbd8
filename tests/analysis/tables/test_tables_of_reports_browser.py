"""Tables of real reports: sorted and pointed at, and the same after the filter has changed."""

import pytest

from tests.fixtures.report_pages import DEMO, imported, reader

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REPORT = "/studies/formality-demo/correlation/"


@pytest.fixture
def demo():
    """Return a reader's browser of the demo study, whose reports are stored."""
    with imported(DEMO, stored=True):
        yield reader("ada", "formality-demo")


def test_the_order_of_a_table_outlives_a_change_of_the_filter_and_a_reload(demo, open_as):
    page = open_as(demo, f"{REPORT}?aspect=content")
    page.get_by_role("button", name="Metric", exact=True).first.click()
    sorted_by = page.locator("th[aria-sort=ascending]", has_text="Metric")
    assert "=sort.metric" in page.url
    page.locator("#filter_level").select_option("system")
    page.wait_for_url("**level=system**")
    sorted_by.first.wait_for()
    assert "=sort.metric" in page.url
    page.reload()
    sorted_by.first.wait_for()


def test_a_row_of_the_table_highlights_its_metric_in_the_main_picture(demo, open_as):
    page = open_as(demo, f"{REPORT}?aspect=content")
    page.locator(".pictures picture").first.hover()
    page.locator(".pictures svg.drawing").first.wait_for()
    row = page.locator("[data-table]:not(figure *) tr[data-of]").first
    row.hover()
    marks = page.locator(".pictures svg.drawing .pointed-at")
    assert marks.count() > 0
    assert set(marks.evaluate_all("all => all.map((mark) => mark.dataset.of)")) == {
        row.get_attribute("data-of")
    }
