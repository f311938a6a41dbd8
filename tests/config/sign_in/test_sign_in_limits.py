"""Guessing passwords becomes slow, per name and network; who is right is not locked out."""

import datetime as dt
import logging
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.checks import run_checks
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpus.access import log

PASSWORD = "a cup of cold tea"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def attempt(client: Client, name: str = "ada", password: str = "wrong", **extra):
    return client.post(reverse("account_login"), {"login": name, "password": password}, **extra)


def may_sign_in(client: Client | None = None, **extra) -> bool:
    """Whether the right password works now."""
    client = client or Client()
    attempt(client, password=PASSWORD, **extra)
    return get_user(client).is_authenticated


def guess(times: int, **extra) -> list[int]:
    return [attempt(Client(), **extra).status_code for _ in range(times)]


@pytest.fixture(autouse=True)
def later(monkeypatch):
    """Let time pass for the limits, and only then."""
    now = [timezone.now()]
    clock = SimpleNamespace(now=lambda: now[0])
    monkeypatch.setattr("corpus.access.rate_limits.timezone", clock)

    def wait(seconds: float) -> None:
        now[0] += dt.timedelta(seconds=seconds)

    return wait


def test_five_mistakes_cost_nothing_and_then_each_takes_its_turn(later):
    assert guess(6) == [200] * 5 + [429]
    later(59)
    assert guess(1) == [429]
    later(2)
    assert guess(2) == [200, 429]
    later(301)
    assert guess(6) == [200] * 5 + [429]


def test_the_right_password_works_after_the_wait_and_is_no_mistake(later):
    guess(5)
    assert not may_sign_in()
    later(301)
    assert all(may_sign_in() for _ in range(6))
    assert guess(5) == [200] * 5


def test_a_browser_that_has_signed_in_before_need_not_wait_for_the_mistakes_of_others():
    mine = Client()
    assert may_sign_in(mine)
    mine.post(reverse("account_logout"))
    assert guess(30)[-1] == 429
    assert not may_sign_in()
    assert may_sign_in(mine)


def test_a_known_browser_slows_down_too_and_is_known_for_one_name_only():
    mine = Client()
    assert may_sign_in(mine)
    mine.post(reverse("account_logout"))
    assert [attempt(mine).status_code for _ in range(7)] == [200] * 5 + [429] * 2
    User.objects.create_user("eve", password=PASSWORD)
    guess(5, name="eve")
    assert attempt(mine, "eve").status_code == 429
    mine.cookies["known"] = mine.cookies["known"].value.replace(":", "x:", 1)
    guess(5)
    assert attempt(mine).status_code == 429


def test_other_networks_are_not_held_up_by_guesses_at_a_name_from_one():
    guess(40)
    assert may_sign_in(REMOTE_ADDR="192.0.2.7")


def test_guesses_at_one_name_from_many_networks_are_slowed_too():
    codes = [guess(1, REMOTE_ADDR=f"192.0.{number}.7")[0] for number in range(60)]
    assert codes.count(200) == 30
    assert codes[-1] == 429


def test_one_network_tries_twenty_names_in_ten_minutes(later):
    codes = [guess(1, name=f"name-{number}")[0] for number in range(40)]
    assert codes == [200] * 20 + [429] * 20
    later(601)
    assert guess(1, name="x") == [200]


def test_a_class_that_signs_in_behind_one_address_is_not_slowed():
    for number in range(40):
        User.objects.create_user(f"name-{number}", password=PASSWORD)
        client = Client()
        assert attempt(client, f"name-{number}", PASSWORD).status_code == 302


def test_the_support_tool_is_no_way_around():
    page = "/admin/login/?next=/admin/"
    client = Client()
    answer = client.post(page, {"username": "ada", "login": "ada", "password": PASSWORD})
    assert answer.url == f"{reverse('account_login')}?next=/admin/"
    assert not get_user(client).is_authenticated


# A proxy in front that the settings do not name


@pytest.fixture
def lines(monkeypatch, caplog):
    monkeypatch.setattr(log, "_warned", set())
    caplog.set_level(logging.WARNING, "corpus.access.log")
    return lambda: [r.getMessage() for r in caplog.records if r.name == "corpus.access.log"]


def test_behind_a_proxy_that_is_not_set_guesses_of_one_client_do_not_lock_others(lines):
    guess(40, headers={"X-Forwarded-For": "192.0.2.1"})
    assert not may_sign_in(headers={"X-Forwarded-For": "192.0.2.1"})
    assert may_sign_in(headers={"X-Forwarded-For": "192.0.2.2"})
    [line] = lines()
    assert "set BEHIND_PROXY=1" in line


def test_made_up_headers_buy_no_guesses_from_outside(lines):
    for number in range(20):
        guess(1, REMOTE_ADDR="8.8.8.8", headers={"X-Forwarded-For": f"192.0.2.{number}"})
    assert guess(1, REMOTE_ADDR="8.8.8.8") == [429]
    assert lines() == []


def test_the_system_check_warns_of_https_without_a_proxy(settings):
    settings.HTTPS, settings.BEHIND_PROXY = True, False
    [warning] = [each for each in run_checks() if each.id == "site.W001"]
    assert "BEHIND_PROXY=1" in warning.hint
    settings.BEHIND_PROXY = True
    assert not [each for each in run_checks() if each.id == "site.W001"]
