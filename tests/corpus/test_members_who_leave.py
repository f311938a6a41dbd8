"""Whoever leaves, is demoted or deactivated leaves no way back in: nothing given out goes on."""

import html
import re
import threading

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from analysis.models import FrozenReport, Publication
from annotation.models import Campaign, CampaignSet
from config.accounts.tokens import new_token
from config.models import ApiToken
from corpus.access.guard import may_steer
from corpus.access.invitations import InvitationError, accept, invite
from corpus.access.members import remove_member, set_role
from corpus.imports.service import create_study
from corpus.jobs.queue import ask_for_job
from corpus.models import AuditEntry, Invitation, Job, Membership

pytestmark = pytest.mark.django_db
MEMBERS = "/studies/small/members/"


@pytest.fixture
def ada(study):
    """Another owner, who will leave."""
    person = User.objects.create_user("ada")
    Membership.objects.create(study=study, user=person, role="owner")
    return person


@pytest.fixture
def support():
    return signed_in(User.objects.create_superuser("root"))


def signed_in(person):
    browser = Client()
    browser.force_login(person)
    return browser


def made(browser, role="owner"):
    """Make an invitation on the page; return the address of its link."""
    page = browser.post(
        f"{MEMBERS}invite/",
        {"invitation-role": role, "invitation-note": "", "invitation-days": "14"},
    )
    return html.unescape(re.search(r"http://testserver(/invitations/[^<\"]+)", page.text)[1])


def changed(browser, person, page="study-member-remove", **fields):
    member = Membership.objects.get(user=person)
    return browser.post(reverse(page, args=["small", member.pk]), fields, follow=True)


def demoted(person, _):
    changed(signed_in(User.objects.get(username="owner")), person, "study-member-role",
            role="researcher")  # fmt: skip


def removed(person, _):
    changed(signed_in(User.objects.get(username="owner")), person)


def demoted_by_group(person, _):
    set_role(Membership.objects.get(user=person).study, person, "")


def demoted_by_support(person, support):
    member = Membership.objects.get(user=person)
    page = f"/admin/corpus/membership/{member.pk}/change/"
    assert support.post(page, {"role": "researcher"}).status_code == 302


def removed_by_support(person, support):
    member = Membership.objects.get(user=person)
    page = f"/admin/corpus/membership/{member.pk}/delete/"
    assert support.post(page, {"post": "yes"}).status_code == 302


def deactivated(person, support):
    fields = {"username": person.username, "date_joined_0": "2026-01-01", "date_joined_1": "10:00"}
    page = f"/admin/auth/user/{person.pk}/change/"
    assert support.post(page, fields).status_code == 302
    assert not User.objects.get(pk=person.pk).is_active


@pytest.mark.parametrize(
    "leave",
    [demoted, removed, demoted_by_group, demoted_by_support, removed_by_support, deactivated],
)
def test_invitations_end_with_the_right_to_invite(study, ada, support, leave):
    link = made(signed_in(ada))
    leave(ada, support)
    for somebody in (ada, User.objects.create_user("accomplice")):
        assert signed_in(somebody).post(link).status_code == 403
    roles = dict(Membership.objects.values_list("user__username", "role"))
    assert roles.get("ada") != "owner" or leave is deactivated
    assert "accomplice" not in roles
    assert not Invitation.objects.exists()
    entry = AuditEntry.objects.get(action="end invitation")
    assert (entry.study, entry.before) == (study, {"role": "owner"})
    # It does not come back with the right.
    Membership.objects.filter(user=ada).delete()
    Membership.objects.create(study=study, user=ada, role="owner")
    User.objects.update(is_active=True)
    assert Client().get(link).status_code == 403


def test_an_inviter_who_may_no_longer_invite_is_seen_at_acceptance_too(study, ada):
    """However they lost the right: by a shell, a provider's group, a deleted account."""
    visitor = User.objects.create_user("visitor")
    for lose in (
        lambda: User.objects.filter(pk=ada.pk).update(is_active=False),
        lambda: Membership.objects.filter(user=ada).update(role="researcher"),
        lambda: Invitation.objects.update(invited_by=None),
    ):
        User.objects.filter(pk=ada.pk).update(is_active=True)
        Membership.objects.filter(user=ada).update(role="owner")
        _, token = invite(study, "owner", "", 14, ada)
        lose()
        with pytest.raises(InvitationError, match="no longer works"):
            accept(token, visitor)
    assert not Membership.objects.filter(user=visitor).exists()


def test_an_administrator_invites_without_being_a_member_but_not_themselves(study):
    root = User.objects.create_superuser("root")
    _, token = invite(study, "owner", "", 14, root)
    with pytest.raises(InvitationError, match="you made this invitation"):
        accept(token, root)
    assert accept(token, User.objects.create_user("visitor")).role == "owner"


