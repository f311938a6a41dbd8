"""The rating page in Arabic: mirrored, no wider than the screen, sliders from right to left."""

import pytest

from tests.fixtures.by_night import by_night

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


@pytest.mark.parametrize("width", by_night([390, 1280], 390))
def test_a_page_in_arabic_is_mirrored_and_fits(open_campaign, width):
    page, _ = open_campaign("direct_assessment", {"language": "ar"})
    page.set_viewport_size({"width": width, "height": 900})
    assert page.locator("html").get_attribute("dir") == "rtl"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    number = page.locator("input[type=number]").first
    number.fill("10")
    track = page.locator(".track").first.bounding_box()
    bubble = page.locator(".bubble").first.bounding_box()
    middle = (bubble["x"] + bubble["width"] / 2 - track["x"]) / track["width"]
    assert 0.85 < middle < 0.95
