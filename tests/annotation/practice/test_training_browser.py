"""Review of masks and practice items in a real browser: keyboard, phone, accessibility."""

import pytest
from django.conf import settings
from django.utils import timezone

from annotation.models import Annotator, Campaign
from annotation.people.invitations import new_links
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
LEXICON = [LexiconEntry("some words", "informal", -2.0), LexiconEntry("about", "formal", 0.5)]
MASK = {"mask": {"lexicon": "words"}}


@pytest.fixture
def study():
    study = make_study(segments=12, systems=2)
    store_lexicon(study, "words", LEXICON)
    return study


@pytest.fixture
def opened(chromium_page):
    """Open pages; what the browser complains of fails the test."""
    complaints = []

    def open_page(**options):
        page = chromium_page(**options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield open_page
    assert complaints == []


def sign_in(page, client, server):
    cookie = client.cookies[settings.SESSION_COOKIE_NAME].value
    page.context.add_cookies(
        [{"name": settings.SESSION_COOKIE_NAME, "value": cookie, "url": server.url}]
    )


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_an_owner_reviews_and_corrects_masks(opened, live_server, study, width, dark):
    owner = signed_in("owner", study)
    campaign = Campaign.objects.create(
        study=study, slug="masked", protocol="content_preservation", origin="live", state="draft",
        design="balanced_overlap", seed=7, selection=MASK,
    )  # fmt: skip
    page = opened(width=width, dark=dark)
    sign_in(page, owner, live_server)
    page.goto(f"{live_server.url}/studies/small/campaigns/masked/masks/")
    assert_usable(page, whatever_impact=True)
    page.get_by_label("Shown: system-0, segment s1", exact=True).fill("by hand")
    page.get_by_role("button", name="Save this page").click()
    page.get_by_text("1 text changed.").wait_for()
    assert_usable(page, whatever_impact=True)
    campaign.refresh_from_db()
    assert list(campaign.selection["corrections"].values()) == ["by hand"]


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_practice_is_done_by_keyboard_with_feedback_in_between(
    opened, live_server, study, width, dark
):
    practice = [
        {"output": ["s0", "system-0"], "expected": {"content": [4, 5]},
         "feedback": "Nothing is lost."},
        {"output": ["s1", "system-1"], "expected": {"content": [1, 2]}},
    ]  # fmt: skip
    _, [annotator] = make_campaign(
        study,
        "content_preservation",
        annotators=1,
        selection=MASK | {"practice": practice, "qualification": {"pass": 1.0}},
    )
    Annotator.objects.update(guidelines_read_at=timezone.now())
    page = opened(width=width, dark=dark)
    page.goto(f"{live_server.url}/join/{new_links([annotator])[annotator.pk]}/")
    page.get_by_text("Practice: after your answer").wait_for()
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="As expected").wait_for()
    assert_usable(page, whatever_impact=True)
    page.keyboard.press("Enter")
    page.get_by_text("Practice: after your answer").wait_for()
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Something else was expected").wait_for()
    assert_usable(page, whatever_impact=True)
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Thank you for practising").wait_for()
    assert_usable(page, whatever_impact=True)
    assert Annotator.objects.get().qualified is False
