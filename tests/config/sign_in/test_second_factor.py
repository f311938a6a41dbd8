"""A code of an authenticator app beside the password: once, in its time, and on every way in."""

import re
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from allauth.core.context import request_context
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth
from allauth.usersessions.models import UserSession
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from config.accounts.adapter import BY_PROVIDER
from config.accounts.signing_in import one_time_path
from config.accounts.tokens import new_token
from corpus.models import AccessEntry
from tests.fixtures.nonempty import at_least_one

PASSWORD = "a cup of cold tea"
STEP = 30
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The time by which codes are made; a test moves it on."""
    at = [1_800_000_000.0]
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: at[0]))
    return at


class App:
    """An authenticator app that has read the key of an account."""

    def __init__(self, key: str, clock: list[float]) -> None:
        self.key = key
        self.clock = clock

    def code(self, steps: int = 0) -> str:
        return auth.format_hotp_value(auth.hotp_value(self.key, int(self.clock[0]) // STEP + steps))

    def next_code(self) -> str:
        """Wait until the app shows another one."""
        self.clock[0] += STEP
        return self.code()

    @property
    def wrong(self) -> str:
        right = {self.code(steps) for steps in (-1, 0, 1)}
        return next(f"{number:06}" for number in range(9) if f"{number:06}" not in right)


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def browser_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def show_again(client: Client, name: str, **values: str):
    """Go to a page that asks again who it is, and answer."""
    asked = client.get(reverse(name))
    answer = client.post(asked.url, values) if asked.status_code == 302 else asked
    return client.get(reverse(name)) if answer.status_code == 302 else answer


def key_on(page: str) -> str:
    return re.search(r"Key: <code[^>]*>([A-Z2-7]+)<", page)[1]


def codes_on(page: str) -> list[str]:
    return re.findall(r"<li><code[^>]*>(\d+)</code>", page)


@pytest.fixture
def set_up(ada, clock) -> tuple[App, list[str]]:
    """The app and the recovery codes that ada has set up, by the page."""
    client = browser_of(ada)
    page = show_again(client, "mfa_activate_totp", password=PASSWORD).text
    app = App(key_on(page), clock)
    answer = client.post(reverse("mfa_activate_totp"), {"code": app.code()}, follow=True)
    return app, codes_on(answer.text)


@pytest.fixture
def app(set_up) -> App:
    return set_up[0]


@pytest.fixture
def recovery(set_up) -> list[str]:
    return set_up[1]


def give_password(client: Client, following: str = "", **extra):
    values = {"login": "ada", "password": PASSWORD, "next": following}
    return client.post(reverse("account_login"), values, **extra)


def give_code(client: Client, code: str, **extra):
    return client.post(reverse("mfa_authenticate"), {"code": code}, **extra)


def in_by(client: Client, code: str) -> bool:
    give_password(client)
    give_code(client, code)
    return get_user(client).is_authenticated


def details() -> list[str]:
    return list(AccessEntry.objects.order_by("pk").values_list("detail", flat=True))


# Signing in


def test_password_then_code_lead_to_where_one_wanted_to_go(app):
    client = Client()
    assert give_password(client, reverse("account")).url == reverse("mfa_authenticate")
    assert not get_user(client).is_authenticated
    assert client.get(reverse("account")).status_code == 302
    assert "Enter a code" in client.get(reverse("mfa_authenticate")).text
    assert give_code(client, f" {app.next_code()[:3]} {app.code()[3:]}").url == reverse("account")
    assert get_user(client).username == "ada"
    assert client.session.get_expire_at_browser_close() is False
    assert client.session.get_expiry_age() == 14 * 24 * 3600
    assert details()[-1] == "password and code"


def test_a_code_counts_once(app):
    code = app.next_code()
    assert in_by(Client(), code)
    assert not in_by(Client(), code)
    assert in_by(Client(), app.next_code())
    assert details().count("password, wrong code") == 1


@pytest.mark.django_db(transaction=True)
def test_of_eight_requests_at_once_one_uses_a_code(ada, app, recovery, rf):
    def use(each: tuple[str, str]) -> bool:
        try:
            with request_context(rf.get("/")):
                found = Authenticator.objects.get(user=ada, type=each[0])
                return bool(found.wrap().validate_code(each[1]))
        finally:
            connection.close()

    for kind, code in (("totp", app.next_code()), ("recovery_codes", recovery[0])):
        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(use, [(kind, code)] * 8)) == [False] * 7 + [True]


def test_codes_of_another_time_are_wrong(app):
    app.clock[0] += 10 * STEP
    for code in (app.code(-2), app.code(2), app.wrong, "", "12345", "1234567", "½½½½½½", "\0" * 6):
        assert not in_by(Client(), code)
        cache.clear()
    assert in_by(Client(), app.code())


def test_each_recovery_code_works_once_and_no_secret_is_stored(recovery, app):
    assert len({*recovery}) == 10
    assert {len(code) for code in recovery} == {16}
    stored = str(list(Authenticator.objects.values()))
    assert not any(secret in stored for secret in (*recovery, app.key))
    client = Client()
    give_password(client)
    give_code(client, f"{recovery[3][:8]}-{recovery[3][8:]}")
    assert get_user(client).is_authenticated
    assert "9 recovery codes are left" in client.get(reverse("mfa_index")).text
    assert not in_by(Client(), recovery[3])
    assert in_by(Client(), recovery[4])
    assert "password and recovery code" in details()


def test_a_one_time_link_takes_a_code_too_and_still_works_once(ada, app):
    link = one_time_path(ada)
    mine, other = Client(), Client()
    for client in (mine, other):
        assert client.post(link).url == reverse("mfa_authenticate")
        assert not get_user(client).is_authenticated
    give_code(mine, app.next_code())
    assert get_user(mine) == ada
    give_code(other, app.next_code())
    assert not get_user(other).is_authenticated
    assert "one-time link and code" in details()


def test_a_new_password_or_a_closed_account_ends_a_sign_in_that_waits(ada, app, monkeypatch):
    def ends(change) -> bool:
        client = Client()
        give_password(client)
        change()
        answer = give_code(client, app.next_code())
        return answer.url == reverse("account_login") and not get_user(client).is_authenticated

    def close():
        User.objects.filter(pk=ada.pk).update(is_active=False)

    def change_password():
        ada.set_password("another cup of tea")
        ada.save()

    assert ends(close)
    User.objects.filter(pk=ada.pk).update(is_active=True)
    with monkeypatch.context() as patch:
        assert ends(lambda: patch.setattr("django.conf.settings.ACCOUNT_LOGIN_TIMEOUT", 0))
    assert ends(change_password)


def test_guesses_at_codes_become_slow_and_the_right_password_ends_no_wait(app):
    client = Client()
    for _ in range(5):
        give_password(client)
        assert "This code is wrong" in give_code(client, app.wrong).text
    assert "Too many attempts" in give_code(client, app.next_code(), REMOTE_ADDR="192.0.2.7").text
    give_password(client)
    assert "Too many attempts" in give_code(client, app.next_code()).text
    assert not get_user(client).is_authenticated


# The account


@pytest.mark.django_db(transaction=True)
def test_setting_up_takes_the_password_and_a_right_code_and_ends_other_sessions(ada, clock):
    elsewhere, client = browser_of(ada), browser_of(ada)
    assert "not your password" in show_again(client, "mfa_activate_totp", password="wrong").text
    page = show_again(client, "mfa_activate_totp", password=PASSWORD).text
    assert "style=" not in re.search(r"<svg.*?</svg>", page, re.S)[0]
    assert "This code is wrong" in client.post(reverse("mfa_activate_totp"), {"code": "1"}).text
    assert not Authenticator.objects.exists()
    code = App(key_on(page), clock).code()
    shown = client.post(reverse("mfa_activate_totp"), {"code": code}, follow=True).text
    assert len(codes_on(shown)) == 10
    assert codes_on(client.get(reverse("mfa_view_recovery_codes")).text) == []
    assert elsewhere.get(reverse("account")).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert "authenticator app added" in details()


@pytest.mark.django_db(transaction=True)
def test_removing_it_and_new_recovery_codes_take_a_code(ada, app, recovery):
    pages = ("mfa_generate_recovery_codes", "mfa_deactivate_totp")
    for name in pages:
        thief = browser_of(ada)
        asked = thief.get(reverse(name))
        assert asked.url.startswith(reverse("mfa_reauthenticate"))
        # The password alone, on the page for it, shows nothing of who has a second factor.
        thief.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        thief.post(asked.url, {"code": app.wrong})
        assert thief.post(reverse(name)).url.startswith(reverse("mfa_reauthenticate"))
    assert Authenticator.objects.count() == 2
    mine = browser_of(ada)
    show_again(mine, pages[0], code=app.next_code())
    new = codes_on(mine.post(reverse(pages[0]), follow=True).text)
    assert len(new) == 10
    assert not set(new) & set(recovery)
    mine.post(reverse(pages[1]))
    assert not Authenticator.objects.exists()
    assert give_password(Client()).url == reverse("home")
    assert {"new recovery codes", "authenticator app removed"} <= set(details())


def test_an_administrator_removes_it_by_a_command_that_is_logged(app, ada):
    call_command("remove_second_factor", "ada")
    assert not Authenticator.objects.exists()
    assert not UserSession.objects.filter(user=ada).exists()
    assert details()[-1] == "second factor removed by command"
    for name in ("ada", "nobody"):
        with pytest.raises(CommandError):
            call_command("remove_second_factor", name)


# Where it is required


def test_whoever_must_have_one_can_do_nothing_before_it_is_set_up(ada, settings, clock):
    settings.REQUIRE_SECOND_FACTOR = "everybody"
    client = Client()
    give_password(client)
    page = reverse("mfa_index")
    for name in at_least_one(("home", "account", "job-list", "search", "admin:index")):
        assert client.get(reverse(name)).url == page
    assert client.get("/api/v1/studies/").status_code == 403
    assert "requires a second factor" in client.get(page).text
    assert client.get(reverse("help")).status_code == 200
    key = key_on(show_again(client, "mfa_activate_totp", password=PASSWORD).text)
    client.post(reverse("mfa_activate_totp"), {"code": App(key, clock).code()})
    assert client.get(reverse("account")).status_code == 200


def test_it_may_be_required_of_administrators_alone_and_not_of_who_comes_from_a_provider(
    ada, settings
):
    settings.REQUIRE_SECOND_FACTOR = "administrators"
    root = User.objects.create_superuser("root")
    backend = BY_PROVIDER
    settings.AUTHENTICATION_BACKENDS = [*settings.AUTHENTICATION_BACKENDS, backend]
    for person, way, status in ((ada, None, 200), (root, None, 302), (root, backend, 200)):
        client = Client()
        client.force_login(person, way or settings.AUTHENTICATION_BACKENDS[0])
        assert client.get(reverse("account")).status_code == status
    token = new_token(root, "cron", "read", 30)
    headers = {"Authorization": f"Token {token}"}
    assert Client().get("/api/v1/studies/", headers=headers).status_code == 200
