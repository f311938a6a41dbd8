"""Who may see report pages and their files, and by which method."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from corpus.models import Job, Membership, Study
from tests.fixtures.campaign_pages import signed_in

pytestmark = pytest.mark.django_db
PAGES = [
    f"/studies/reviews/{kind}/" for kind in ("agreement", "correlation", "ranking", "replication")
]
FILES = [
    "/studies/reviews/correlation/tables/headline.csv",
    "/studies/reviews/correlation/charts/heat-map.svg",
]


@pytest.fixture
def study():
    return Study.objects.create(slug="reviews")


@pytest.fixture
def member(study):
    return signed_in("member", study, "researcher")


@pytest.mark.parametrize("address", [*PAGES, *FILES])
def test_a_study_of_others_is_not_there(study, address):
    client = Client()
    client.force_login(User.objects.create_user("stranger"))
    assert client.get(address).status_code == 404


def test_a_report_is_tried_again_only_within_its_study_and_by_post(member, study):
    other = Study.objects.create(slug="other")
    person = User.objects.get(username="member")
    ours, theirs, an_import = (
        Job.objects.create(
            kind=kind,
            key=f"job {number}",
            study=of,
            created_by=person,
            state="failed",
            parameters={"kind": "ranking"},
        )
        for number, (kind, of) in enumerate(
            [("report", study), ("report", other), ("import", study)]
        )
    )
    again = "/studies/reviews/reports/{}/again/".format
    assert member.get(again(ours.pk)).status_code == 405
    assert member.post(again(theirs.pk)).status_code == 404
    # A researcher may not try what only owners ask for; an owner finds no report of this number.
    assert member.post(again(an_import.pk)).status_code == 403
    Membership.objects.update(role="owner")
    assert member.post(again(an_import.pk)).status_code == 404
    answer = member.post(again(ours.pk), {"back": "https://example.org/studies/reviews/ranking/"})
    assert answer["Location"] == "/studies/reviews/ranking/"
