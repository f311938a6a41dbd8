"""A forgotten password is replaced by a link in a mail, and nobody learns who has an account."""

import datetime as dt
import re

import pytest
from allauth.account.forms import default_token_generator
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.mail import Mail, declared_mail
from corpus.models import AccessEntry
from tests.fixtures.mail_server import SITE, running_mail_server

PASSWORD, OTHER = "a cup of cold tea", "two cups of warm tea"
ADDRESS = "ada@example.org"
pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def smtp():
    with running_mail_server() as server:
        yield server


@pytest.fixture(autouse=True)
def mail(settings, smtp):
    """The site sends by a server that is there, without mails of another test."""
    settings.MAIL = smtp.declared
    for name, value in smtp.declared.django_settings.items():
        setattr(settings, name, value)
    smtp.mails.queue.clear()
    return smtp


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", ADDRESS, PASSWORD)


def ask(address: str, client: Client | None = None, **extra):
    return (client or Client()).post(reverse("account_reset_password"), {"email": address}, **extra)


def page(answer) -> str:
    """A page without what differs each time it is sent."""
    return re.sub(r"\b\w{64}\b", "", answer.text)


def logged() -> list[tuple[str, str, object]]:
    lines = AccessEntry.objects.order_by("pk")
    return list(lines.values_list("action", "detail", "person"))


def sign_in(client: Client, password: str) -> bool:
    client.post(reverse("account_login"), {"login": "ada", "password": password})
    return get_user(client).is_authenticated


def test_the_link_in_the_mail_leads_to_a_new_password_and_ends_every_session(ada, mail):
    elsewhere = Client()
    elsewhere.force_login(ada)
    assert reverse("account_reset_password") in Client().get(reverse("account_login")).text
    ask("Ada@Example.org", headers={"host": "localhost:1"})
    sent = mail.next_mail()
    assert (sent["To"], sent["From"]) == (ADDRESS, mail.declared.sender)
    [link] = re.findall(rf"{SITE}(/\S+)", sent.get_content())
    client = Client()
    choose = client.get(link).url
    assert not set(link.split("/")[-2:-1]) & set(choose.split("/"))
    answer = client.post(choose, {"password1": OTHER, "password2": OTHER}, follow=True)
    assert "The password was saved" in answer.text
    assert not get_user(client).is_authenticated
    assert elsewhere.get(reverse("account")).status_code == 302
    assert not sign_in(Client(), PASSWORD)
    assert sign_in(Client(), OTHER)
    assert "This link no longer works" in Client().get(link).text
    assert [line for line in logged() if line[0].startswith(("reset", "sign-in"))][:2] == [
        ("reset-asked", "", ada.pk),
        ("sign-in-changed", "password, by mail", ada.pk),
    ]


def test_the_answer_is_the_same_whether_or_not_anybody_has_the_address(ada, mail):
    User.objects.create_user("by-provider", "grace@example.org")
    User.objects.create_user("gone", "gone@example.org", PASSWORD, is_active=False)
    answers = [
        ask(each) for each in (ADDRESS, "x@example.org", "grace@example.org", "gone@example.org")
    ]
    assert {(each.status_code, each.url) for each in answers} == {(302, answers[0].url)}
    assert len({page(Client().get(each.url)) for each in answers}) == 1
    assert mail.next_mail()["X-Given-To"] == ADDRESS
    assert mail.mails.empty()
    unknown = ("reset-asked", "unknown address", None)
    assert logged() == [("reset-asked", "", ada.pk), unknown, unknown, unknown]


def test_a_mail_server_that_is_gone_changes_no_answer(ada, settings, caplog):
    settings.EMAIL_PORT = 1
    assert ask(ADDRESS).url == reverse("account_reset_password_done")
    assert ADDRESS not in caplog.text


def test_a_link_ends_with_a_sign_in_and_after_three_days_and_works_for_nobody_else(
    ada, mail, monkeypatch
):
    ask(ADDRESS)
    link = mail.next_link()
    other = User.objects.create_user("eve", "eve@example.org", PASSWORD)
    whose, token = link.split("/")[-3:-1]
    for name in ("fkg", "zzzzzzzzzzzzzzz", "ÿ", "-"):
        assert whose != name
        wrong = reverse("account_reset_password_from_key", args=[name, token])
        assert "no longer works" in Client().get(wrong).text
    ask(other.email)
    mine = mail.next_link().split("/")
    mine[-3] = whose
    assert "no longer works" in Client().get("/".join(mine)).text
    with monkeypatch.context() as patch:
        later = timezone.now().replace(tzinfo=None) + dt.timedelta(days=3, minutes=1)
        patch.setattr(default_token_generator, "_now", lambda: later)
        assert "no longer works" in Client().get(link).text
    assert "Choose a new password" in Client().get(link, follow=True).text
    assert sign_in(Client(), PASSWORD)
    assert "no longer works" in Client().get(link).text


