"""Eight simulated annotators in real HTTP through every protocol, with all that browsers do.

They click twice, reload, rate in two tabs, lose connections and leave early. Afterwards the
stored ratings are what they meant, to the row.
"""

import http.client
import random
import re
import socket
import threading
import urllib.parse
import uuid
import zlib
from itertools import product
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from annotation.models import Annotator, Assignment, Campaign, Rating, Submission
from annotation.people.invitations import new_links
from annotation.protocols.catalogue import LIVE
from annotation.protocols.layouts.best_worst import BEST_WORST
from annotation.protocols.layouts.several import ORDER
from demo.simulator import Annotator as Simulated
from demo.simulator import best_and_worst, choose, rate
from tests.fixtures.campaigns import make_campaign, make_study

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
PEOPLE = [
    Simulated(severity=4 * (number % 3), noise=6 + number, carelessness=0.02 * number,
              position_bias=number % 4)
    for number in range(8)
]  # fmt: skip
PROTOCOLS = {
    "style_transfer_intensity": {},
    "content_preservation": {"masked": False},
    "relative_naturalness": {"tie": True},
    "absolute_naturalness": {},
    "direct_assessment": {"step": 0.1},
    "output_against_output": {"tie": True, "aspects": ["overall", "fluency"]},
    "ranking": {},
    "best_worst": {},
    "likert": {"aspects": ["style", "content", "fluency", "overall"]},
}
DESIGNS = ("balanced_overlap", "shared_queue")
IN_EVERY_RUN = {
    ("direct_assessment", "shared_queue"),
    ("output_against_output", "balanced_overlap"),
    ("ranking", "shared_queue"),
}
EVERY_PROTOCOL = [
    pytest.param(*each, marks=[] if each in IN_EVERY_RUN else pytest.mark.nightly)
    for each in product(sorted(LIVE), DESIGNS)
]
"""In every run a protocol of each kind of answer, by night each with both designs."""
BEHAVIOURS = ("once", "once", "twice", "reload", "two tabs", "connection lost", "corrected")
Key = tuple[int, int, str]


def quality(output: int) -> float:
    """The true quality of an output, 0 to 100."""
    return float(zlib.crc32(str(output).encode()) % 101)


