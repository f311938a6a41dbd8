"""States of the rating pages that people seldom see: usable too, and readable when enlarged."""

import pytest

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
@pytest.mark.parametrize("protocol", by_night(["direct_assessment", "likert"], "likert"))
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


@pytest.mark.parametrize("protocol", by_night(sorted(LIVE), "best_worst"))
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
