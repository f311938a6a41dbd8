"""Passkeys in a browser: added, used to sign in, asked for again, and removed."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from corpus.models import AccessEntry
from tests.fixtures.accessibility import assert_usable

PASSWORD = "a cup of cold tea"
pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def page(open_as, live_server):
    """A browser that holds passkeys, at the name for which browsers allow them without HTTPS."""
    page = open_as(None, f"http://localhost:{live_server.thread.port}{reverse('account_login')}")
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2",
                "transport": "internal",
                "hasResidentKey": True,
                "hasUserVerification": True,
                "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )
    return page


def sign_in_with_password(page) -> None:
    page.get_by_label("Username").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()


def assert_opens(page, heading: str) -> None:
    """Wait for a page, which a script may open some time after a click, and look at it with axe."""
    expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    page.wait_for_load_state()
    assert_usable(page, whatever_impact=True)


def test_a_passkey_is_added_signs_in_alone_and_is_removed(page, ada):
    elsewhere = Client()
    elsewhere.force_login(ada)
    sign_in_with_password(page)
    page.get_by_text("ada", exact=True).click()
    page.get_by_role("link", name="Account").click()
    assert_opens(page, "Account of ada")
    page.get_by_role("link", name="Second factor and passkeys").click()
    page.get_by_role("link", name="Add a passkey").click()
    assert_opens(page, "Enter your password")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    assert_opens(page, "Add a passkey")
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Add a passkey").click()
    assert_opens(page, "Recovery codes")
    assert elsewhere.get(reverse("account")).status_code == 302

    # It takes the place of name, password and code.
    page.context.clear_cookies()
    page.goto(page.url.partition("/account")[0] + reverse("account_login"))
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("ada", exact=True)).to_be_visible()
    assert AccessEntry.objects.filter(action="signed-in").latest("pk").detail == "passkey"
    assert UserSession.objects.filter(user=ada).exists()

    # Whoever is at the browser shows again who it is before it goes.
    page.goto(page.url.partition("/studies")[0].rstrip("/") + reverse("mfa_index"))
    assert_opens(page, "Second factor and passkeys")
    page.get_by_role("link", name="Remove laptop").click()
    assert_opens(page, "Use your passkey")
    page.get_by_role("button", name="Use a passkey").click()
    assert_opens(page, "Remove the passkey")
    page.get_by_role("button", name="Remove the passkey").click()
    expect(page.get_by_text("The passkey was removed.")).to_be_visible()
    assert not Authenticator.objects.filter(type="webauthn").exists()


def test_a_passkey_is_the_second_factor_of_a_password_and_of_nobody_else(page, ada):
    sign_in_with_password(page)
    site = page.url.rstrip("/")
    page.goto(site + reverse("mfa_add_webauthn"))
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Go on").click()
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.context.clear_cookies()
    page.goto(site + reverse("account_login"))
    sign_in_with_password(page)
    assert_opens(page, "Enter a code")
    page.get_by_role("button", name="Use a passkey").click()
    expect(page.get_by_text("ada", exact=True)).to_be_visible()
    page.goto(site + reverse("mfa_activate_totp"))
    page.get_by_role("button", name="Use a passkey").click()
    assert_opens(page, "Set up an authenticator app")
    [passkey] = Authenticator.objects.filter(type="webauthn")
    eve = Client()
    eve.force_login(User.objects.create_user("eve"))
    assert eve.post(reverse("mfa_remove_webauthn", args=[passkey.pk])).status_code == 404
    # A credential that nobody asked for, or of another sign-in, signs nobody in.
    stranger = Client()
    for made_up in ("{}", "[]", '"x"', '{"id": "x", "response": {"userHandle": "MQ"}}'):
        stranger.post(reverse("mfa_login_webauthn"), {"credential": made_up})
        assert "_auth_user_id" not in stranger.session
