"""How the rating page is laid out: texts beside questions, the words and the value of a slider."""

import pytest

from tests.fixtures.accessibility import PHONE
from tests.fixtures.by_night import by_night

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
BESIDE = ["absolute_naturalness", "best_worst", "direct_assessment", "likert"]


def place(page, selector: str) -> dict[str, float]:
    return page.locator(selector).first.bounding_box()


@pytest.mark.parametrize("protocol", by_night(BESIDE, "likert"))
def test_on_a_wide_screen_texts_stand_beside_the_questions(open_campaign, protocol):
    page, _ = open_campaign(protocol, systems=3)
    texts, asked = place(page, ".texts"), place(page, ".asked")
    assert texts["x"] + texts["width"] < asked["x"]
    assert abs(texts["y"] - asked["y"]) < 2


def test_direct_assessment_needs_no_scrolling_on_a_wide_screen(open_campaign):
    page, _ = open_campaign("direct_assessment")
    fields = page.locator(".slider").all()
    bar = place(page, ".actions")
    assert len(fields) == 3
    assert all(
        box["y"] + box["height"] <= bar["y"] for box in (each.bounding_box() for each in fields)
    )
    assert bar["y"] + bar["height"] <= page.viewport_size["height"]


def test_the_source_stays_in_sight_while_several_outputs_scroll_by(open_campaign):
    page, _ = open_campaign("likert", {"table": True}, systems=4)
    page.locator(".judged").last.scroll_into_view_if_needed()
    assert page.evaluate("scrollY") > 500
    source = place(page, ".texts .text")
    assert 0 <= source["y"] < page.viewport_size["height"] / 2


@pytest.mark.parametrize("protocol", by_night(BESIDE, "best_worst"))
def test_on_a_phone_texts_stand_above_the_questions(open_campaign, protocol):
    page, _ = open_campaign(protocol, systems=3, **PHONE)
    texts, asked = place(page, ".texts"), place(page, ".asked")
    assert texts["y"] + texts["height"] <= asked["y"]


WORDS = {"0": "nothing at all of it", "10": "hardly anything", "50": "half", "100": "everything"}


@pytest.mark.parametrize("width", by_night([390, 768, 1280], 390))
def test_the_words_of_a_slider_stand_at_their_places_and_do_not_overlap(open_campaign, width):
    config = {"labels": {"content": WORDS}}
    page, _ = open_campaign("direct_assessment", config, width=width)
    ticks = page.locator(".slider").nth(1).locator(".ticks li")
    boxes = [each.bounding_box() for each in ticks.all()]
    assert ticks.all_inner_texts() == list(WORDS.values())
    for number, one in enumerate(boxes):
        assert one["height"] >= 16
        for other in boxes[number + 1 :]:
            assert (
                one["x"] + one["width"] <= other["x"]
                or other["x"] + other["width"] <= one["x"]
                or abs(one["y"] - other["y"]) >= one["height"] - 1
            )
    track = page.locator(".track").nth(1).bounding_box()
    half = boxes[2]["x"] + boxes[2]["width"] / 2
    assert abs(half - (track["x"] + track["width"] / 2)) < 2


@pytest.mark.parametrize("protocol", by_night(["direct_assessment", "likert"], "likert"))
def test_the_bar_of_buttons_never_hides_what_has_the_focus(open_campaign, protocol):
    page, _ = open_campaign(protocol, width=390, height=600)
    for _ in range(20):
        page.keyboard.press("Tab")
        hidden = page.evaluate(
            """() => {
              const at = document.activeElement, bar = document.querySelector(".actions");
              if (bar.contains(at) || !at.closest("form.screen")) return false;
              return at.getBoundingClientRect().bottom > bar.getBoundingClientRect().top + 1
                && at.getBoundingClientRect().top < bar.getBoundingClientRect().bottom;
            }"""
        )
        assert not hidden, page.evaluate("document.activeElement.outerHTML")


def test_sliders_of_one_source_are_coloured_relative_to_each_other_if_a_campaign_wants_it(
    open_campaign,
):
    page, _ = open_campaign("direct_assessment", {"table": True, "siblings": True}, systems=3)
    sliders = page.locator("[data-slider]:has([name$=-style])")
    assert sliders.count() == 3

    def colours() -> list[str]:
        script = "each => getComputedStyle(each.querySelector('.track'), '::after').backgroundColor"
        return [each.evaluate(script) for each in sliders.all()]

    def stands() -> list[str | None]:
        return [each.get_attribute("data-stands") for each in sliders.all()]

    for number, value in enumerate(("20", "80")):
        page.fill(f"[name=answer-{number}-style]", value)
    assert stands() == ["below 3", "above 3", None]
    below, above, neither = colours()
    assert len({below, above, neither}) == 3
    assert sliders.nth(1).locator(".bubble").inner_text() == "80 +60"
    # The mean of the others counts: a third answer moves both.
    page.fill("[name=answer-2-style]", "60")
    assert stands() == ["below 3", "above 3", "above 1"]
    assert sliders.nth(0).locator(".bubble").inner_text() == "20 \u221250"
    page.fill("[name=answer-2-style]", "50")
    assert stands()[2] is None
    # Another question is compared with itself alone.
    assert (
        page.locator("[data-slider]:has([name=answer-0-content])").get_attribute("data-stands")
        is None
    )
