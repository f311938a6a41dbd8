"""The search field in a real browser: by keyboard, on a phone, without scripts, and by axe."""

import pytest
from django.test import Client

from corpus.models import Study
from tests.fixtures.accessibility import PHONE, assert_usable
from tests.fixtures.campaign_pages import signed_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FIELD = "[data-search] [name=q]"
OPEN = "#site-found:not([hidden]) [role=option]"


@pytest.fixture
def reader(small_study, transactional_db) -> Client:
    study = Study.objects.get(slug="small")
    return signed_in("ada", study, "researcher")


def chosen(page) -> str:
    """Text of the option that a screen reader is told of."""
    return page.evaluate(
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant') "
        "|| 'none')?.textContent.trim() ?? ''"
    )


def type_words(page, words: str) -> None:
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "q"
    with page.expect_response("**/search/?**"):
        page.keyboard.type(words, delay=10)
    page.locator(OPEN).first.wait_for()


def test_a_system_is_found_and_opened_by_keyboard_alone(open_as, reader):
    page = open_as(reader, "/studies/small/segments/")
    type_words(page, "bart")
    assert page.locator(FIELD).get_attribute("aria-expanded") == "true"
    assert "result" in page.locator("[data-search-count]").text_content()
    assert chosen(page) == ""
    page.keyboard.press("ArrowDown")
    assert chosen(page).startswith("BART")
    page.keyboard.press("ArrowUp")
    assert chosen(page) == "All results for “bart”"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/studies/small/systems/#system-*")


def test_the_key_is_written_where_one_writes_and_can_be_switched_off(open_as, reader):
    page = open_as(reader, "/studies/small/segments/")
    page.locator("#filter_q").click()
    page.keyboard.type("a/b")
    assert page.locator("#filter_q").input_value() == "a/b"
    page.goto(page.url.replace("studies/small/segments/", "account/"))
    key = page.get_by_label("moves to the search field")
    assert key.is_checked()
    key.uncheck()
    page.reload()
    page.keyboard.press("/")
    assert not page.get_by_label("moves to the search field").is_checked()
    assert page.evaluate("document.activeElement.name") != "q"


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_form_leads_to_the_page_on_a_phone_with_and_without_scripts(open_as, reader, scripts):
    page = open_as(reader, "/studies/small/systems/", scripts=scripts, **PHONE)
    assert page.locator(FIELD).bounding_box()["width"] > (200 if scripts else 130)
    assert page.locator("[data-search] button").is_visible() is not scripts
    page.locator(FIELD).fill("bart")
    page.locator(FIELD).press("Enter")
    page.wait_for_url("**/search/?q=bart&study=small")
    assert page.locator("main a", has_text="BART").count() >= 1


def test_the_panel_and_the_page_are_usable(open_as, reader):
    page = open_as(reader, "/studies/small/systems/")
    type_words(page, "writes")
    page.keyboard.press("ArrowDown")
    assert_usable(page, whatever_impact=True)
    page.goto(page.url.replace("studies/small/systems/", "search/?q=writes"))
    assert_usable(page, whatever_impact=True)
    page.keyboard.press("/")
    assert_usable(page)
