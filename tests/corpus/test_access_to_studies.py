"""The one guard between people and studies, and who may change them."""

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.http import HttpResponse

from corpus.access.guard import study_for, study_view
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


def test_the_database_refuses_a_role_that_nobody_defined(people, study):
    with pytest.raises(IntegrityError):
        Membership.objects.create(study=study, user=people["stranger"], role="guest")