class Browser(threading.Thread):
    """One annotator's browser; `meant` holds what the annotator wanted to say."""

    def __init__(self, host: str, campaign: Campaign, annotator: Annotator, token: str) -> None:
        super().__init__()
        self.host, self.campaign, self.annotator, self.token = host, campaign, annotator, token
        self.random = random.Random(annotator.number)
        self.meant: dict[Key, float | str] = {}
        self.cookies: dict[str, str] = {}
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.rate_everything()
        except BaseException as error:
            self.failure = error
        finally:
            connection.close()

    def rate_everything(self) -> None:
        self.ask("GET", f"/join/{self.token}/")
        # Two of the eight leave before they have finished.
        left = 5 if self.annotator.number in (2, 6) else 10_000
        while left and (form := self.open_page()):
            left -= 1
            self.answer(form, self.random.choice(BEHAVIOURS))

    def open_page(self) -> dict[str, str]:
        status, page = self.ask("GET", f"/rate/{self.annotator.public_id}/")
        assert status == 200, page
        return dict(HIDDEN.findall(page))

    def answer(self, form: dict[str, str], behaviour: str) -> None:
        values, stored = self.opinion(form["assignment"], occasion=0)
        if behaviour == "twice":
            both = [threading.Thread(target=self.submit, args=(form | values,)) for _ in range(2)]
            for each in both:
                each.start()
            for each in both:
                each.join()
        elif behaviour == "reload":
            # A reload shows the same texts under another submission; only one is sent.
            self.submit(self.open_page() | values)
        elif behaviour == "two tabs":
            other = self.open_page()
            assert other["assignment"] == form["assignment"]
            self.submit(form | values)
            changed, _ = self.opinion(form["assignment"], occasion=1)
            assert self.submit(other | changed) == 409
        elif behaviour == "connection lost":
            self.lose(form | values)
            assert self.submit(form | values) == 200
        elif behaviour == "corrected":
            self.submit(form | values)
            path = f"/rate/{self.annotator.public_id}/item/{form['assignment']}/"
            again = dict(HIDDEN.findall(self.ask("GET", path)[1]))
            values, stored = self.opinion(form["assignment"], occasion=1)
            assert self.submit(again | values) == 200
        else:
            assert self.submit(form | values) == 200
        self.meant |= stored

    def opinion(self, assignment: str, occasion: int) -> tuple[dict[str, str], dict[Key, Any]]:
        """Return the fields to send, and what should be stored for them."""
        lead = Assignment.objects.select_related("item").get(public_id=assignment)
        screen = Assignment.objects.filter(
            annotator=self.annotator, position=lead.position, item__screen=lead.item.screen
        ).select_related("item")
        items = sorted(screen, key=lambda each: (not each.lead, each.pk))
        fields: dict[str, str] = {}
        stored: dict[Key, Any] = {}
        if self.campaign.rules.layout is BEST_WORST:
            return self.best_worst([each.item.first_id for each in items], occasion)
        for number, each in enumerate(items):
            for place, question in enumerate(self.campaign.rules.questions(self.campaign.config)):
                key = (each.item.first_id, each.item.second_id or 0, question.aspect)
                name = f"answer-{number}-{question.aspect}"
                if self.campaign.rules.layout.chooses:
                    stored[key] = self.prefer(each, place, occasion)
                    fields[name] = question.write(stored[key], each.swapped)
                elif self.campaign.rules.layout is ORDER:
                    stored[key] = float((number + occasion) % len(items) + 1)
                    fields[name] = f"{stored[key]:g}"
                else:
                    scale = (question.low, question.high)
                    span = question.high - question.low
                    score = rate(
                        question.low + span * quality(each.item.first_id) / 100, PEOPLE,
                        self.annotator.number, each.item_id, place, scale, question.step, 1,
                        occasion,
                    )  # fmt: skip
                    fields[name] = f"{score:.15g}"
                    stored[key] = float(fields[name])
        return fields, stored

    def best_worst(self, items: list[int], occasion: int) -> tuple[dict[str, str], dict[Key, Any]]:
        best, worst = best_and_worst(
            [quality(item) for item in items], PEOPLE, self.annotator.number, items, 1, occasion
        )
        fields = {"answer-0-best": "abcd"[best], "answer-0-worst": "abcd"[worst]}
        numbers = {items[best]: 1.0, items[worst]: -1.0}
        return fields, {(item, 0, "overall"): numbers.get(item, 0.0) for item in items}

    def prefer(self, assignment: Assignment, place: int, occasion: int) -> str:
        item = assignment.item
        return choose(
            quality(item.first_id), quality(item.second_id), assignment.swapped, PEOPLE,
            self.annotator.number, item.pk * 10 + place, 1, ties=4, occasion=occasion,
        )  # fmt: skip

    def submit(self, form: dict[str, str]) -> int:
        status, page = self.ask("POST", f"/rate/{self.annotator.public_id}/submit/", form)
        assert status in (200, 409), page
        return status

    def lose(self, form: dict[str, str]) -> None:
        """Send a submission and hang up before the reply."""
        body, headers = self.request(form)
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        path = f"/rate/{self.annotator.public_id}/submit/"
        host, _, port = self.host.partition(":")
        with socket.create_connection((host, int(port))) as line:
            line.sendall(
                f"POST {path} HTTP/1.1\r\nHost: {self.host}\r\n{head}"
                f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode()
            )

    def request(self, form: dict[str, str] | None) -> tuple[str, dict[str, str]]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if form is None:
            return "", headers
        headers |= {
            "Content-Type": "application/x-www-form-urlencoded",
            "X-Requested-With": "fetch",
        }
        return urllib.parse.urlencode(form), headers

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, str]:
        body, headers = self.request(form)
        line = http.client.HTTPConnection(self.host, timeout=60)
        line.request(method, path, body or None, headers)
        reply = line.getresponse()
        page = reply.read().decode()
        for value in reply.headers.get_all("Set-Cookie") or ():
            name, _, rest = value.partition("=")
            self.cookies[name] = rest.partition(";")[0]
        line.close()
        return reply.status, page


@pytest.mark.parametrize(("protocol", "design"), EVERY_PROTOCOL)
def test_what_is_stored_is_what_eight_annotators_meant(live_server, protocol, design):
    campaign, people = make_campaign(
        make_study(5, 3),
        protocol,
        annotators=8,
        ratings_per_item=3,
        design=design,
        config=PROTOCOLS[protocol],
    )
    Annotator.objects.update(guidelines_read_at=timezone.now())
    links = new_links(people)
    host = urllib.parse.urlsplit(live_server.url).netloc
    browsers = [Browser(host, campaign, person, links[person.pk]) for person in people]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join()
    assert [browser.failure for browser in browsers if browser.failure] == []

    for browser in browsers:
        found = {
            (rating.submission.item.first_id, rating.submission.item.second_id or 0, rating.aspect):
            rating.value if rating.value is not None else rating.choice
            for rating in Rating.objects.counted(campaign.study)
            .filter(submission__annotator=browser.annotator)
            .select_related("submission__item")
        }  # fmt: skip
        assert found == browser.meant
    for item in campaign.items.all():
        raters = Submission.objects.filter(item=item, revision=1).values_list(
            "annotator", flat=True
        )
        assert len(raters) == len(set(raters)) <= 3
    assert not Submission.objects.filter(surplus=True).exists()
    assert len({*Submission.objects.values_list("uuid", flat=True)}) == Submission.objects.count()
    assert all(
        isinstance(each, uuid.UUID) for each in Submission.objects.values_list("uuid", flat=True)
    )
