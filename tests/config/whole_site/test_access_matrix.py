"""Every address for every role: who is not in a study reaches nothing of it."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from analysis.models import Collection
from analysis.study_sections import SECTIONS, SETTINGS, section_of
from annotation.views.guard import COOKIE, SALT
from config.downloads import forget_readings
from config.help.topics import TOPICS, topic_address
from corpus.models import AccessEntry, AuditEntry, Job, Membership, Study
from tests.fixtures.nonempty import at_least_one
from tests.fixtures.report_pages import parse, words
from tests.fixtures.secret_study import ANNOTATORS, PUBLIC, SECRET, STUDY, address, routes

pytestmark = pytest.mark.django_db
METHODS = ("get", "post")
ROUTES = sorted(set(routes()))
SHOWN = {
    *("api-schema", "api-root", "api-docs", "api-job", "api-metrics", "api-studies", "help-file"),
    *("api-writers", "report-chart", "study-findings-picture", "search", "study-map-file"),
}
"""Answers that are neither HTML nor logged: the help, and what pages are put together from."""
SECTION_PAGES = {
    page.name: page.title for section in (*SECTIONS, SETTINGS) for page in section.pages
}
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


@pytest.mark.parametrize("role", ["visitor", "annotator", "stranger", "researcher", "owner"])
def test_nobody_rates_without_a_link(clients, role):
    of_annotators = [(name, pattern) for name, pattern in ROUTES if ANNOTATORS.match(name)]
    for name, pattern in at_least_one(of_annotators):
        for method in METHODS:
            assert ask(clients[role], method, name, pattern).status_code in (403, 405), name


@pytest.mark.parametrize("method", [pytest.param("get", marks=pytest.mark.nightly), "post"])
def test_researchers_change_nothing(clients, study, method):
    # What takes long is computed by a job for whoever may read it.
    kept = Job.objects.exclude(kind="text-map")
    before = (Study.objects.get().revision, AuditEntry.objects.count(), kept.count())
    for name, pattern in OF_A_STUDY:
        reply = ask(clients["researcher"], method, name, pattern)
        assert reply.status_code < 500, name
        if reply.streaming:
            reply.close()
    after = (Study.objects.get().revision, AuditEntry.objects.count(), kept.count())
    assert after == before


def test_owners_get_an_answer_everywhere_that_is_logged_and_that_no_cache_keeps(clients):
    """Each page that they are shown leads to its help and names the section it stands in."""
    shown, unlogged, without_help, other_sections = set(), set(), set(), {}
    for name, pattern in ROUTES:
        before = AccessEntry.objects.count()
        forget_readings()
        reply = ask(clients["owner"], "get", name, pattern)
        assert reply.status_code < 500, name
        assert {"private", "no-store"} <= set(reply["Cache-Control"].split(", ")), name
        if STUDY.search(pattern):
            assert reply.status_code not in (401, 403) or "export" in name, name
        is_page = reply.status_code != 200 or reply["Content-Type"].startswith("text/html")
        if not is_page and AccessEntry.objects.count() == before:
            unlogged.add(name)
        if reply.streaming:
            reply.close()
        elif name in TOPICS and reply.status_code == 200 and b"<header>" in reply.content:
            shown.add(name)
            if f'<a href="/help/{topic_address(name)}">Help</a>' not in reply.text:
                without_help.add(name)
            if name in SECTION_PAGES and (section := shown_section(reply.text)) != title_of(name):
                other_sections[name] = section
    assert len(shown) > 30
    assert unlogged <= SHOWN
    assert (without_help, other_sections) == (set(), {})
    assert "Cache-Control" not in clients["visitor"].get("/help/")


def shown_section(page: str) -> str:
    """Return the section of a study that a page says it stands in."""
    [nav] = [nav for nav in parse(page).iter("nav") if nav.get("aria-label") == "Study"]
    [shown] = [words(link) for link in nav.iter("a") if link.get("aria-current")]
    return shown


def title_of(name: str) -> str:
    """Return the title that stands for a page among the sections of its study."""
    section = section_of(name)
    return SECTION_PAGES[name] if section is SETTINGS else section.title
