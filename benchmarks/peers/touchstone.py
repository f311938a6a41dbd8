"""Touchstone, as `make run` starts it."""

import csv
import html
import io
import json
import re
import sys
from collections.abc import Sequence

from benchmarks.fresh_site import ROOT
from benchmarks.peers.browsing import Session
from benchmarks.peers.processes import Server
from benchmarks.peers.tool import ASPECTS, Package, Place, Rating, Text, item_in
from benchmarks.rating_load import HIDDEN, new_database

SYSTEMS = 10
CAMPAIGN = """
import json, sys
from annotation.launch.launching import launch
from annotation.models import Annotator, Campaign
from annotation.people.invitations import new_links
from corpus.models import Study
from corpus.write_turn import write_turn
from django.utils import timezone
campaign = Campaign.objects.create(study=Study.objects.get(slug="{slug}"), slug="load",
    protocol="direct_assessment", origin="live", state="draft", design="shared_queue",
    ratings_per_item=1, seed=1)
people = launch(campaign, {raters}, turn=write_turn)
Annotator.objects.filter(campaign=campaign).update(guidelines_read_at=timezone.now())
links = new_links(people)
print(json.dumps([[p.pseudonym, str(p.public_id), links[p.pk]] for p in people]))
"""


class Touchstone:
    """This checkout, with data of its own."""

    title = "Touchstone"
    storage = "SQLite"
    no_postgresql = ""
    package = Package((), ())
    driven = (
        "`manage.py serve`, as `make run` does; `manage.py import_study` with two CSV files, then "
        "a campaign of direct assessment (style, content, fluency, 0 to 100), shared queue, one "
        "rating for each output. A rating is one POST, whose answer has the next item. Export: the "
        "campaign's `answers.csv`."
    )

    def __init__(self, place: Place) -> None:
        variables = {"TOUCHSTONE_DATA": str(place.folder)}
        if place.postgresql:
            variables |= new_database(place.postgresql, "touchstone_peers")
        serve = [sys.executable, str(ROOT / "manage.py"), "serve", "--no-demo", "--port", "{port}"]
        self.place, self.number = place, 0
        self.people: list[tuple[str, str, str]] = []
        self.server = Server(place.folder, [serve], variables, "/sign-in/")

    def prepare(self) -> None:
        """The start makes the database."""

    def fill(self, items: Sequence[Text], raters: int) -> None:
        """Import a study and start a campaign."""
        self.number += 1
        folder = self.place.folder / f"study-{self.number}"
        folder.mkdir()
        segments = sorted({each.number // SYSTEMS for each in items})
        with (folder / "segments.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["segment", "source", "source_style", "target_style"])
            rows.writerows([n, Text(n).source, "informal", "formal"] for n in segments)
        with (folder / "outputs.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["segment", "system", "output"])
            rows.writerows(
                [each.number // SYSTEMS, f"system-{each.number % SYSTEMS}", each.output]
                for each in items
            )
        manage = [sys.executable, str(ROOT / "manage.py")]
        self.server.run(*manage, "import_study", str(folder))
        code = CAMPAIGN.format(slug=folder.name, raters=raters)
        printed = self.server.run(*manage, "shell", "-v0", "-c", code)
        self.people = json.loads(printed.strip().splitlines()[-1])

    def rater(self, number: int) -> "TouchstoneRater":
        """Return who has one of the links."""
        return TouchstoneRater(self.server.port, *self.people[number])

    def export(self) -> bytes:
        """Return the file of answers, as the owner who signs in by the link of the start."""
        [link] = re.findall(r"Sign in once as .*?(/sign-in\S+)", self.server.log.read_text())[:1]
        if not hasattr(self, "owner") or self.owner.port != self.server.port:
            self.owner = Session(self.server.port)
            page = self.owner.get(link).text
            [token] = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[:1]
            self.owner.post_form(link, {"csrfmiddlewaretoken": token})
        address = f"/studies/study-{self.number}/campaigns/load/answers.csv"
        return self.owner.get(address).content

    @staticmethod
    def ratings_in(export: bytes) -> list[Rating]:
        """Return who rated what: one row for each aspect, of which the first counts."""
        rows = csv.DictReader(io.StringIO(export.decode()))
        return [
            Rating(
                row["annotator"], int(row["segment"]) * SYSTEMS + int(row["system"].split("-")[1])
            )
            for row in rows
            if row["aspect"] == ASPECTS[0] and row["latest"] == "yes"
        ]


class TouchstoneRater:
    """An annotator with a link."""

    def __init__(self, port: int, name: str, public_id: str, token: str) -> None:
        self.session, self.name = Session(port, {"X-Requested-With": "fetch"}), name
        self.public_id, self.token, self.item = public_id, token, -1

    def enter(self) -> bool:
        """Follow the link."""
        self.session.get(f"/join/{self.token}/")
        return self._show(self.session.get(f"/rate/{self.public_id}/").text)

    def rate(self) -> bool:
        """Submit all aspects."""
        answers = {f"answer-0-{aspect}": "50" for aspect in ASPECTS}
        path = f"/rate/{self.public_id}/submit/"
        return self._show(self.session.post_form(path, self.form | answers).text)

    def _show(self, page: str) -> bool:
        self.form = {name: html.unescape(value) for name, value in HIDDEN.findall(page)}
        self.item = item_in(page)
        return self.item >= 0

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the rating page."""
        return f"/rate/{self.public_id}/", self.session.cookies
