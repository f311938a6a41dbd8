"""States of the rating pages that people seldom see: usable too, and readable when enlarged."""

import pytest

from annotation.models import Annotator, Campaign
from annotation.protocols.catalogue import LIVE
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.by_night import by_night

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def send(page, change=""):
    """Send the form as a browser without scripts does; the reply is a whole page."""
    with page.expect_navigation():
        page.evaluate(
            f"() => {{ const f = document.querySelector('main form'); {change}; f.submit(); }}"
        )


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
@pytest.mark.parametrize("protocol", ["direct_assessment", "likert"])
def test_pages_of_errors_are_usable_and_tie_each_error_to_its_question(
    open_campaign, protocol, width, dark
):
    page, _ = open_campaign(protocol, width=width, dark=dark)
    send(page)
    assert page.locator("[role=alert]").is_visible()
    wrong = page.locator(".wrong")
    assert wrong.count() == (3 if protocol == "direct_assessment" else 4)
    for each in wrong.all():
        described = each.locator("input[type=number]") if protocol != "likert" else each
        names = described.get_attribute("aria-describedby").split()
        assert any(
            "not answered yet" in page.locator(f"[id='{name}']").inner_text() for name in names
        )
    assert page.evaluate("document.activeElement.closest('.wrong') !== null")
    assert_usable(page, whatever_impact=True)
    send(page, "f.elements.revision.value = 7")
    assert page.locator("[data-focus]").is_visible()
    assert_usable(page, whatever_impact=True)


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_consent_that_was_not_given_is_asked_for_again(open_campaign, width, dark):
    page, annotator = open_campaign("likert", width=width, dark=dark)
    Campaign.objects.update(consent="We keep your answers.", questions=["First language"])
    page.goto(page.url)
    assert page.url.endswith("/consent/")
    assert_usable(page, whatever_impact=True)
    page.evaluate("document.querySelector('#consent').required = false")
    page.get_by_role("button", name="Go on").click()
    page.locator("[role=alert]").wait_for()
    assert_usable(page, whatever_impact=True)
    page.get_by_label("I agree").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("form.screen").wait_for()
    assert Annotator.objects.get(pk=annotator.pk).consented_at is not None


@pytest.mark.parametrize("protocol", by_night(sorted(LIVE), "best_worst", "direct_assessment"))
def test_a_screen_fits_320_pixels_and_text_of_twice_its_size(open_campaign, protocol):
    config = {"masked": False} if protocol == "content_preservation" else {}
    page, _ = open_campaign(protocol, config, systems=4, width=320, height=640)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= 320
    page.set_viewport_size({"width": 1280, "height": 800})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate(wide) <= 1280
    save = page.get_by_role("button", name="Save and go on").bounding_box()
    assert 0 <= save["x"] < save["x"] + save["width"] <= 1280
