"""The members page: adding, other roles, removing, and never without an owner."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from corpus.models import AuditEntry, Membership

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/small/members/"


@pytest.fixture
def ada():
    return User.objects.create_user("ada")


def change(client, person, page="study-member-role", **fields):
    member = Membership.objects.get(user=person)
    address = reverse(page, args=["small", member.pk])
    return client.post(address, fields, follow=True)


def roles():
    return dict(Membership.objects.values_list("user__username", "role"))


def test_a_member_is_added_by_user_name(client, owner, study, ada):
    page = client.post(ADDRESS, {"username": "ada", "role": "researcher"}, follow=True)
    assert "ada is now a member of this study." in page.text
    assert roles() == {"owner": "owner", "ada": "researcher"}
    entry = AuditEntry.objects.get(action="add member")
    assert (entry.actor, entry.object, entry.after) == (owner, "ada", {"role": "researcher"})


def test_a_role_is_changed_with_a_record(client, study, ada):
    Membership.objects.create(study=study, user=ada, role="researcher")
    assert "ada has another role now." in change(client, ada, role="owner").text
    assert roles()["ada"] == "owner"
    entry = AuditEntry.objects.get(action="change role")
    assert (entry.before, entry.after) == ({"role": "researcher"}, {"role": "owner"})
    assert "Choose a role: owner or researcher." in change(client, ada, role="queen").text
    change(client, ada, role="owner")
    assert AuditEntry.objects.filter(action="change role").count() == 1


def test_a_member_is_removed_with_a_record(client, study, ada):
    Membership.objects.create(study=study, user=ada, role="researcher")
    assert "ada is no longer a member." in change(client, ada, "study-member-remove").text
    assert roles() == {"owner": "owner"}
    entry = AuditEntry.objects.get(action="remove member")
    assert (entry.object, entry.before, entry.after) == ("ada", {"role": "researcher"}, None)


def test_the_only_owner_can_neither_step_down_nor_leave(client, owner, study, ada):
    Membership.objects.create(study=study, user=ada, role="researcher")
    for page, fields in [
        ("study-member-role", {"role": "researcher"}),
        ("study-member-remove", {}),
    ]:
        answer = change(client, owner, page, **fields)
        assert "is the only owner; make somebody else an owner first" in answer.text
    assert roles()["owner"] == "owner"


def test_one_of_two_owners_may_leave_and_is_taken_home(client, owner, study, ada):
    Membership.objects.create(study=study, user=ada, role="owner")
    page = change(client, owner, "study-member-remove")
    assert page.redirect_chain == [(reverse("home"), 302)]
    assert roles() == {"ada": "owner"}