def test_one_address_gets_three_mails_and_one_network_ten_whoever_has_them(ada, mail):
    for address in (ADDRESS, "nobody@example.org"):
        codes = [ask(address).status_code for _ in range(4)]
        assert codes == [302] * 3 + [429]
    refused = ask(" ADA@example.org ")
    assert refused.status_code == 429
    assert "Too many" in refused.text
    codes = [ask(f"a{number}@example.org").status_code for number in range(10)]
    assert codes[-1] == 429
    assert ask("b@example.org", REMOTE_ADDR="192.0.2.7").status_code == 302
    cache.clear()
    assert ask(ADDRESS).status_code == 302
    assert {mail.next_mail()["To"] for _ in range(4)} == {ADDRESS}


def test_without_mail_or_passwords_no_link_is_offered_and_no_page_is_there(settings, ada):
    paths = ["account_reset_password", "account_reset_password_done"]
    for mail, by_password in ((None, True), (settings.MAIL, False)):
        settings.MAIL, settings.PASSWORD_SIGN_IN = mail, by_password
        assert reverse("account_reset_password") not in Client().get(reverse("account_login")).text
        assert [Client().get(reverse(each)).status_code for each in paths] == [404, 404]
        assert Client().get("/sign-in/reset/MQ/abc-def/").status_code == 404


# The address of an account


def account_of(person: User) -> Client:
    client = Client()
    client.force_login(person)
    return client


def want(client: Client, address: str, password: str = PASSWORD):
    page, values = reverse("account_email"), {"email": address, "action_add": "on"}
    asked = client.post(page, values)
    if asked.status_code != 302 or asked.url == page:
        return asked
    return client.post(asked.url, {"password": password})


def test_an_address_counts_once_its_mail_was_opened_by_who_asked(ada, mail):
    client = account_of(ada)
    assert want(client, "new@example.org").status_code == 302
    link = mail.next_link()
    assert link.startswith(reverse("account_email"))
    eve = account_of(User.objects.create_user("eve", "", PASSWORD))
    assert eve.post(link).status_code == 404
    ada.refresh_from_db()
    assert ada.email == ADDRESS
    assert "new@example.org" in client.get(link).text
    client.post(link)
    ada.refresh_from_db()
    assert ada.email == "new@example.org"
    told = mail.next_mail()
    assert (told["To"], "another e-mail address" in told.get_content()) == (ADDRESS, True)
    assert client.post(link).status_code == 404
    assert ("sign-in-changed", "e-mail address", ada.pk) in logged()


def test_an_address_takes_the_password_and_guesses_are_slow(ada, mail):
    client = account_of(ada)
    answers = [want(client, "eve@example.org", "wrong") for _ in range(6)]
    assert ["not your password" in each.text for each in answers] == [True] * 5 + [False]
    assert "Too many attempts" in answers[-1].text
    assert mail.mails.empty()


# The settings


@pytest.fixture
def environment(monkeypatch):
    def declare(**values: str) -> Mail | None:
        for name in ("EMAIL_URL", "EMAIL_FROM", "SITE_ADDRESS"):
            monkeypatch.delenv(name, raising=False)
        for name, value in values.items():
            monkeypatch.setenv(name, value)
        return declared_mail()

    return declare


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("smtp://mail.example.org", (587, "", True, False)),
        ("smtps://a%40b:p%2Fw@mail.example.org", (465, "a@b", False, True)),
        ("smtp+plain://localhost:2525", (2525, "", False, False)),
    ],
)
def test_the_scheme_says_how_the_connection_is_encrypted(environment, url, said):
    found = environment(EMAIL_URL=url, EMAIL_FROM="a@example.org", SITE_ADDRESS=f"{SITE}/")
    names = ("EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_USE_TLS", "EMAIL_USE_SSL")
    assert tuple(found.django_settings[name] for name in names) == said
    assert found.site == SITE
    assert found.password in ("", "p/w")


@pytest.mark.parametrize(
    ("missing", "value"),
    [
        *[("EMAIL_URL", value) for value in ("mail.example.org", "http://a.org", "smtp://a:x/")],
        *[("EMAIL_FROM", value) for value in ("", "nobody", "a@b.org\nBcc: c@d.org")],
        *[("SITE_ADDRESS", value) for value in ("", "example.org", "https://a.org/x", "ftp://a")],
    ],
)
def test_what_is_missing_or_wrong_stops_the_start(environment, missing, value):
    whole = {"EMAIL_URL": "smtp://u:secret@a.org", "EMAIL_FROM": "a@a.org", "SITE_ADDRESS": SITE}
    with pytest.raises(ImproperlyConfigured, match=missing) as refused:
        environment(**whole | {missing: value})
    assert "secret" not in str(refused.value)
