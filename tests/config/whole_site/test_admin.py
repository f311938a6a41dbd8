"""The support tool: superusers only, looks up and changes little, costs the same at any size."""

import re

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from annotation.models import Annotator
from annotation.people.invitations import new_links
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = pytest.mark.django_db
TABLES = sorted(
    f"/admin/{model._meta.app_label}/{model._meta.model_name}/" for model in admin.site._registry
)


@pytest.fixture
def support():
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_every_table_opens_to_superusers_and_to_nobody_else(support):
    study = make_study()
    owner = signed_in("ada", study)
    User.objects.filter(username="ada").update(is_staff=True)
    for page in ("/admin/", *TABLES):
        assert support.get(page).status_code == 200
        assert owner.get(page)["Location"].startswith("/admin/login/")
        assert Client().get(page)["Location"].startswith("/admin/login/")


def test_a_list_costs_the_same_with_five_hundred_annotators_as_with_a_hundred(support):
    campaign, _ = make_campaign(make_study())

    def queries(table: str) -> int:
        with CaptureQueriesContext(connection) as found:
            assert support.get(table).status_code == 200
        return len(found)

    def join(numbers: range) -> None:
        Annotator.objects.bulk_create(
            Annotator(campaign=campaign, pseudonym=f"rater {number}") for number in numbers
        )

    join(range(100))
    few = {table: queries(table) for table in TABLES}
    join(range(100, 500))
    assert {table: queries(table) for table in TABLES} == few
    assert max(few.values()) <= 8


def test_campaigns_can_be_read_and_not_changed(support):
    campaign, _ = make_campaign(make_study())
    page = support.get(f"/admin/annotation/campaign/{campaign.pk}/change/").content.decode()
    assert not re.search(r'<input[^>]*name="_save"', page)
    for action in (f"{campaign.pk}/change/", f"{campaign.pk}/delete/", "add/"):
        assert support.post(f"/admin/annotation/campaign/{action}", {}).status_code == 403


def test_annotators_are_found_by_pseudonym_and_show_no_token(support):
    campaign, [annotator, _] = make_campaign(make_study())
    token = new_links([annotator])[annotator.pk]
    annotator.refresh_from_db()
    found = support.get("/admin/annotation/annotator/", {"q": annotator.pseudonym})
    assert found.context["cl"].result_count >= 1
    assert annotator.pseudonym in found.content.decode()
    assert (
        support.get("/admin/annotation/annotator/", {"q": "nobody"}).context["cl"].result_count == 0
    )
    page = support.get(f"/admin/annotation/annotator/{annotator.pk}/change/").content.decode()
    assert annotator.token_sha256 not in page
    assert token not in page
    campaign.invite_code = "secret-code-for-joining"
    campaign.save()
    page = support.get(f"/admin/annotation/campaign/{campaign.pk}/change/").content.decode()
    assert "secret-code-for-joining" not in page


def test_the_policy_of_the_site_holds_and_no_page_has_inline_code(support):
    _, [annotator, _] = make_campaign(make_study())
    for page in (
        "/admin/",
        "/admin/annotation/campaign/",
        f"/admin/annotation/annotator/{annotator.pk}/change/",
    ):
        answer = support.get(page)
        assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
        text = answer.content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>", text)
        assert not re.search(r"\son\w+=", text)
        assert "style=" not in text
