"""Findings in a real browser: usable at every width, nothing moves while it loads, and the tour."""

import pytest
from django.test import Client

from corpus.jobs.worker import run_next
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.report_pages import reader
from tests.fixtures.study_files import TABLES, import_path, write_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHIFTS = """() => new Promise((done) => {
  let moved = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((each) => { moved += each.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 300);
})"""


@pytest.fixture(scope="module", autouse=True)
def _answered(once):
    """The small study, whose answers are computed once for all tests."""

    def fill(folder):
        assert import_path(write_files(folder / "small", TABLES)).state == "done"
        reader("ada", "small").get("/studies/small/")
        while run_next():
            pass

    once(fill)


@pytest.fixture
def client() -> Client:
    return reader("ada", "small")


@pytest.fixture
def findings(client, open_as):
    def open_page(**options):
        page = open_as(client, "/studies/small/", **options)
        page.wait_for_load_state("networkidle")
        return page

    return open_page


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_the_page_is_usable_and_nothing_moves(findings, width, dark):
    page = findings(width=width, dark=dark)
    assert page.locator(".finding img").count() == 3
    assert all(
        page.locator(".finding img").nth(n).evaluate("i => i.decode().then(() => i.naturalWidth)")
        for n in range(3)
    )
    assert page.evaluate(SHIFTS) < 0.01
    assert_usable(page)


def test_the_tour_goes_by_keyboard_and_is_remembered(findings):
    page = findings()
    start = page.get_by_role("button", name="Take the tour")
    assert "new" in start.get_attribute("class")
    start.focus()
    page.keyboard.press("Enter")
    dialog = page.locator("dialog.tour")
    assert dialog.get_by_role("status").inner_text() == "1 of 5"
    assert_usable(page)
    for step in range(2, 6):
        page.keyboard.press("ArrowRight")
        assert dialog.get_by_role("status").inner_text() == f"{step} of 5"
        box = dialog.bounding_box()
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= page.viewport_size["height"]
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert start.evaluate("button => button === document.activeElement")
    page.reload()
    assert "new" not in page.get_by_role("button", name="Take the tour").get_attribute("class")


def test_without_scripts_there_are_pictures_and_no_tour(findings):
    page = findings(scripts=False)
    assert page.locator(".finding img").count() == 3
    assert not page.get_by_role("button", name="Take the tour").is_visible()
