"""Who may do what through the API, its entry points, and studies."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.html import escape
from rest_framework.test import APIClient

from corpus.models import AuditEntry, Membership, Study
from tests.fixtures.api_clients import API, client_of, every_row, is_error

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return Study.objects.create(slug="reviews", title="Reviews")


@pytest.fixture
def owner(study):
    return client_of("owner", study, "owner")


@pytest.fixture
def researcher(study):
    return client_of("researcher", study, "researcher")


@pytest.fixture
def stranger(study):
    return client_of("stranger")


# Who may


def test_who_is_signed_in_reads_without_a_token_and_writes_with_a_csrf_token_only():
    person = User.objects.create_user("browser")
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    assert client.get(f"{API}studies/").status_code == 200
    refused = client.post(f"{API}studies/", {"slug": "mine"}, content_type="application/json")
    assert "CSRF" in is_error(refused, 403)["detail"]
    assert not Study.objects.exists()
    client.cookies["csrftoken"] = token = "a" * 32
    made = client.post(
        f"{API}studies/",
        {"slug": "mine"},
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )
    assert made.status_code == 201


# Entry points


def test_a_study_leads_to_all_its_parts(owner):
    parts = owner.get(f"{API}studies/reviews/").json()["parts"]
    assert set(parts) == {
        *("segments", "systems", "outputs", "ratings", "scores", "runs", "aspects"),
        *(
            "style-models",
            "writer-models",
            "writings",
            "imports",
            "exports",
            "publications",
            "reports",
        ),
    }
    for address in parts.values():
        assert owner.get(address).status_code in (200, 202)


@pytest.mark.parametrize(
    "address", ["nothing/", "studies/a%20b/", "studies/a%0Ab/", "jobs/x/", "jobs/-1/"]
)
def test_addresses_that_there_are_not_are_answered_in_the_same_shape(address, owner):
    for client in (owner, APIClient()):
        assert "says what is" in is_error(client.get(f"{API}{address}"), 404)["detail"]
        is_error(client.post(f"{API}{address}"), 404)


# Studies


def test_the_list_shows_own_studies_only_in_pages(study):
    for name in "cab":
        Study.objects.create(slug=name)
    client = client_of("member")
    for name in "cab":
        Membership.objects.create(
            study=Study.objects.get(slug=name),
            user=User.objects.get(username="member"),
            role="researcher",
        )
    page = client.get(f"{API}studies/?limit=2").json()
    assert [row["slug"] for row in page["results"]] == ["a", "b"]
    assert page["next"] == "http://testserver/api/v1/studies/?after=b&limit=2"
    assert [row["slug"] for row in every_row(client, f"{API}studies/?limit=2")] == ["a", "b", "c"]


def test_a_new_study_belongs_to_who_makes_it(stranger):
    sent = {"slug": "letters", "title": "Letters", "language": "de"}
    answer = stranger.post(f"{API}studies/", sent, format="json")
    assert answer.status_code == 201
    assert answer["Location"] == answer.json()["url"] == "http://testserver/api/v1/studies/letters/"
    made = Study.objects.get(slug="letters")
    assert (made.title, made.language) == ("Letters", "de")
    assert made.memberships.get().role == "owner"
    assert AuditEntry.objects.get(study=made).action == "create"


@pytest.mark.parametrize(
    ("sent", "status", "column"),
    [
        ({"slug": "reviews"}, 409, None),
        ({"slug": "Not a slug!"}, 400, "slug"),
        ({"slug": "fine", "title": "a\0b"}, 400, "title"),
        ([], 400, None),
    ],
)
def test_a_study_that_cannot_be_made_is_refused_with_the_reason(stranger, sent, status, column):
    content = is_error(stranger.post(f"{API}studies/", sent, format="json"), status)
    assert [problem["column"] for problem in content["problems"]][:1] == (
        [column] if status == 400 else []
    )
    assert Study.objects.count() == 1


def test_a_stranger_is_not_told_which_studies_of_others_there_are(stranger):
    page = Client()
    page.force_login(User.objects.get(username="stranger"))
    told = set()
    for slug in ("reviews", "new"):
        refused = is_error(stranger.post(f"{API}studies/", {"slug": slug}, format="json"), 409)
        sent = {"title": "T", "slug": slug, "language": "en"}
        shown = page.post("/studies/new/", sent).content.decode()
        assert escape(refused["detail"]) in shown
        told.add(refused["detail"].replace(slug, ""))
    assert len(told) == 1
