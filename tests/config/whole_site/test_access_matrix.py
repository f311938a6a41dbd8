"""Every address for every role: who is not in a study reaches nothing of it."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from analysis.models import Collection
from annotation.views.guard import COOKIE, SALT
from config.downloads import forget_readings
from corpus.models import AccessEntry, AuditEntry, Job, Membership, Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.secret_study import (
    ANNOTATORS,
    PUBLIC,
    SECRET,
    STUDY,
    address,
    routes,
)

pytestmark = pytest.mark.django_db
METHODS = ("get", "post")
ROUTES = sorted(set(routes()))
SHOWN = {
    *("api-schema", "api-root", "api-docs", "api-job", "api-metrics", "api-studies", "help-file"),
    *("api-writers", "report-chart", "study-findings-picture", "search", "study-map-file"),
}
"""Answers that are neither HTML nor logged: the help, and what pages are put together from."""
OF_A_STUDY = [route for route in ROUTES if STUDY.search(route[1])]


@pytest.fixture
def study(small_secret_study, db) -> Study:
    return Study.objects.get(slug="small")


@pytest.fixture
def clients(study) -> dict[str, Client]:
    """A browser for each role."""
    made = {"visitor": Client(), "annotator": Client()}
    for role in ("owner", "researcher", "stranger"):
        person = User.objects.create_user(role)
        made[role] = Client()
        made[role].force_login(person)
        if role != "stranger":
            Membership.objects.create(study=study, user=person, role=role)
    Collection.objects.update(owner=User.objects.get(username="owner"))
    elsewhere = {uuid.uuid4().hex: "0" * 16}
    made["annotator"].cookies[COOKIE] = signing.dumps(elsewhere, salt=SALT, compress=True)
    return made


def ask(client: Client, method: str, name: str, pattern: str) -> Any:
    return getattr(client, method)(address(pattern, name))


@pytest.mark.parametrize("role", ["visitor", "annotator", "stranger"])
def test_outsiders_reach_nothing_of_a_study(clients, role):
    reached = []
    for name, pattern in OF_A_STUDY:
        for method in METHODS:
            reply = ask(clients[role], method, name, pattern)
            body = b"".join(reply) if reply.streaming else reply.content
            to_sign_in = reply.status_code == 302 and reply.url.startswith("/sign-in/")
            refused = reply.status_code in (401, 403, 404, 405) or to_sign_in
            if role == "stranger" and reply.status_code == 403:
                refused = False  # It would tell that the study exists.
            if not refused or SECRET.encode() in body + str(reply.headers).encode():
                reached.append((name, method, reply.status_code))
    assert reached == []


@pytest.mark.parametrize("role", ["visitor", "annotator"])
def test_who_is_not_signed_in_gets_public_pages_only(clients, role):
    reached = []
    for name, pattern in ROUTES:
        if name in PUBLIC or ANNOTATORS.match(name):
            continue
        reply = ask(clients[role], "get", name, pattern)
        to_sign_in = reply.status_code == 302 and reply.url.startswith("/sign-in/")
        if reply.status_code not in (401, 403, 404, 405) and not to_sign_in:
            reached.append((name, reply.status_code))
    assert reached == []


def test_what_somebody_who_signed_in_is_shown_is_kept_by_no_cache(clients):
    for name, pattern in ROUTES:
        reply = ask(clients["owner"], "get", name, pattern)
        kept = reply.get("Cache-Control", "")
        assert "private" in kept, (name, kept)
        assert "no-store" in kept, (name, kept)
        if reply.streaming:
            reply.close()
    assert "Cache-Control" not in clients["visitor"].get("/help/")


@pytest.mark.parametrize("role", ["visitor", "annotator", "stranger", "researcher", "owner"])
def test_nobody_rates_without_a_link(clients, role):
    of_annotators = [(name, pattern) for name, pattern in ROUTES if ANNOTATORS.match(name)]
    for name, pattern in at_least_one(of_annotators):
        for method in METHODS:
            assert ask(clients[role], method, name, pattern).status_code in (403, 405), name


def test_researchers_read_and_change_nothing(clients, study):
    # What takes long is computed by a job for whoever may read it.
    kept = Job.objects.exclude(kind="text-map")
    before = (Study.objects.get().revision, AuditEntry.objects.count(), kept.count())
    for name, pattern in OF_A_STUDY:
        for method in METHODS:
            reply = ask(clients["researcher"], method, name, pattern)
            assert reply.status_code < 500, (name, method)
            if reply.streaming:
                reply.close()
    after = (Study.objects.get().revision, AuditEntry.objects.count(), kept.count())
    assert after == before


def test_owners_get_an_answer_everywhere_and_what_they_take_away_is_logged(clients):
    unlogged = set()
    for name, pattern in ROUTES:
        before = AccessEntry.objects.count()
        forget_readings()
        reply = ask(clients["owner"], "get", name, pattern)
        assert reply.status_code < 500, name
        if STUDY.search(pattern):
            assert reply.status_code not in (401, 403) or "export" in name, name
        is_page = reply.status_code != 200 or reply["Content-Type"].startswith("text/html")
        if not is_page and AccessEntry.objects.count() == before:
            unlogged.add(name)
    assert unlogged <= SHOWN
