"""Signing in by a provider: who comes in, what is refused, and what groups give."""

import base64
import json
import time
from itertools import repeat
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from authlib.common.security import generate_token
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.test import Client
from django.urls import reverse
from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

from config.accounts import provider as client_of_provider
from config.accounts.adapter import BY_PROVIDER
from config.accounts.provider_people import Refused
from config.models import AdministratorByGroup, RoleByGroup
from corpus.models import AuditEntry, Membership, Study
from tests.fixtures.open_id import SECRET, go_to_provider, running_provider, sign_in, sign_in_there

pytestmark = [
    pytest.mark.django_db,
    # The provider of these tests uses what Authlib will have in other places.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def running():
    with running_provider() as provider:
        yield provider


@pytest.fixture
def provider(running, settings):
    settings.OPEN_ID_PROVIDER = running.declared()
    settings.AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", BY_PROVIDER]
    running.knows("ada-1")
    return running


@pytest.fixture
def study():
    return Study.objects.create(slug="gyafc")


def role_of(study, name="ada"):
    found = study.memberships.filter(user__username=name).first()
    return found and found.role


# Replies without an end


def drip():
    while True:
        time.sleep(0.05)
        yield b" "


def endless():
    return repeat(b" " * 2**16)


@pytest.mark.parametrize(
    ("path", "padding"),
    [
        ("/.well-known/openid-configuration", lambda: [b" " * 2**21]),
        ("/oauth2/token", drip),
        ("/userinfo", endless),
        ("/jwks", endless),
    ],
)
def test_a_reply_that_is_too_long_or_too_slow_signs_nobody_in(
    client, provider, monkeypatch, caplog, path, padding
):
    monkeypatch.setattr(client_of_provider, "SECONDS_TO_ANSWER", 1)
    way_back = sign_in_there(go_to_provider(client))
    monkeypatch.setitem(provider.padding, path, padding)
    page = client.get(way_back)
    assert page.status_code == 502
    assert "Example University cannot be reached" in page.text
    assert "longer than 1 MiB" in caplog.text or "within 1 seconds" in caplog.text
    assert not get_user(client).is_authenticated


# Coming in


def test_who_comes_first_gets_an_account_and_a_session_that_is_listed(client, provider):
    came = []
    user_logged_in.connect(lambda **said: came.append(said["user"]), weak=False)
    assert sign_in(client, following="/account/").url == "/account/"
    person = get_user(client)
    assert (person.username, person.email) == ("ada", "ada@example.org")
    assert not person.has_usable_password()
    assert not person.is_superuser
    assert came == [person]
    assert UserSession.objects.get(user=person)
    assert client.session.get_expiry_age() <= 12 * 3600
    again = Client()
    sign_in(again)
    assert get_user(again) == person


def test_whom_the_provider_lets_in_is_asked_for_no_code_of_this_site(client, provider):
    sign_in(client)
    Authenticator.objects.create(user=get_user(client), type="totp", data={"secret": "x"})
    again = Client()
    assert sign_in(again).url == reverse("home")
    assert get_user(again).is_authenticated


def test_the_button_is_there_only_with_a_provider(client, provider, settings):
    page = client.get(reverse("account_login"), {"next": "/jobs/"})
    assert "Sign in with Example University" in page.text
    assert f"{reverse('open-id')}?next=/jobs/" in page.text
    settings.OPEN_ID_PROVIDER = None
    assert "Example University" not in client.get(reverse("account_login")).text
    assert client.get(reverse("open-id")).status_code == 404


def test_no_other_site_is_where_one_goes_next(client, provider):
    assert sign_in(client, following="https://evil.example.org/").url == reverse("home")


def test_the_code_is_bound_to_this_sign_in_by_pkce_and_the_session_is_a_new_one(client, provider):
    address = go_to_provider(client)
    asked = parse_qs(urlsplit(address).query)
    before = client.session.session_key
    client.get(sign_in_there(address))
    [verifier] = [form["code_verifier"] for form in provider.forms if "code_verifier" in form][-1:]
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["code_challenge"] == [create_s256_code_challenge(verifier)]
    assert client.session.session_key != before


def test_an_account_is_found_by_its_verified_address_and_by_no_other(client, provider):
    grace = User.objects.create_user("grace", "Ada@Example.org", "a cup of cold tea")
    provider.knows("ada-2", email_verified=False)
    stranger = Client()
    sign_in(stranger, "ada-2")
    assert get_user(stranger).username == "ada"
    assert get_user(stranger).email == ""
    sign_in(client)
    assert get_user(client) == grace
    # The address was given to somebody else.
    provider.knows("ada-3")
    refused = sign_in(Client(), "ada-3")
    assert refused.status_code == 403
    assert "belongs to another account" in refused.text


@pytest.mark.parametrize("groups", [5, {"nlp lab": 1}, [["nlp lab"], None, 7, "a\0"], "a" * 300])
def test_values_of_another_kind_than_expected_give_nothing(client, provider, settings, groups):
    settings.OPEN_ID_PROVIDER = provider.declared(administrators=["nlp lab"])
    provider.knows("ada-1", groups=groups, email=["ada@example.org"], preferred_username={"a": 1})
    assert sign_in(client).status_code == 403
    assert not User.objects.exists()


@pytest.mark.parametrize("subject", [None, "", 5, ["a"], "a" * 256, "a\0b", "a\nb"])
def test_an_account_that_cannot_be_stored_is_refused(provider, settings, subject):
    with pytest.raises(Refused, match="names no account"):
        client_of_provider.read_claims({"sub": subject}, settings.OPEN_ID_PROVIDER)


def test_who_was_deactivated_stays_out(client, provider):
    sign_in(client)
    User.objects.update(is_active=False)
    refused = sign_in(Client())
    assert (refused.status_code, "was deactivated" in refused.text) == (403, True)


# What is not believed


def forged(monkeypatch, change):
    """Let the provider answer with another ID token."""
    encode = jwt.encode

    def answer(header, claims, key, algorithms):
        header, claims = dict(header), dict(claims)
        token = change(header, claims)
        if token is not None:
            return token if isinstance(token, str) else encode(header, claims, token, ["HS256"])
        return encode(header, claims, key, algorithms)

    monkeypatch.setattr(jwt, "encode", answer)


def unsigned(header, claims):
    parts = [{"alg": "none"}, claims]
    coded = [base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=") for each in parts]
    return b".".join([*coded, b""]).decode()


def signed_with_the_secret(header, claims):
    header["alg"] = "HS256"
    return OctKey.import_key(SECRET)


def signed_by_another(header, claims):
    return _ENCODE({"alg": "RS256"}, claims, RSAKey.generate_key(2048), ["RS256"])


_ENCODE = jwt.encode
FORGERIES = {
    "nonce": lambda header, claims: claims.update(nonce="another"),
    "no nonce": lambda header, claims: claims.pop("nonce") and None,
    "issuer": lambda header, claims: claims.update(iss="https://elsewhere.example.org"),
    "audience": lambda header, claims: claims.update(aud=["another-site"]),
    "expired": lambda header, claims: claims.update(exp=claims["iat"] - 600),
    "at_hash": lambda header, claims: claims.update(at_hash="AAAAAAAAAAAAAAAAAAAAAA"),
    "unsigned": unsigned,
    "signed with the secret": signed_with_the_secret,
    "signed by another": signed_by_another,
}


@pytest.mark.parametrize("change", FORGERIES.values(), ids=FORGERIES)
def test_a_forged_answer_signs_nobody_in(client, provider, monkeypatch, change):
    failed = []
    user_login_failed.connect(lambda **said: failed.append(said), weak=False)
    forged(monkeypatch, change)
    refused = sign_in(client)
    assert refused.status_code == 403
    assert "could not be verified" in refused.text
    assert not get_user(client).is_authenticated
    assert not User.objects.exists()
    assert len(failed) == 1


def test_an_answer_works_once_and_in_the_browser_that_asked(client, provider):
    back = sign_in_there(go_to_provider(client))
    assert Client().get(back).status_code == 400
    assert client.get(back).status_code == 302
    assert client.get(back).status_code == 400
    made_up = reverse("open-id-back")
    assert client.get(made_up, {"code": "x", "state": generate_token()}).status_code == 400


@pytest.mark.parametrize("wrong", ["http://localhost:9/", "{issuer}/"])
def test_a_provider_that_is_away_or_another_one_says_so(client, provider, settings, wrong):
    issuer = wrong.format(issuer=provider.issuer)
    settings.OPEN_ID_PROVIDER = provider.declared(issuer=issuer)
    page = client.get(reverse("open-id"))
    assert page.status_code == 502
    assert "Example University cannot be reached" in page.text


# Groups


def test_a_group_gives_a_role_and_takes_it_at_the_next_sign_in(client, provider, settings, study):
    settings.OPEN_ID_PROVIDER = provider.declared(
        roles="nlp lab: gyafc owner; nlp lab: not-made-yet researcher; staff: gyafc researcher"
    )
    sign_in(client)
    assert role_of(study) == "owner"
    assert client.get(reverse("study-members", args=["gyafc"])).status_code == 200
    provider.knows("ada-1", groups=["staff", "nlp lab"])
    sign_in(client)
    assert role_of(study) == "owner"
    provider.knows("ada-1", groups=["staff"])
    sign_in(client)
    assert role_of(study) == "researcher"
    provider.knows("ada-1", groups=[])
    refused = sign_in(Client())
    assert refused.status_code == 403
    assert "None of your groups at Example University may use this site" in refused.text
    assert role_of(study) is None
    entries = AuditEntry.objects.filter(action="set role by group").order_by("pk")
    assert [each.after and each.after["role"] for each in entries] == ["owner", "researcher", None]


def test_what_was_given_by_hand_stays(client, provider, settings, study):
    settings.OPEN_ID_PROVIDER = provider.declared(roles="nlp lab: gyafc owner")
    other = Study.objects.create(slug="other")
    ada = User.objects.create_user("ada", "ada@example.org")
    Membership.objects.create(study=study, user=ada, role="researcher")
    Membership.objects.create(study=other, user=ada, role="owner")
    sign_in(client)
    assert (role_of(study), role_of(other)) == ("owner", "owner")
    provider.knows("ada-1", groups=[])
    assert sign_in(client).status_code == 302
    assert (role_of(study), role_of(other)) == ("researcher", "owner")
    assert not RoleByGroup.objects.exists()


def test_a_role_of_a_group_that_an_owner_changes_is_given_by_hand(
    client, provider, settings, study
):
    settings.OPEN_ID_PROVIDER = provider.declared(roles="nlp lab: gyafc researcher")
    sign_in(client)
    study.memberships.update(role="owner")
    provider.knows("ada-1", groups=[])
    sign_in(client)
    assert role_of(study) == "owner"


def test_a_group_makes_administrators_and_no_others_are_unmade(client, provider, settings):
    settings.OPEN_ID_PROVIDER = provider.declared(administrators=["nlp lab"])
    sign_in(client)
    assert get_user(client).is_superuser
    provider.knows("ada-1", groups=["other"])
    assert sign_in(Client()).status_code == 403
    assert not get_user(client).is_superuser
    assert not AdministratorByGroup.objects.exists()
    User.objects.update(is_superuser=True)
    sign_in(client)
    assert get_user(client).is_superuser


# Without passwords


def test_passwords_can_be_switched_off(client, provider, settings, study):
    settings.PASSWORD_SIGN_IN = False
    User.objects.create_user("grace", password="a cup of cold tea")
    fields = {"login": "grace", "password": "a cup of cold tea"}
    assert client.post(reverse("account_login"), fields).status_code == 200
    assert "Password" not in client.get(reverse("account_login")).text
    assert not get_user(client).is_authenticated
    sign_in(client)
    assert "account/password" not in client.get(reverse("account")).text
    for page in ("account_change_password", "account_set_password", "mfa_login_webauthn"):
        assert client.post(reverse(page), {}).status_code == 403, page


# What is declared
