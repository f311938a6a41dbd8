"""An owner's way from a preset to the first rating, in a real browser and by keyboard alone."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from annotation.models import Campaign
from corpus.models import Study
from tests.fixtures.campaign_pages import prepared, signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.keyboard import press, tab_to, write
from tests.fixtures.report_pages import DEMO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def rate_by_keyboard(page) -> None:
    """Answer the three sliders of a screen and save."""
    page.locator("[data-slider] input[type=range]:focus").wait_for()
    for key in ("End", "Tab", "Tab", "Home", "Tab", "Tab", "PageUp", "Enter"):
        page.keyboard.press(key)


def test_from_a_preset_to_the_first_rating_by_keyboard_alone(open_as):
    call_command("import_study", DEMO, verbosity=0)
    owner = signed_in("ada", Study.objects.get())
    page = open_as(owner, "/studies/formality-demo/campaigns/")
    press(page, "main a.button.primary", "New campaign")
    write(page, "#id_title", "Pilot")
    tab_to(page, "#id_follows")
    page.keyboard.type("Direct assessment 0")
    press(page, "main button.primary", "Prepare Pilot")
    write(page, "#id_segments", "4")
    press(page, "main button.primary", "What the design gives")
    assert "24, rated 72 times in all" in page.locator("main").inner_text()
    tab_to(page, "#confirmed")
    page.keyboard.press("Space")
    press(page, "main button.primary", "Personal links")
    press(page, "main button.primary")
    page.locator("[data-copy]").first.wait_for()
    press(page, "[data-copy]")
    page.locator("#copied:not(:empty)").wait_for()
    link = page.locator("[data-copy]").first.get_attribute("data-copy")

    monitor = open_as(owner, "/studies/formality-demo/campaigns/pilot/")
    assert "0 of 72" in monitor.locator("main").inner_text()

    rating = open_as(None, link)
    rating.locator("button.primary:focus").wait_for()
    rating.keyboard.press("Enter")
    for left in (2, 1, 0):
        rate_by_keyboard(rating)
        words = f"{left} more to practise." if left else "That was the practice."
        rating.get_by_text(words).wait_for()
        rating.locator("a.button:focus").wait_for()
        rating.keyboard.press("Enter")
    rating.get_by_text("0 done, 24 left").wait_for()
    rate_by_keyboard(rating)
    rating.get_by_text("1 done, 23 left").wait_for()

    # No key is pressed here: the page looks again by itself.
    monitor.get_by_text("1 of 72").wait_for(timeout=25_000)
    # Practice is no part of anybody's work.
    monitor.get_by_text("1 of 24").wait_for()


def test_the_support_tool_keeps_to_the_policy_in_a_browser(open_as):
    _, [annotator, _] = make_campaign(make_study())
    client = signed_in("root")
    annotator_page = f"/admin/annotation/annotator/{annotator.pk}/change/"
    User.objects.filter(username="root").update(is_superuser=True, is_staff=True)
    for address in ("/admin/", "/admin/annotation/item/", annotator_page):
        page = open_as(client, address)
        page.locator("#site-name").wait_for()
        assert page.locator("h1").first.is_visible()


def test_practice_is_written_by_keyboard_alone(open_as):
    study = make_study()
    owner = signed_in("ada", study)
    prepared(owner, study)
    page = open_as(owner, f"/studies/{study.slug}/campaigns/pilot/practice/")
    page.get_by_label("Segment").focus()
    to_answer = ["Tab"] * 4  # past the texts that one may write instead
    for keys in ("s0", "Tab", "system-1", *to_answer, "70", "Tab", "10"):
        page.keyboard.press(keys) if keys == "Tab" else page.keyboard.type(keys)
    page.keyboard.press("Enter")
    page.get_by_text("Saved: 1 practice item.").wait_for()
    [kept] = Campaign.objects.get().selection["practice"]
    assert kept["output"] == ["s0", "system-1"]
    assert kept["expected"] == {"style": {"answer": 70, "tolerance": 10}}
    page.get_by_role("heading", name="One more practice item").wait_for()
    assert page.get_by_text("text 3 about matter 0").is_visible()
