"""The one guard between people and studies, and who may change them."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import Http404, HttpResponse

from corpus.access import may_change, study_for, study_view
from corpus.models import Membership, Study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return Study.objects.create(slug="reviews")


@pytest.fixture
def people(study):
    """One person of each kind, by what they are to the study."""
    people = {name: User.objects.create_user(name) for name in ("owner", "researcher", "stranger")}
    people["administrator"] = User.objects.create_superuser("administrator")
    people["visitor"] = AnonymousUser()
    for role in ("owner", "researcher"):
        Membership.objects.create(study=study, user=people[role], role=role)
    return people


@pytest.mark.parametrize("name", ["owner", "researcher", "administrator"])
def test_members_and_administrators_open_a_study(people, study, name):
    assert study_for(people[name], "reviews") == study
    assert list(Study.objects.visible_to(people[name])) == [study]


@pytest.mark.parametrize("name", ["stranger", "visitor"])
def test_others_cannot_tell_a_study_from_one_that_does_not_exist(people, name):
    for slug in ("reviews", "nothing"):
        with pytest.raises(Http404, match=f"no study '{slug}' that you may open"):
            study_for(people[name], slug)
    assert not Study.objects.visible_to(people[name]).exists()


@pytest.mark.parametrize(
    ("name", "allowed"),
    [("owner", True), ("administrator", True), ("researcher", False), ("visitor", False)],
)
def test_only_owners_and_administrators_change_a_study(people, study, name, allowed):
    assert may_change(people[name], study) is allowed


def test_a_researcher_who_asks_as_an_owner_is_refused(people):
    with pytest.raises(PermissionDenied):
        study_for(people["researcher"], "reviews", owner=True)


def test_a_membership_of_one_study_opens_no_other(people):
    Study.objects.create(slug="letters")
    with pytest.raises(Http404):
        study_for(people["owner"], "letters")


def test_a_guarded_view_gets_the_study_and_sends_visitors_to_sign_in(rf, people, study):
    @study_view(owner=True)
    def rename(request, study, suffix):
        return HttpResponse(f"{study.slug}{suffix}")

    request = rf.get("/reviews/")
    request.user = people["owner"]
    assert rename(request, "reviews", suffix="!").text == "reviews!"
    request.user = people["visitor"]
    assert rename(request, "reviews", suffix="!").status_code == 302
    request.user = people["researcher"]
    with pytest.raises(PermissionDenied):
        rename(request, "reviews", suffix="!")


def test_the_database_knows_two_roles_and_one_membership_each(people, study):
    with pytest.raises(IntegrityError):
        Membership.objects.create(study=study, user=people["owner"], role="researcher")


def test_the_database_refuses_a_role_that_nobody_defined(people, study):
    with pytest.raises(IntegrityError):
        Membership.objects.create(study=study, user=people["stranger"], role="guest")
