"""Nothing that an annotator is sent tells a system, from the link to the completion code."""

import re
import uuid
from itertools import product

import pytest
from django.test import Client
from django.utils import timezone

from annotation.models import Annotator, Campaign, Submission
from annotation.people.invitations import new_links, revoke
from annotation.protocols.catalogue import LIVE
from annotation.queue.handing_out import next_assignments
from corpus.models import Output
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaigns import make_campaign, make_study, possible_answers, read_again, send
from tests.fixtures.rating_pages import fields

pytestmark = pytest.mark.django_db
CONTROLS = {
    "style_transfer_intensity": {"repeats": 2, "references": 2},
    "content_preservation": {"repeats": 1, "degraded": 1, "references": 2},
    "relative_naturalness": {"repeats": 2, "degraded": 2},
    "absolute_naturalness": {"repeats": 1, "degraded": 1, "references": 2},
    "direct_assessment": {"repeats": 1, "degraded": 1, "references": 2},
    "output_against_output": {"repeats": 1, "degraded": 1, "references": 2},
    "ranking": {},
    "best_worst": {"repeats": 1, "degraded": 1, "references": 1},
    "likert": {"repeats": 2, "degraded": 2},
}
IN_EVERY_RUN = {
    ("content_preservation", "balanced_overlap"),
    ("output_against_output", "shared_queue"),
    ("best_worst", "balanced_overlap"),
}
"""Masked texts, two outputs side by side, and several on one screen; by night all protocols."""

FEEDBACK = "Feedback that the owner wrote."


class Browser(Client):
    """A browser that keeps every byte that it was sent."""

    def __init__(self) -> None:
        super().__init__(raise_request_exception=False)
        self.sent: list[tuple[str, int, str]] = []

    def request(self, **request):
        reply = super().request(**request)
        head = "\n".join(f"{name}: {value}" for name, value in reply.headers.items())
        cookies = str(reply.cookies)
        body = reply.content.decode()
        self.sent.append((request["PATH_INFO"], reply.status_code, f"{head}\n{cookies}\n{body}"))
        return reply

    @property
    def statuses(self) -> set[int]:
        return {status for _, status, _ in self.sent}


def blinded(protocol, design, **values):
    """A study whose systems, segments and lexicon have names that occur nowhere else."""
    secret = uuid.uuid4().hex
    study = make_study(6, 3)
    for system in study.systems.filter(kind="system"):
        system.name = f"SENTINEL{system.ordinal}{secret}"
        system.save()
    for segment in study.segments.all():
        segment.key = f"SEGMENT{segment.ordinal}{secret}"
        segment.save()
    store_lexicon(study, f"LEXICON{secret}", [LexiconEntry("some words")])
    campaign, people = make_campaign(
        study,
        protocol,
        annotators=2,
        design=design,
        consent="Do you agree?",
        questions=["First language"],
        content_warning="It may offend.",
        guidelines="# Read",
        invite_code="COME-IN",
        selection={
            "mask": {"lexicon": f"LEXICON{secret}"},
            "controls": CONTROLS[protocol],
            **practice(study, protocol),
            **values,
        },
    )
    return campaign, people, secret


def practice(study, protocol):
    keys = list(study.segments.order_by("ordinal").values_list("key", flat=True))
    names = list(study.systems.filter(kind="system").values_list("name", flat=True))
    if LIVE[protocol].layout.outputs > 1:
        texts = {"outputs": [[keys[0], name] for name in names[:3]]}
    else:
        texts = {"output": [keys[0], names[0]], "against": [keys[0], names[1]]}
    return {"practice": [{**texts, "feedback": FEEDBACK}]}


def answers(campaign, page):
    """Possible answers to everything that a page asks."""
    names = dict.fromkeys(re.findall(r'name="(answer-\d+-\w+)"', page))
    count = page.count("<h2>Output ") or page.count('class="judged"')
    possible = possible_answers(campaign, count, 3)
    places = (name.split("-")[1:] for name in names)
    return {f"answer-{item}-{asked}": possible[int(item)][asked] for item, asked in places}


