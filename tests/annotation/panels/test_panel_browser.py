"""Panels in a real browser: the last answer leads back by itself; pages on phones and screens."""

import pytest
from django.conf import settings
from django.test import Client

from annotation.panels.outcomes import Outcome
from annotation.views.guard import COOKIE
from tests.fixtures.accessibility import WIDTHS, assert_usable
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.panels import (
    CODES,
    answer,
    answer_all,
    read_guidelines,
    sent_by_prolific,
    with_panel,
)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def campaign():
    return make_campaign(make_study(2, 1), annotators=2, slug="pilot", consent="We keep it.")[0]


def begun(campaign, number: int) -> Client:
    client = sent_by_prolific(campaign, number)
    client.post(f"{client.at}consent/", {"consent": "yes"})
    read_guidelines(client)
    return client


def carry(page, client: Client, name: str, server) -> None:
    """Let a browser go on where the test's client is."""
    cookie = {"name": name, "value": client.cookies[name].value, "url": server.url}
    page.context.add_cookies([cookie])


def test_after_the_last_answer_the_browser_goes_back_to_prolific_with_the_code(
    chromium_page, live_server, campaign
):
    with_panel(campaign, at_once=True)
    client = begun(campaign, 1)
    answer(client, "50")
    page = chromium_page()
    carry(page, client, COOKIE, live_server)
    page.context.route(
        "https://app.prolific.com/**",
        lambda route: route.fulfill(body=f"referer: {route.request.headers.get('referer')}"),
    )
    page.goto(f"{live_server.url}{client.at}")
    for field in page.locator("input[type=number]").all():
        field.fill("50")
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(f"https://app.prolific.com/submissions/complete?cc={CODES[Outcome.FINISHED]}")
    assert page.inner_text("body") == "referer: None"


@pytest.mark.parametrize(("width", "dark"), WIDTHS)
def test_pages_of_leaving_and_of_the_panel_are_usable(
    chromium_page, live_server, campaign, width, dark
):
    with_panel(campaign, reward=3, currency="GBP")
    done = begun(campaign, 1)
    answer_all(done)
    page = chromium_page(width=width, dark=dark)
    carry(page, done, COOKIE, live_server)
    page.goto(f"{live_server.url}{done.at}")
    assert_usable(page, whatever_impact=True)
    refusing = sent_by_prolific(campaign, 2)
    carry(page, refusing, COOKIE, live_server)
    page.goto(f"{live_server.url}{refusing.at}consent/")
    page.get_by_role("button", name="I do not agree and leave").click()
    page.get_by_text(CODES[Outcome.NO_CONSENT]).wait_for()
    assert_usable(page, whatever_impact=True)
    page.goto(f"{live_server.url}/join-by-code/{campaign.invite_code}/?PROLIFIC_PID=late")
    assert_usable(page, whatever_impact=True)
    carry(page, signed_in("ada", campaign.study), settings.SESSION_COOKIE_NAME, live_server)
    for part in ("", "text/", "people/", "statuses/"):
        page.goto(f"{live_server.url}/studies/small/campaigns/pilot/panel/{part}")
        assert_usable(page, whatever_impact=True)
