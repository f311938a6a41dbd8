"""Every address of the site, by every role and method, with what a private study can hold."""

import datetime as dt
import re

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.filter.question import Question
from analysis.frozen.service import freeze, share, stop_sharing
from annotation.models import CampaignSet, Contact, Participant
from annotation.people.invitations import new_links
from corpus.jobs.queue import ask_for_job
from corpus.jobs.worker import run_next
from corpus.models import Invitation, Job, Membership, StyleLexicon
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.secret_study import ANNOTATORS, SAMPLES, SECRET, STUDY, routes, secret_study

pytestmark = [pytest.mark.slow, pytest.mark.nightly, pytest.mark.django_db]
# What anybody's reading writes: sessions, limits, what takes long and is computed once, and the log
# of who signed in, failed to, or downloaded.
WRITTEN_BY_READING = re.compile(
    "session|ratelimit|axes|corpus_job|analysis_result|analysis_collectionresult"
    "|metrics_wordattributions|corpus_accessentry|corpus_worker"
)


@pytest.fixture
def study(tmp_path):
    return secret_study(tmp_path / "small")


@pytest.fixture
def people(study):
    """A browser for each role; strangers own another study, and annotators rate in it."""
    other = make_study(slug="other")
    clients = {"nobody": Client(), "annotator": Client()}
    for role in ("stranger", "researcher", "owner", "administrator"):
        person = User.objects.create_user(role, is_superuser=role == "administrator")
        if role != "administrator":
            Membership.objects.create(
                study=other if role == "stranger" else study, user=person,
                role="researcher" if role == "researcher" else "owner",
            )  # fmt: skip
        clients[role] = Client()
        clients[role].force_login(person)
    _, [annotator] = make_campaign(other, annotators=1)
    [link] = new_links([annotator]).values()
    clients["annotator"].get(f"/join/{link}/")
    for client in clients.values():
        client.raise_request_exception = False
    return clients


@pytest.fixture
def addresses(study, people):
    """Every address, filled in with what there is, and whether it belongs to the study."""
    places = what_a_study_can_hold(study)
    while run_next():
        pass
    return [
        (
            reverse(name, kwargs=values(name, pattern, places)),
            bool(STUDY.search(pattern) or ANNOTATORS.match(name)),
        )
        for name, pattern in sorted(set(routes()))
        if name != "logout"
    ]


def what_a_study_can_hold(study):
    """Fill the study; return primary keys by the words that names of routes begin with."""
    owner = User.objects.get(username="owner")
    campaign, [annotator, _] = make_campaign(study, title=SECRET, guidelines=SECRET, consent=SECRET)
    Contact.objects.create(annotator=annotator, name=SECRET)
    together = CampaignSet.objects.create(study=study, slug="set", title=SECRET)
    participant = Participant.objects.create(set=together, pseudonym=SECRET, number=0)
    until = timezone.now() + dt.timedelta(days=1)
    invitation = Invitation.objects.create(study=study, role="owner", note=SECRET, expires_at=until)
    store_lexicon(study, SECRET, [LexiconEntry("gonna", "informal", -2.0)])
    frozen = freeze(study, "agreement", Question(aspect="content"), owner, SECRET)
    share(frozen, owner)
    token = frozen.token
    stop_sharing(frozen, owner)
    export = ask_for_job("export", "export", study=study, user=owner, parameters={})
    return {
        "job": Job.objects.filter(study=study).earliest("pk").pk,
        "report-again": export.pk, "export": export.pk,
        "campaign": annotator.pk, "campaign-set": participant.pk,
        "study-member": study.memberships.get(user__username="researcher").pk,
        "study-invitation": invitation.pk, "study-frozen": frozen.pk,
        "study-lexicon": StyleLexicon.objects.get().pk,
        "study-run": study.runs.earliest("pk").pk,
        "named": {
            "campaign": campaign.slug, "campaign_set": "set", "file": "report.json",
            "annotator_id": annotator.public_id, "slug": "small", "kind": "agreement",
            "public_id": annotator.assignments.earliest("pk").public_id,
        },
        "shared": token,
    }  # fmt: skip


def values(name, pattern, places):
    """Fill a pattern in with what there is of the kind that a route's name begins with."""
    kinds = [kind for kind in places if name.removeprefix("api-").startswith(kind)]
    row = places[max(kinds, key=len)] if kinds else 1
    known = SAMPLES | places["named"] | {"pk": row}
    if name.startswith("shared"):
        known["token"] = places["shared"]
    return {each: known.get(each, "1") for each in re.findall(r"<\w+:(\w+)>", pattern)}


def rows():
    """Return the rows of all tables that nobody writes by reading."""
    return {
        (model._meta.db_table, *map(str, row))
        for model in apps.get_models()
        if not WRITTEN_BY_READING.search(model._meta.db_table)
        for row in model._default_manager.values_list()
    }


def ask(client, method, path):
    """Return the status of an answer, where it leads to, and whether it shows the study."""
    kept = client.cookies.copy()
    reply = client.generic(method, path)
    client.cookies = kept
    body = b"".join(reply) if reply.streaming else reply.content
    shows = SECRET in body.decode(errors="replace") + str(reply.headers)
    return reply.status_code, reply.get("Location", ""), shows


@pytest.mark.parametrize("role", ["nobody", "annotator", "stranger"])
def test_outsiders_reach_nothing_and_change_nothing_by_any_method(addresses, people, role):
    client, before, leaks = people[role], rows(), []
    for path, is_of_the_study in addresses:
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE"):
            status, leads_to, leaked = ask(client, method, path)
            assert status < 500, (method, path)
            if role == "stranger" and "/studies/small/" in path:
                absent = path.replace("/studies/small/", "/studies/absent/")
                leaked |= ask(client, method, absent)[0] != status
            elif is_of_the_study and not leads_to.startswith("/sign-in/"):
                leaked |= status not in (401, 403, 404, 405)
            if leaked:
                leaks.append((method, path, status))
    assert leaks == []
    assert rows() ^ before == set()
    assert client.get("/account/").status_code == (200 if role == "stranger" else 302)


def test_researchers_change_nothing_by_any_method(addresses, people):
    before, shown = rows(), 0
    for path, _ in addresses:
        for method in ("GET", "HEAD", "POST", "PUT", "DELETE"):
            status, _, shows = ask(people["researcher"], method, path)
            assert status < 500, (method, path)
            shown += shows
    assert rows() ^ before == set()
    assert shown > 20


@pytest.mark.parametrize("role", ["owner", "administrator"])
def test_who_may_see_the_study_finds_it_at_many_of_these_addresses(addresses, people, role):
    shown = 0
    for path, _ in addresses:
        for method in ("GET", "HEAD"):
            status, _, shows = ask(people[role], method, path)
            assert status < 500, (method, path)
            shown += shows
    # Were it shown to nobody, not finding it elsewhere would prove nothing.
    assert shown > 20