def walk(campaign, people):
    """Meet every page and every error that an annotator can meet; return what was sent."""
    annotator, other = people
    own = f"/rate/{annotator.public_id}"
    browser = Browser()
    browser.get("/join/no-such-token/")
    browser.get("/join-by-code/COME-IN/")
    browser.get(f"{own}/")
    browser.get(f"/join/{new_links([annotator])[annotator.pk]}/", follow=True)
    browser.post(f"{own}/consent/", {})
    browser.post(f"{own}/consent/", {"consent": "yes", "about-0": "Welsh"}, follow=True)
    browser.post(f"{own}/guidelines/read/", follow=True)
    number = 0
    while True:
        page = browser.get(f"{own}/").text
        form = fields(page)
        if "assignment" not in form:
            break
        number += 1
        given = answers(campaign, page)
        here = f"{own}/item/{form['assignment']}/"
        browser.get(f"{here}feedback/")
        if number <= 3:
            browser.post(f"{own}/draft/", form | given)
            browser.post(f"{own}/draft/", form | {"comment": "from another tab"})
            browser.post(f"{own}/draft/", form | {"answer-0-style": "x" * 200_000})
            browser.post(f"{own}/submit/", form)
            browser.post(f"{own}/submit/", form | dict.fromkeys(given, "nonsense"))
        script = {"X-Requested-With": "fetch"} if number % 2 else {}
        said = {"comment": "my comment"} if number % 3 else {"action": "cannot", "reason": "no"}
        reply = browser.post(f"{own}/submit/", form | given | said, headers=script, follow=True)
        assert reply.status_code == 200
        if number <= 3:
            browser.get(here)
            browser.get(f"{here}feedback/")
            browser.post(f"{own}/submit/", form | given | {"submission": str(uuid.uuid4())})
            browser.post(f"{own}/submit/", form | given | {"comment": "changed"})
        browser.get(f"{own}/done/")
    assert annotator.completion_code in page
    browser.get(f"{own}/guidelines/")
    browser.get(f"{own}/item/{uuid.uuid4()}/")
    browser.get(f"{own}/submit/")
    browser.post(f"{own}/submit/", {"assignment": "x"})
    browser.get(f"/rate/{other.public_id}/")
    for state in ("paused", "closed"):
        Campaign.objects.update(state=state)
        browser.get(f"{own}/")
    Campaign.objects.update(state="open")
    Annotator.objects.filter(pk=annotator.pk).update(qualified=False)
    browser.get(f"{own}/")
    # Something that cannot be read makes the server fail: its page tells nothing either.
    Campaign.objects.update(config={"aspects": 5, "tie": 5, "labels": 5, "show_source": 5})
    browser.get(form_address(own, annotator))
    revoke(annotator)
    browser.get(f"{own}/")
    return browser


def form_address(own, annotator):
    return f"{own}/item/{annotator.assignments.filter(lead=True).first().public_id}/"


@pytest.mark.parametrize(
    ("protocol", "design"),
    [
        pytest.param(*each, marks=[] if each in IN_EVERY_RUN else pytest.mark.nightly)
        for each in product(LIVE, ("balanced_overlap", "shared_queue"))
    ],
)
def test_no_byte_that_is_sent_tells_a_system(protocol, design):
    campaign, people, secret = blinded(protocol, design)
    other = read_again(people[1])
    Annotator.objects.update(guidelines_read_at=timezone.now())
    screen = next_assignments(other)
    theirs = possible_answers(campaign, len(screen), 4)
    send(other, screen[0], *theirs, comment=f"COMMENT{secret}")
    Annotator.objects.filter(pk=people[0].pk).update(guidelines_read_at=None)
    browser = walk(campaign, people)
    told = {200, 302, 400, 403, 404, 405, 409, 413, 422, 500}
    assert browser.statuses == told
    assert any(FEEDBACK in body for _, _, body in browser.sent)
    kinds = Submission.objects.filter(annotator=people[0]).values_list("item__kind", flat=True)
    assert len(set(kinds)) == len(CONTROLS[protocol]) + 2
    for path, status, body in browser.sent:
        for word in (secret, "SENTINEL", "(source)", "(reference)", "degraded", "repeat", "system"):
            assert word not in re.sub(r"system-ui|operating system", "", body), (path, status, word)


@pytest.mark.parametrize("protocol", ["relative_naturalness", "output_against_output"])
def test_earlier_answers_tell_no_more_of_a_pair_than_its_screen_did(protocol):
    _campaign, [annotator] = make_campaign(make_study(8, 2), protocol, annotators=1)
    Annotator.objects.update(guidelines_read_at=timezone.now())
    client = Client()
    client.get(f"/join/{new_links([annotator])[annotator.pk]}/")
    on_side_a = []
    while screen := next_assignments(annotator):
        [lead] = screen
        item = lead.item
        on_side_a.append((item.second if lead.swapped else item.first).text)
        send(annotator, lead)
    listed = client.get(f"/rate/{annotator.public_id}/done/").text
    shown = [each.strip() for each in re.findall(r'dir="auto">(text [^<]*)</a>', listed)]
    assert shown == on_side_a[::-1]
    sources = set(Output.objects.filter(system__kind="source").values_list("text", flat=True))
    assert not set(shown) <= sources
