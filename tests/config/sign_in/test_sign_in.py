"""Signing in by password and by a link that works once; the account page."""

from datetime import timedelta

import pytest
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from config.accounts.signing_in import one_time_path
from corpus.access.log import client_address
from corpus.models import Study

PASSWORD = "a cup of cold tea"

pytestmark = pytest.mark.django_db


@pytest.fixture
def person():
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def newcomer():
    """Somebody who never chose a password."""
    return User.objects.create_superuser("admin")


def sign_in(client, person, password, **extra):
    values = {"login": person.username, "password": password}
    return client.post(reverse("account_login"), values, **extra)


def test_a_page_for_members_leads_through_sign_in_and_back(client, person):
    asked = reverse("account")
    response = client.get(asked)
    assert response.url == f"{reverse('account_login')}?next={asked}"
    page = client.get(response.url)
    assert f'name="next" value="{asked}"' in page.text
    values = {"login": "ada", "password": PASSWORD, "next": asked}
    assert client.post(reverse("account_login"), values).url == asked
    assert get_user(client) == person


def test_the_address_behind_a_proxy_is_the_one_that_the_proxy_saw(rf, settings):
    request = rf.get("/", headers={"X-Forwarded-For": "made.up, 192.0.2.7"})
    assert client_address(request) == "127.0.0.1"
    settings.BEHIND_PROXY = True
    assert client_address(request) == "192.0.2.7"
    assert client_address(rf.get("/")) == "127.0.0.1"


def test_signing_out_takes_a_post(client, person):
    client.force_login(person)
    assert client.get(reverse("account_logout")).status_code == 405
    assert client.post(reverse("account_logout")).url == reverse("account_login")
    assert not get_user(client).is_authenticated


# The link that works once


def test_only_the_click_on_a_link_uses_it_up(client, newcomer):
    link = one_time_path(newcomer)
    for _ in range(2):
        page = client.get(link)
        assert page.status_code == 200
        assert "Sign in as admin" in page.text
        assert not get_user(client).is_authenticated
    assert client.post(link).url == reverse("home")
    assert get_user(client) == newcomer


@pytest.mark.parametrize(("studies", "begins"), [(0, "/"), (1, "/studies/s0/"), (2, "/")])
def test_who_may_open_one_study_begins_at_its_findings(client, person, studies, begins):
    for n in range(studies):
        Study.objects.create(slug=f"s{n}").memberships.create(user=person, role="researcher")
    Study.objects.create(slug="of-somebody-else")
    assert client.post(one_time_path(person)).url == begins
    person.set_password("correct horse battery")
    person.save()
    client.logout()
    fields = {"login": person.username, "password": "correct horse battery"}
    assert client.post(reverse("account_login"), fields).url == begins
    assert client.post(f"{reverse('account_login')}?next=/jobs/", fields).url == "/jobs/"


def test_a_used_link_says_so_and_signs_nobody_in(client, newcomer):
    link = one_time_path(newcomer)
    client.post(link)
    client.logout()
    for ask in (client.get, client.post):
        response = ask(link)
        assert response.status_code == 403
        assert "This link no longer works" in response.text
    assert not get_user(client).is_authenticated


def test_a_link_ends_after_three_days(client, newcomer, monkeypatch):
    link = one_time_path(newcomer)
    later = timezone.now().replace(tzinfo=None) + timedelta(days=3, minutes=1)
    monkeypatch.setattr("config.accounts.signing_in.tokens._now", lambda: later)
    assert client.get(link).status_code == 403


def test_a_link_for_someone_barred_or_unknown_or_mangled_does_not_work(client, newcomer):
    link = one_time_path(newcomer)
    token = link.rstrip("/").rpartition("/")[2]
    for name in ("MjAwMDA", "bm9ib2R5", "ÿ", "9" * 40):
        assert client.post(reverse("sign-in-once", args=[name, token])).status_code == 403
    newcomer.is_active = False
    newcomer.save()
    assert client.post(link).status_code == 403


def test_the_command_prints_a_link_that_works(client, capsys):
    call_command("sign_in_link", "grace", "--create", "--address", "https://example.org/")
    link = capsys.readouterr().out.strip()
    assert link.startswith("https://example.org/sign-in/")
    client.post(link.removeprefix("https://example.org"))
    assert get_user(client).username == "grace"


# The account


def test_who_came_by_link_chooses_a_password_and_stays_signed_in(client, newcomer):
    client.post(one_time_path(newcomer))
    assert reverse("account_set_password") in client.get(reverse("account")).text
    values = {"password1": PASSWORD, "password2": PASSWORD}
    assert client.post(reverse("account_set_password"), values).url == reverse("account")
    assert get_user(client) == newcomer
    client.logout()
    sign_in(client, newcomer, PASSWORD)
    assert get_user(client) == newcomer


def test_a_new_password_needs_the_old_one_and_must_be_hard_to_guess(client, person):
    client.force_login(person)
    values = {"oldpassword": "wrong", "password1": "12345678", "password2": "12345678"}
    page = client.post(reverse("account_change_password"), values)
    assert "Please type your current password" in page.text
    assert "This password is too common" in page.text
    person.refresh_from_db()
    assert person.check_password(PASSWORD)
