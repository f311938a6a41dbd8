"""Requests that another site, a false host or a path that leads out would send."""

from urllib.parse import quote

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.models import Membership
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = pytest.mark.django_db
PASSWORD = "known to ada only"
FORMS = (
    "/sign-in/", "/sign-out/", "/account/session/end/", "/account/sessions/",
    "/account/token/", "/jobs/cancel/", "/studies/new/", "/studies/small/members/",
    "/studies/small/campaigns/campaign-1/state/", "/admin/corpus/membership/add/",
)  # fmt: skip
ELSEWHERE = (
    "//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example",
    "javascript:alert(1)", "http:///evil.example", "\thttps://evil.example",
)  # fmt: skip
HOSTS = ("evil.example", "evil.example:80", "localhost.evil.example", "localhost@evil.example")
OUT = (
    "/static/../secret_key", "/static/%2e%2e/secret_key", "/static/..%2fsecret_key",
    "/help/../../secret_key", "/help/%2e%2e%2fsecret_key", "/static//etc/passwd",
)  # fmt: skip


@pytest.fixture
def ada():
    person = User.objects.create_superuser("ada", password=PASSWORD)
    study = make_study()
    make_campaign(study)
    Membership.objects.create(study=study, user=person, role="owner")
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    return client


def test_no_form_is_taken_without_its_token(ada):
    assert {path: ada.post(path).status_code for path in FORMS} == dict.fromkeys(FORMS, 403)
    assert ada.get("/account/").status_code == 200


@pytest.mark.parametrize("place", ELSEWHERE)
def test_signing_in_leads_to_no_other_site(ada, place):
    form = {"login": "ada", "password": PASSWORD, "next": place}
    reply = Client().post(f"/sign-in/?next={quote(place)}", form)
    assert reply.status_code == 302
    assert "evil" not in reply["Location"]
    assert ":" not in reply["Location"]


@pytest.mark.parametrize("host", HOSTS)
def test_no_other_host_is_answered(settings, host):
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    assert Client().get("/sign-in/", HTTP_HOST=host).status_code == 400


@pytest.mark.parametrize("path", OUT)
def test_no_path_leads_out(ada, path):
    assert ada.get(path).status_code == 404
