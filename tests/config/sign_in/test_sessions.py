"""Sessions of people who sign in: kept on the server, listed, ended one by one and all at once."""

import datetime as dt
from html import unescape

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

PASSWORD, NEW = "a cup of cold tea", "a pot of green tea"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def signed_in(device: str = FIREFOX, name: str = "ada") -> Client:
    client = Client(headers={"User-Agent": device})
    client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert is_in(client)
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def copied(client: Client) -> Client:
    """A browser with a cookie taken from another one."""
    thief = Client()
    thief.cookies["sessionid"] = client.cookies["sessionid"].value
    return thief


def test_a_copied_cookie_does_not_survive_signing_out(ada):
    client = signed_in()
    thief = copied(client)
    assert is_in(thief)
    client.post(reverse("account_logout"))
    assert not is_in(thief)


def test_what_is_stored_opens_no_session(ada):
    client = signed_in()
    cookie = client.cookies["sessionid"].value
    [row], [listed] = Session.objects.values(), UserSession.objects.values()
    assert row["session_key"] == listed["session_key"]
    assert cookie not in str(row) + str(listed)
    for made_up in (row["session_key"], f"{row['session_key']}:x", "x" * 5000, "\0"):
        client.cookies["sessionid"] = made_up
        assert not is_in(client)
    client.cookies["sessionid"] = cookie
    assert is_in(client)


def test_the_account_page_lists_devices_with_since_and_last_seen(ada):
    client = signed_in()
    signed_in(PHONE)
    signed_in("x" * 5000)
    User.objects.create_user("eve", password=PASSWORD)
    signed_in("Secret/1.0", "eve")
    UserSession.objects.update(
        created_at=dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC), last_seen_at=timezone.now()
    )
    page = unescape(client.get(reverse("account")).text)
    assert "Firefox on Linux" in page
    assert "Safari on iPhone" in page
    assert "2026-01-02 03:04" in page
    assert page.count("this browser") == 1
    assert "Secret" not in page


def test_a_session_can_be_ended_from_another_browser(ada):
    desk, phone = signed_in(), signed_in(PHONE)
    [row] = UserSession.objects.filter(user_agent__contains="iPhone")
    desk.post(reverse("account-session-end"), {"session": row.pk})
    assert not is_in(phone)
    assert is_in(desk)


def test_nobody_ends_the_session_of_somebody_else(ada):
    User.objects.create_user("eve", password=PASSWORD)
    client, eve = signed_in(), signed_in(name="eve")
    numbers = UserSession.objects.filter(user=ada).values_list("pk", flat=True)
    for key in [*numbers, client.cookies["sessionid"].value, "", "x" * 5000]:
        assert eve.post(reverse("account-session-end"), {"session": key}).status_code == 302
    assert is_in(client)
    assert is_in(eve)


def test_a_new_password_ends_all_other_sessions(ada):
    desk, phone = signed_in(), signed_in(PHONE)
    values = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert desk.post(reverse("account_change_password"), values).url == reverse("account")
    assert is_in(desk)
    assert not is_in(phone)
    assert desk.get(reverse("account")).text.count('name="session"') == 1


def test_visitors_get_no_session_and_expired_ones_are_removed(ada):
    Client().get(reverse("account_login"))
    assert not Session.objects.exists()
    old = signed_in()
    Session.objects.update(expire_date=timezone.now() - dt.timedelta(seconds=1))
    assert not is_in(old)
    signed_in()
    assert (Session.objects.count(), UserSession.objects.count()) == (1, 1)
