"""API tokens: shown once, stored as hashes, named, limited, listed and revoked."""

import datetime as dt
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from config.models import ApiToken
from corpus.models import Study
from tests.fixtures.api_clients import API, is_error

pytestmark = pytest.mark.django_db
NEW = {"name": "laptop", "scope": "write", "days": "90"}


@pytest.fixture
def ada(client) -> User:
    person = User.objects.create_user("ada")
    client.force_login(person)
    return person


def made(client: Client, **values: str) -> APIClient:
    """A script with a token that was made on the account page."""
    page = client.post(reverse("account-token"), NEW | values)
    assert page.status_code == 200, page.text
    assert "no-store" in page["Cache-Control"]
    [key] = re.findall(r'<code class="secret">(.+?)</code>', page.text)
    script = APIClient()
    script.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    script.key = key
    return script


def read(script: APIClient) -> int:
    return script.get(f"{API}studies/").status_code


def test_a_token_is_shown_once_and_no_table_or_page_holds_it(client, ada):
    script = made(client)
    assert read(script) == 200
    assert script.key not in client.get(reverse("account")).text
    assert script.key not in str(ApiToken.objects.values())
    assert "authtoken_token" not in connection.introspection.table_names()
    thief = APIClient()
    thief.credentials(HTTP_AUTHORIZATION=f"Token {ApiToken.objects.get().key_sha256}")
    assert read(thief) == 401


def test_a_token_that_may_read_changes_nothing(client, ada):
    script = made(client, scope="read")
    assert read(script) == 200
    for method in ("post", "put", "patch", "delete"):
        answer = getattr(script, method)(f"{API}studies/", {"slug": "mine"}, format="json")
        assert "may only read" in is_error(answer, 403)["detail"]
    assert not Study.objects.exists()
    assert made(client).post(f"{API}studies/", {"slug": "mine"}).status_code == 201


def test_a_token_ends_on_its_day_and_says_so(client, ada):
    script = made(client, days="30")
    token = ApiToken.objects.get()
    assert abs(token.expires_at - timezone.now() - dt.timedelta(days=30)).total_seconds() < 600
    ApiToken.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    answer = script.get(f"{API}studies/")
    assert "ended" in is_error(answer, 401)["detail"]
    assert "ended" in client.get(reverse("account")).text
    made(client, days="0")
    assert ApiToken.objects.filter(expires_at=None).count() == 1


def test_several_tokens_are_listed_and_revoked_one_by_one(client, ada):
    first, second = made(client, name="laptop"), made(client, name="cron", scope="read")
    page = client.get(reverse("account")).text
    assert page.index("cron") > 0
    assert page.index("laptop") > 0
    assert "never used" in page
    pk = ApiToken.objects.get(name="laptop").pk
    client.post(reverse("account-token-revoke", args=[pk]))
    assert (read(first), read(second)) == (401, 200)
    assert "laptop" not in client.get(reverse("account")).text


def test_nobody_revokes_or_sees_the_token_of_somebody_else(client, ada):
    script = made(client)
    eve = Client()
    eve.force_login(User.objects.create_user("eve"))
    assert "laptop" not in eve.get(reverse("account")).text
    eve.post(reverse("account-token-revoke", args=[ApiToken.objects.get().pk]))
    assert read(script) == 200


def test_a_barred_person_gets_in_with_no_token(client, ada):
    script = made(client)
    User.objects.update(is_active=False)
    assert read(script) == 401