def test_nobody_raises_their_role_by_their_own_link(study, ada):
    link = made(signed_in(ada))
    Membership.objects.filter(user=ada).update(role="researcher")
    assert signed_in(ada).post(link).status_code == 403
    assert Membership.objects.get(user=ada).role == "researcher"


def test_deactivating_ends_sessions_and_tokens_for_good(study, ada, support):
    browser = signed_in(ada)
    key = new_token(ada, "script", "write", None)
    deactivated(ada, support)
    assert not UserSession.objects.filter(user=ada).exists()
    assert not ApiToken.objects.filter(user=ada).exists()
    User.objects.update(is_active=True)
    assert browser.get("/studies/small/").status_code == 302
    headers = {"authorization": f"Token {key}"}
    assert Client().get("/api/v1/studies/", headers=headers).status_code == 401
    entry = AuditEntry.objects.get(action="deactivate account")
    assert (entry.object, entry.actor.username) == ("ada", "root")
    assert entry.after == {"sessions": 1, "tokens": 1, "invitations": 0}


@pytest.mark.parametrize("asked", [True, False])
def test_addresses_without_sign_in_end_where_it_is_asked(study, ada, owner, asked):
    FrozenReport.objects.create(study=study, token="abc", sha256="0" * 64, created_by=ada)
    Publication.objects.create(study=study, address="a-public-page", created_by=ada)
    Campaign.objects.create(
        study=study, slug="open", protocol="likert", origin="live", invite_code="code"
    )
    CampaignSet.objects.create(study=study, slug="set", invite_code="code-of-set")
    browser = signed_in(owner)
    named = "2 join addresses of campaigns, 1 shared report, 1 public page"
    assert f"and end {named}" in browser.get(MEMBERS).text
    page = changed(browser, ada, **({"addresses": "on"} if asked else {}))
    assert (named in page.text) != asked
    assert "Personal links of annotators go on working" in page.text
    ended = AuditEntry.objects.filter(
        action__in=[
            "stop sharing report", "close page of publication", "change campaign",
            "change set of campaigns",
        ]
    )  # fmt: skip
    assert ended.count() == (4 if asked else 0)
    assert FrozenReport.objects.filter(token="abc").exists() != asked
    assert Publication.objects.filter(address="a-public-page").exists() != asked
    assert Campaign.objects.filter(invite_code="code").exists() != asked


def test_jobs_of_a_study_are_out_of_reach_for_who_left_it_or_owns_it_no_longer(study, ada):
    asked, report = (
        ask_for_job(kind, kind, study=study, user=ada, parameters={"path": "/nowhere"})
        for kind in ("import", "report")
    )
    Membership.objects.filter(user=ada).update(role="researcher")
    assert not may_steer(ada, Job.objects.get(pk=asked.pk))
    assert may_steer(ada, Job.objects.get(pk=report.pk))
    assert signed_in(ada).get(f"/jobs/{asked.pk}/").status_code == 200
    Membership.objects.filter(user=ada).delete()
    for path in ("", "cancel/", "resume/"):
        ask = signed_in(ada).post if path else signed_in(ada).get
        assert ask(f"/jobs/{asked.pk}/{path}").status_code == 404
    assert signed_in(ada).get(f"/exports/{asked.pk}/").status_code == 404
    assert f"/jobs/{asked.pk}/" not in signed_in(ada).get("/jobs/").text


@pytest.mark.django_db(transaction=True)
def test_of_leaving_and_accepting_at_once_the_second_sees_the_first():
    owner, ada = User.objects.create_user("owner"), User.objects.create_user("ada")
    visitor = User.objects.create_user("visitor")
    study = create_study("small", owner)
    member = Membership.objects.create(study=study, user=ada, role="owner")
    for _ in range(5):
        _, token = invite(study, "owner", "", 14, ada)
        done = []

        def join(token=token, done=done):
            try:
                accept(token, visitor)
                done.append("joined")
            except InvitationError:
                done.append("refused")
            finally:
                connection.close()

        other = threading.Thread(target=join)
        other.start()
        remove_member(study, member.pk, owner)
        other.join()
        # Who joined did so while the inviter was an owner, and the link was used up then.
        was_member = Membership.objects.filter(user=visitor).exists()
        assert was_member == (done == ["joined"])
        accepted = Invitation.objects.filter(accepted_by=visitor).exists()
        assert accepted == was_member
        assert not Invitation.objects.filter(accepted_at=None).exists()
        Invitation.objects.all().delete()
        Membership.objects.exclude(user=owner).delete()
        member = Membership.objects.create(study=study, user=ada, role="owner")
