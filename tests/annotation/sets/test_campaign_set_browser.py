"""The complete set in a real browser: made and started by its owner, rated by keyboard alone."""

import re

import pytest
from django.core.management import call_command

from annotation.models import CampaignSet, Rating, Submission
from corpus.models import Study
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.keyboard import press, tab_to, write
from tests.fixtures.report_pages import DEMO

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEYS = {
    "style_transfer_intensity": ["4", "Enter"],
    "content_preservation": ["5", "Enter"],
    "relative_naturalness": ["a", "Enter"],
    "direct_assessment": ["End", "Tab", "Tab", "Home", "Tab", "Tab", "PageUp", "Enter"],
}
PRACTICE = 3


def answer(page, protocol: str) -> None:
    """Answer a screen by keyboard and wait for what comes next."""
    lead = page.locator("[name=assignment]").get_attribute("value")
    for key in KEYS[protocol]:
        page.keyboard.press(key)
    page.wait_for_function(
        "lead => document.querySelector('[name=assignment]')?.value !== lead", arg=lead
    )


def rate_task(page, protocol: str, screens: int, until: int) -> None:
    """Read the guidelines, practise, and answer some screens of a task by keyboard."""
    page.locator("button.primary:focus").wait_for()
    page.keyboard.press("Enter")
    for _ in range(PRACTICE):
        page.locator("form.screen :focus").wait_for()
        answer(page, protocol)
        page.locator("a[data-focus]:focus").wait_for()
        page.keyboard.press("Enter")
    page.locator("form.screen :focus").wait_for()
    for _ in range(screens):
        answer(page, protocol)
    answered = Submission.objects.filter(item__campaign__origin="live", item__kind="plain")
    assert answered.count() == until


def test_from_the_complete_preset_to_the_last_rating_by_keyboard_alone(open_as):
    call_command("import_study", DEMO, verbosity=0)
    study = Study.objects.get()
    store_lexicon(study, "markers", [LexiconEntry("gonna", "informal", -1.0)])
    page = open_as(signed_in("ada", study), "/studies/formality-demo/campaigns/new/")
    write(page, "#id_title", "Pilot")
    tab_to(page, "#id_follows")
    page.keyboard.type("Style transfer, complete")
    press(page, "main button.primary", "Prepare Pilot")
    # Six systems: two segments, one of each direction, are twelve items in each of four tasks.
    write(page, "#id_segments", "2")
    write(page, "#id_ratings_per_item", "1")
    # No button is pressed here: what follows is worked out while the owner types, also where the
    # answer to an earlier field comes late.
    asked, late, released = re.compile("part=load"), [], []
    page.route(asked, lambda route: route.continue_() if released else late.append(route))
    with page.expect_request(asked):
        write(page, "#id_annotators", "")
        page.keyboard.press("Delete")
        tab_to(page, "#id_items_per_person")
    write(page, "#id_items_per_person", "24")
    released.append(True)
    for route in late:
        route.continue_()
    page.get_by_text("48 items × 1 rating = 48: 2 annotators with 24 items each").wait_for()
    press(page, "main button.primary", "Who rates what")
    tab_to(page, "#confirmed")
    page.keyboard.press("Space")
    press(page, "main button.primary", "Personal links")
    together = CampaignSet.objects.get()
    assert together.participants.count() == 2
    styles = Study.objects.get().segments.filter(pk__in=together.sample)
    assert styles.values("target_style").distinct().count() == 2
    press(page, "main button.primary", "Links")
    link = page.locator("[data-copy]").first.get_attribute("data-copy")

    rating = open_as(None, link)
    # Every task has six screens for each of the two.
    rate_task(rating, "style_transfer_intensity", 6, 6)
    rating.get_by_role("heading", name="Task 1 of 4 is done").wait_for()
    rating.keyboard.press("Enter")
    rate_task(rating, "content_preservation", 2, 8)
    rating.get_by_text("Task 2 of 4: 8 done, 16 left").wait_for()

    # Another day, another device: the same link leads to where it was left.
    again = open_as(None, link, width=390, height=844, dark=True)
    again.get_by_text("Task 2 of 4: 8 done, 16 left").wait_for()
    for _ in range(4):
        answer(again, "content_preservation")
    again.get_by_role("heading", name="Task 2 of 4 is done").wait_for()
    again.keyboard.press("Enter")
    rate_task(again, "relative_naturalness", 6, 18)
    again.get_by_role("heading", name="Task 3 of 4 is done").wait_for()
    again.keyboard.press("Enter")
    rate_task(again, "direct_assessment", 6, 24)
    again.get_by_role("heading", name="Thank you, that was all").wait_for()
    assert together.participants.first().completion_code in again.locator("main").inner_text()
    person = together.participants.first()
    ratings = Rating.objects.counted(study).filter(submission__annotator__participant=person)
    assert ratings.count() == 3 * 6 + 3 * 6
    page.goto(page.url.split("/links")[0])
    assert "24 of 48 ratings of items" in page.locator("main").inner_text()
