"""A code of an authenticator app beside the password: once, in its time, and on every way in."""

import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pyotp
import pytest
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.api_tokens import new_token
from config.models import RecoveryCode, SecondFactor, Session
from config.second_factor import factors
from config.second_factor.codes import address_for_app, key_of, picture, step_of
from config.sign_in import one_time_path
from corpus.models import AccessEntry, RateLimit
from tests.fixtures.nonempty import at_least_one

PASSWORD = "a cup of cold tea"
STEP = 30
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The time by which codes are made; a test moves it on."""
    at = [1_800_000_000.0]
    monkeypatch.setattr(factors, "_now", lambda: at[0])
    return at


class App:
    """An authenticator app that has read the key of an account."""

    def __init__(self, person: User, clock: list[float]) -> None:
        self.key = key_of(person.pk, person.second_factor.seed)
        self.clock = clock

    def code(self, steps: int = 0) -> str:
        return pyotp.TOTP(self.key).at(self.clock[0] + steps * STEP)

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


@pytest.fixture
def recovery(ada, clock) -> list[str]:
    """What ada has set up, by the page."""
    client = Client()
    client.force_login(ada)
    page = client.get(reverse("second-factor")).text
    key = re.search(r"Key: <code[^>]*>([A-Z2-7 ]+)<", page)[1].replace(" ", "")
    values = {"password": PASSWORD, "code": pyotp.TOTP(key).at(clock[0])}
    answer = client.post(reverse("second-factor"), values)
    return re.findall(r"<li><code[^>]*>([\w-]+)</code>", answer.text)


@pytest.fixture
def app(ada, recovery, clock) -> App:
    ada.refresh_from_db()
    return App(ada, clock)


def give_password(client: Client, following: str = "", **extra):
    values = {"username": "ada", "password": PASSWORD, "next": following}
    return client.post(reverse("login"), values, **extra)


def give_code(client: Client, code: str, **extra):
    return client.post(reverse("sign-in-code"), {"code": code}, **extra)


def in_by(client: Client, code: str) -> bool:
    give_password(client)
    give_code(client, code)
    return get_user(client).is_authenticated


def details() -> list[str]:
    return list(AccessEntry.objects.order_by("pk").values_list("detail", flat=True))


@pytest.mark.parametrize(
    ("at", "code"),
    [
        (59, "287082"),
        (1111111109, "081804"),
        (1111111111, "050471"),
        (1234567890, "005924"),
        (2000000000, "279037"),
    ],
)
def test_codes_are_those_of_rfc_6238(at, code):
    """The last six digits of its appendix B, for the key 12345678901234567890."""
    key = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    assert step_of(key, code, at) == at // STEP
    assert step_of(key, code, at + STEP) == at // STEP
    assert step_of(key, code, at + 2 * STEP) is None
    assert step_of(key, code[:5], at) is None


# Signing in


def test_password_then_code_lead_to_where_one_wanted_to_go(app):
    client = Client()
    assert give_password(client, reverse("account")).url == reverse("sign-in-code")
    assert not get_user(client).is_authenticated
    assert client.get(reverse("account")).status_code == 302
    assert give_code(client, f" {app.next_code()[:3]} {app.code()[3:]}").url == reverse("account")
    assert get_user(client).username == "ada"
    assert client.session.get_expire_at_browser_close() is False
    assert client.session.get_expiry_age() == 14 * 24 * 3600
    assert details()[-1] == "password and code"


def test_nobody_asks_for_a_code_without_a_second_factor(ada):
    client = Client()
    assert give_password(client).url == reverse("home")
    assert "within ten minutes" in Client().get(reverse("sign-in-code"), follow=True).text


def test_a_code_counts_once_and_none_before_it(app):
    app.clock[0] += 10 * STEP
    code, before = app.code(), app.code(-1)
    assert in_by(Client(), code)
    assert not in_by(Client(), code)
    assert not in_by(Client(), before)
    assert in_by(Client(), app.next_code())
    assert details().count("password, wrong code") == 2


@pytest.mark.django_db(transaction=True)
def test_of_eight_requests_at_once_one_uses_a_code(ada, app, recovery):
    def use(code: str) -> str:
        try:
            return factors.use(ada, code)
        finally:
            connection.close()

    for code, kind in ((app.next_code(), factors.BY_APP), (recovery[0], factors.BY_RECOVERY)):
        with ThreadPoolExecutor(8) as pool:
            assert sorted(pool.map(use, [code] * 8)) == [""] * 7 + [kind]


def test_codes_of_another_time_or_another_person_are_wrong(app, ada):
    app.clock[0] += 10 * STEP
    for code in (app.code(-2), app.code(2), app.wrong, "", "12345", "1234567", "½½½½½½", "\0" * 6):
        assert not in_by(Client(), code)
        RateLimit.objects.all().delete()
    ada.second_factor.seed = "f" * 32
    assert key_of(ada.pk, ada.second_factor.seed) != key_of(ada.pk + 1, ada.second_factor.seed)


def test_each_recovery_code_works_once_and_is_stored_as_a_hash(recovery, app):
    assert len({*recovery}) == 10
    stored = "".join(RecoveryCode.objects.values_list("code_sha256", flat=True))
    assert not any(part in stored for code in recovery for part in code.split("-"))
    client = Client()
    give_password(client)
    page = give_code(client, recovery[3].upper().replace("-", " "), follow=True).text
    assert get_user(client).is_authenticated
    assert "9 are left" in page
    assert not in_by(Client(), recovery[3])
    assert in_by(Client(), recovery[4])
    assert "password and recovery code" in details()


def test_a_one_time_link_takes_a_code_too_and_still_works_once(ada, app):
    link = one_time_path(ada)
    mine, other = Client(), Client()
    for client in (mine, other):
        assert client.post(link).url == reverse("sign-in-code")
        assert not get_user(client).is_authenticated
    give_code(mine, app.next_code())
    assert get_user(mine) == ada
    give_code(other, app.next_code())
    assert not get_user(other).is_authenticated
    assert "one-time link and code" in details()


def test_the_support_pages_take_a_code_too(ada, app):
    ada.is_superuser = ada.is_staff = True
    ada.save()
    client = Client()
    values = {"username": "ada", "password": PASSWORD, "next": "/admin/"}
    assert client.post("/admin/login/?next=/admin/", values).url == reverse("sign-in-code")
    assert client.get("/admin/").status_code == 302
    assert give_code(client, app.next_code()).url == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_api_tokens_take_no_code(ada, app):
    token = new_token(ada, "cron", "read", 30)
    headers = {"Authorization": f"Token {token}"}
    assert Client().get("/api/v1/studies/", headers=headers).status_code == 200


def test_a_new_password_or_a_closed_account_ends_a_sign_in_that_waits(ada, app, monkeypatch):
    def ends(change) -> bool:
        client = Client()
        give_password(client)
        change()
        answer = give_code(client, app.next_code())
        return answer.url == reverse("login") and not get_user(client).is_authenticated

    def close():
        User.objects.filter(pk=ada.pk).update(is_active=False)

    def change_password():
        ada.set_password("another cup of tea")
        ada.save()

    assert ends(close)
    User.objects.filter(pk=ada.pk).update(is_active=True)
    later = timezone.now() + timedelta(minutes=11)
    assert ends(lambda: monkeypatch.setattr("time.time", later.timestamp))
    monkeypatch.undo()
    monkeypatch.setattr(factors, "_now", lambda: app.clock[0])
    assert ends(change_password)


# Guessing


def test_guesses_at_codes_become_slow_and_the_right_password_ends_no_wait(app):
    client = Client()
    codes = []
    for _ in range(8):
        give_password(client)
        codes.append(give_code(client, app.wrong).status_code)
    assert codes == [200] * 5 + [429] * 3
    refused = give_code(client, app.next_code(), REMOTE_ADDR="192.0.2.7")
    assert refused.status_code == 429
    assert 0 < int(refused["Retry-After"]) <= 5
    assert "Too many codes were wrong" in refused.text


def test_a_browser_that_signed_in_before_does_not_wait_for_the_guesses_of_others(app):
    mine = Client()
    assert in_by(mine, app.next_code())
    mine.post(reverse("logout"))
    stranger = Client()
    give_password(stranger)
    for _ in range(6):
        answer = give_code(stranger, app.wrong)
    assert answer.status_code == 429
    assert not in_by(stranger, app.next_code())
    assert in_by(mine, app.next_code())


# The account


def test_setting_up_takes_the_password_and_a_right_code_and_ends_other_sessions(ada, clock):
    elsewhere, client = Client(), Client()
    elsewhere.force_login(ada)
    client.force_login(ada)
    address = reverse("second-factor")
    page = client.get(address).text
    key = re.search(r"Key: <code[^>]*>([A-Z2-7 ]+)<", page)[1].replace(" ", "")
    assert picture(address_for_app(key, "ada", "Touchstone testserver")) in page
    assert "style=" not in re.search(r"<svg.*?</svg>", page, re.S)[0]
    right = pyotp.TOTP(key).at(clock[0])
    for values in ({"password": "wrong", "code": right}, {"password": PASSWORD, "code": "1"}):
        assert client.post(address, values).status_code == 400
    assert not SecondFactor.objects.exists()
    client.post(address, {"password": PASSWORD, "code": right})
    assert SecondFactor.objects.get().user == ada
    assert key not in str(SecondFactor.objects.values())
    assert elsewhere.get(reverse("account")).status_code == 302
    assert client.get(reverse("account")).status_code == 200
    assert details()[-1] == "second factor set up"


@pytest.fixture
def client_of_ada(ada, app) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def test_removing_it_and_new_recovery_codes_take_password_and_code(client_of_ada, app, recovery):
    address = reverse("second-factor-change")
    for act in ("codes", "remove"):
        for password, code in ((PASSWORD, app.wrong), ("wrong", app.next_code())):
            values = {"password": password, "code": code, act: "on"}
            assert client_of_ada.post(address, values).status_code == 400
    assert RecoveryCode.objects.count() == 10
    values = {"password": PASSWORD, "code": app.next_code()}
    page = client_of_ada.post(address, values | {"codes": "on"}).text
    assert not any(code in page for code in recovery)
    new = re.findall(r"<li><code[^>]*>([\w-]+)</code>", page)
    values = {"password": PASSWORD, "code": new[0]}
    assert client_of_ada.post(address, values | {"remove": "on"}).url == reverse("account")
    assert not SecondFactor.objects.exists()
    assert give_password(Client()).url == reverse("home")
    assert details()[-3:-1] == ["new recovery codes", "second factor removed"]


def test_an_administrator_removes_it_by_a_command_that_is_logged(client_of_ada, ada):
    call_command("remove_second_factor", "ada")
    assert not SecondFactor.objects.exists()
    assert not Session.objects.filter(user=ada).exists()
    assert details()[-1] == "second factor removed by command"
    for name in ("ada", "nobody"):
        with pytest.raises(CommandError):
            call_command("remove_second_factor", name)


# Where it is required


def test_whoever_must_have_one_can_do_nothing_before_it_is_set_up(ada, settings, clock):
    settings.REQUIRE_SECOND_FACTOR = "everybody"
    client = Client()
    give_password(client)
    page = reverse("second-factor")
    for name in at_least_one(("home", "account", "job-list", "search", "admin:index")):
        assert client.get(reverse(name)).url == page
    assert client.get("/api/v1/studies/").status_code == 403
    shown = client.get(page)
    assert "requires a second factor" in shown.text
    assert client.get(reverse("help")).status_code == 200
    key = re.search(r"Key: <code[^>]*>([A-Z2-7 ]+)<", shown.text)[1].replace(" ", "")
    client.post(page, {"password": PASSWORD, "code": pyotp.TOTP(key).at(clock[0])})
    assert client.get(reverse("account")).status_code == 200


def test_it_may_be_required_of_administrators_alone_and_not_of_who_comes_from_a_provider(
    ada, settings
):
    settings.REQUIRE_SECOND_FACTOR = "administrators"
    root = User.objects.create_superuser("root")
    backend = "config.open_id.backend.ProviderBackend"
    settings.AUTHENTICATION_BACKENDS = [*settings.AUTHENTICATION_BACKENDS, backend]
    for person, way, status in (
        (ada, None, 200),
        (root, None, 302),
        (root, backend, 200),
    ):
        client = Client()
        client.force_login(person, way or settings.AUTHENTICATION_BACKENDS[0])
        assert client.get(reverse("account")).status_code == status
    token = new_token(root, "cron", "read", 30)
    headers = {"Authorization": f"Token {token}"}
    assert Client().get("/api/v1/studies/", headers=headers).status_code == 200
