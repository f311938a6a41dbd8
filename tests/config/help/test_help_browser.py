"""The help in a browser: usable at every width, searched by keyboard alone."""

from typing import Any

import pytest

from tests.fixtures.accessibility import WIDTHS, assert_usable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_pages_of_the_help_are_usable(open_as: Any, width: int, dark: bool) -> None:
    page = open_as(None, "/help/", width=width, dark=dark)
    for address in ("", "tutorial.html", "statistics/agreement.html", "search.html?q=interval"):
        page.goto(f"{page.url.partition('/help/')[0]}/help/{address}")
        assert_usable(page)


def test_the_help_is_found_and_read_by_keyboard(open_as: Any) -> None:
    page = open_as(None, "/help/")
    page.locator("#help-words").focus()
    page.keyboard.type("backup sqlite")
    page.keyboard.press("Enter")
    page.wait_for_url("**/help/search.html?q=backup+sqlite")
    page.get_by_role("link", name="Backup", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/help/deployment.html#backup")
    assert page.locator("#backup").inner_text() == "Backup"


def test_an_anchor_leads_to_its_heading_and_the_contents_to_the_page(open_as: Any) -> None:
    page = open_as(None, "/help/reports.html#correlation")
    assert page.locator("#correlation").bounding_box()["y"] < 200
    here = page.locator(".manual-pages [aria-current=page]")
    assert here.inner_text() == "Reports"
