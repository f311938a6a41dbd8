"""An answer whose session ends on the way is kept in the browser, and sent with the next link."""

import pytest
from django.utils import timezone

from annotation.models import Annotator, Rating, Submission
from annotation.people.invitations import new_links, revoke
from tests.fixtures.rating_browser import current, next_screen

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEPT = "kept in this browser. Open your link again here"


def rate_without_session(page, **cookies):
    """Answer a screen of a Likert scale after cookies are gone, before a draft is sent."""
    page.context.clear_cookies(**cookies)
    for digit in "5324":
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    page.locator("#connection", has_text=KEPT).wait_for()


def open_link(page, annotator, site):
    page.goto(f"{site}/join/{new_links([annotator])[annotator.pk]}/")


def test_an_answer_that_was_on_its_way_arrives_when_the_link_is_opened_again(
    open_campaign, live_server
):
    page, annotator = open_campaign("likert")
    before = current(page)
    rate_without_session(page)
    assert not Submission.objects.exists()
    # Reloading does not lose it; the page says only what is true.
    page.reload()
    assert "Where the page said that an answer is kept in this browser" in page.content()
    open_link(page, annotator, live_server.url)
    page.locator("#connection", has_text="is saved now").wait_for()
    assert next_screen(page, before)
    assert list(Rating.objects.order_by("id").values_list("value", flat=True)) == [5, 3, 2, 4]
    assert page.evaluate("Object.keys(localStorage)") == []
    page.reload()
    assert Submission.objects.count() == 1


def test_it_can_be_sent_again_from_the_page_that_is_still_open(open_campaign, live_server):
    page, annotator = open_campaign("likert")
    before = current(page)
    rate_without_session(page, name="rating")
    other = page.context.new_page()
    open_link(other, annotator, live_server.url)
    other.locator("#connection", has_text="is saved now").wait_for()
    page.bring_to_front()
    page.get_by_role("button", name="Save and go on").click()
    next_screen(page, before)
    assert Submission.objects.count() == 1


def test_what_was_answered_elsewhere_meanwhile_is_not_replaced(open_campaign, live_server):
    page, annotator = open_campaign("likert")
    rate_without_session(page)
    kept = page.evaluate("JSON.stringify(localStorage)")
    elsewhere = page.context.browser.new_context().new_page()
    open_link(elsewhere, annotator, live_server.url)
    before = current(elsewhere)
    for digit in "1111":
        elsewhere.keyboard.press(digit)
    elsewhere.keyboard.press("Enter")
    next_screen(elsewhere, before)
    assert "answer" in kept
    open_link(page, annotator, live_server.url)
    page.get_by_text("answered in another tab or on another device").wait_for()
    assert set(Rating.objects.values_list("value", flat=True)) == {1}
    assert page.evaluate("Object.keys(localStorage)") == []


def test_a_browser_that_keeps_nothing_says_that_the_answer_is_not_saved(open_campaign):
    page, annotator = open_campaign("likert")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    revoke(annotator)
    for digit in "5324":
        page.keyboard.press(digit)
    page.keyboard.press("Enter")
    page.locator("#connection", has_text="Not saved: your link has ended").wait_for()
    assert page.locator("input:checked").count() == 4


@pytest.mark.parametrize("gone", ["rating", "all"])
def test_without_scripts_the_page_says_that_it_is_not_saved(open_campaign, gone):
    page, _ = open_campaign("likert", scripts=False)
    for name in ("style", "content", "fluency", "overall"):
        page.check(f"[name=answer-0-{name}][value='3']")
    page.context.clear_cookies(**({} if gone == "all" else {"name": gone}))
    page.get_by_role("button", name="Save and go on").click()
    said = page.inner_text("main")
    assert "not saved" in said or "Not stored" in said
    assert "Go back in your browser" in said
    assert "is lost" not in said
    assert not Submission.objects.exists()
    assert Annotator.objects.filter(guidelines_read_at__lte=timezone.now()).exists()
