"""The rating page in a real browser: keyboard alone, touch, lost connections, axe, weight."""

import pytest

from annotation.models import Draft, Rating, Submission
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.by_night import by_night
from tests.fixtures.rating_browser import current, next_screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PROTOCOLS = {
    "style_transfer_intensity": {"table": True},
    "relative_naturalness": {"tie": True},
    "absolute_naturalness": {},
    "direct_assessment": {"highlight": True},
    "output_against_output": {"tie": True},
    "ranking": {},
    "best_worst": {},
    "likert": {},
}


def test_an_untouched_slider_looks_so_is_not_stored_and_is_said(open_campaign):
    page, _ = open_campaign("direct_assessment")
    assert page.locator(".slider.untouched").count() == 3
    page.keyboard.press("Home")
    assert page.locator(".slider.untouched").count() == 2
    page.locator("button.primary").click()
    page.locator("#connection", has_text="a question is still open").wait_for()
    focused = page.evaluate("document.activeElement.closest('[data-slider]').textContent")
    assert "content" in focused
    assert not Submission.objects.exists()


def test_a_character_that_cannot_be_stored_is_said_and_the_answers_stay(open_campaign):
    page, _ = open_campaign("likert")
    for digit in "5324":
        page.keyboard.press(digit)
    page.eval_on_selector("[name=comment]", "field => { field.value = 'a\\0b' }")
    page.keyboard.press("Enter")
    page.locator("#connection", has_text="The field comment has a NUL character").wait_for()
    assert page.locator("input[type=radio]:checked").count() == 4
    assert not Submission.objects.exists()
    before = current(page)
    page.eval_on_selector("[name=comment]", "field => { field.value = 'ab' }")
    page.locator("button.primary").click()
    next_screen(page, before)
    assert Submission.objects.get().comment == "ab"


def test_from_the_guidelines_to_the_completion_code_by_touch(open_campaign):
    page, annotator = open_campaign("absolute_naturalness", read=False, width=390, height=844)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/rate/*/")
    while before := current(page):
        page.get_by_text("3", exact=True).first.click()
        page.get_by_role("button", name="Save and go on").click()
        next_screen(page, before)
    assert annotator.completion_code in page.content()
    assert Submission.objects.count() == 6


def test_without_scripts_everything_can_be_answered(open_campaign):
    page, _ = open_campaign("direct_assessment", scripts=False)
    for aspect, value in (("style", "40"), ("content", "50"), ("fluency", "60")):
        page.fill(f"[name=answer-0-{aspect}]", value)
    before = current(page)
    page.get_by_role("button", name="Save and go on").click()
    assert current(page) not in ("", before)
    assert Rating.objects.count() == 3


def test_a_lost_connection_is_said_and_the_answer_arrives_when_it_is_back(open_campaign):
    page, _ = open_campaign("likert")
    before = current(page)
    for digit in "5324":
        page.keyboard.press(digit)
    page.wait_for_timeout(1200)
    page.context.set_offline(True)
    page.keyboard.press("Enter")
    page.locator("#connection", has_text="Not saved yet: there is no connection").wait_for()
    assert not Submission.objects.exists()
    page.context.set_offline(False)
    next_screen(page, before)
    assert Submission.objects.count() == 1
    assert page.locator("#connection").is_hidden()


def test_what_is_typed_is_kept_as_a_draft_and_comes_back_after_a_reload(open_campaign):
    page, _ = open_campaign("likert")
    with page.expect_response("**/draft/"):
        page.keyboard.press("4")
    page.reload()
    assert page.locator("[name=answer-0-style][value='4']").is_checked()
    assert Draft.objects.count() == 1


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
@pytest.mark.parametrize("protocol", by_night(sorted(PROTOCOLS), "likert"))
def test_axe_finds_nothing_serious_and_nothing_runs_off_the_page(
    open_campaign, protocol, width, dark
):
    page, _annotator = open_campaign(protocol, PROTOCOLS[protocol], width=width, dark=dark)
    base = page.url
    for address in ("", "guidelines/", "done/"):
        page.goto(base + address)
        assert_usable(page)
