"""Owners invite researchers and owners by a link; it works once, and only its fingerprint stays."""

import datetime as dt
import html
import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.utils import timezone

from corpus.models import AuditEntry, Invitation, Membership

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("study")]
MEMBERS = "/studies/small/members/"
ACCOUNT = {"username": "grace", "password1": "long-and-odd-1906", "password2": "long-and-odd-1906"}


def made(client, **fields):
    """Make an invitation on the page; return the address of its link."""
    given = {"role": "researcher", "note": "Grace Hopper", "days": "14", **fields}
    page = client.post(
        f"{MEMBERS}invite/", {f"invitation-{name}": value for name, value in given.items()}
    )
    assert page.status_code == 200, page.context["invitation_form"].errors
    return html.unescape(re.search(r"http://testserver(/invitations/[^<\"]+)", page.text)[1])


def roles():
    return dict(Membership.objects.values_list("user__username", "role"))


def actions():
    return list(AuditEntry.objects.order_by("pk").values_list("action", "actor__username"))


def test_who_opens_the_link_makes_an_account_and_reads_the_study(client, study):
    link, visitor = made(client), Client()
    page = visitor.get(link).text
    assert "owner invites you" in page
    assert "as a researcher" in page
    answer = visitor.post(link, ACCOUNT, follow=True)
    assert answer.redirect_chain == [("/studies/small/", 302)]
    assert "Welcome to small" in answer.text
    assert roles() == {"owner": "owner", "grace": "researcher"}
    assert visitor.get(MEMBERS).status_code == 403
    given = {"login": "grace", "password": ACCOUNT["password1"]}
    assert Client().post("/sign-in/", given).status_code == 302
    assert actions()[-3:] == [
        ("invite member", "owner"),
        ("add member", "grace"),
        ("accept invitation", "grace"),
    ]


def test_who_has_an_account_joins_with_it(client):
    link, ada = made(client), Client()
    assert f"/sign-in/?next={link}" in ada.get(link).text
    ada.force_login(User.objects.create_user("ada"))
    assert "Join as ada" in ada.get(link).text
    assert roles() == {"owner": "owner"}
    assert ada.post(link, follow=True).redirect_chain == [("/studies/small/", 302)]
    assert roles()["ada"] == "researcher"
    assert User.objects.count() == 2


def test_a_link_works_once(client):
    link = made(client)
    Client().post(link, ACCOUNT)
    late = Client()
    assert late.get(link).status_code == 403
    assert late.post(link, ACCOUNT | {"username": "eve"}).status_code == 403
    assert not User.objects.filter(username="eve").exists()
    assert "eve" not in roles()


def test_a_link_ends(client):
    link = made(client, days="1")
    Invitation.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    assert Client().get(link).status_code == 403
    assert Client().post(link, ACCOUNT).status_code == 403
    assert roles() == {"owner": "owner"}
    assert "ended" in client.get(MEMBERS).text


def test_a_link_is_revoked(client):
    link = made(client)
    invitation = Invitation.objects.get()
    page = client.post(f"/studies/small/invitations/{invitation.pk}/revoke/", follow=True)
    assert "its link no longer works" in page.text
    assert Client().get(link).status_code == 403
    assert Client().post(link, ACCOUNT).status_code == 403
    assert not User.objects.filter(username="grace").exists()
    assert actions()[-1] == ("revoke invitation", "owner")


def test_neither_token_nor_note_is_kept_where_it_could_leak(client):
    token = made(client).split("/")[2]
    with connection.cursor() as cursor:
        for model in (Invitation, AuditEntry):
            cursor.execute(f"SELECT * FROM {model._meta.db_table}")
            assert token not in repr(cursor.fetchall())
    assert token not in client.get(MEMBERS).text
    assert "Grace" not in repr(list(AuditEntry.objects.values()))


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"username": "owner"}, "already exists"), ({"password2": "other"}, "match")],
)
def test_an_account_that_cannot_be_made_leaves_the_link_unused(client, changes, words):
    link, visitor = made(client), Client()
    page = visitor.post(link, ACCOUNT | changes)
    assert page.status_code == 400
    assert words in html.unescape(page.text)
    assert User.objects.count() == 1
    assert visitor.post(link, ACCOUNT).status_code == 302
