"""Record what raters and owners see of every protocol, and what is stored of what they send.

Run before and after a change that is to leave pages and ratings as they are, then compare::

    python scripts/record_rating_pages.py before
    python scripts/record_rating_pages.py after
    diff -r before after

For each campaign below, in a new database of its own: the owner's form, practice page, preview and
screens to try; every page that two annotators get, with practice, feedback and control items; the
replies to submissions that are refused; and all ratings that were stored. Random identifiers are
numbered and the clock stands still, so that two runs are equal. Answers are read off the forms, so
that a new protocol needs only its line in `CAMPAIGNS`.
"""

import datetime as dt
import json
import logging
import os
import random
import re
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from unittest import mock

CONTROLS = {"repeats": 1, "degraded": 2, "references": 1}
WITHOUT_REFERENCES = {"repeats": 1, "degraded": 2}
CAMPAIGNS: dict[str, dict[str, Any]] = {
    "style_transfer_intensity": {"protocol": "style_transfer_intensity", "controls": CONTROLS},
    "style_transfer_table": {"protocol": "style_transfer_intensity", "config": {"table": True}},
    "content_preservation": {
        "protocol": "content_preservation",
        "config": {"masked": False, "highlight": True},
        "controls": CONTROLS,
    },
    "relative_naturalness": {
        "protocol": "relative_naturalness",
        "config": {"tie": True},
        "controls": WITHOUT_REFERENCES,
    },
    "absolute_naturalness": {
        "protocol": "absolute_naturalness",
        "controls": CONTROLS,
        "design": "shared_queue",
    },
    "absolute_table": {"protocol": "absolute_naturalness", "config": {"table": True}},
    "direct_assessment": {
        "protocol": "direct_assessment",
        "config": {"step": 25.0},
        "controls": CONTROLS,
    },
    "output_against_output": {
        "protocol": "output_against_output",
        "config": {"tie": True, "aspects": ["overall", "fluency"], "show_source": False},
        "controls": CONTROLS,
        "pairs": 2,
        # Texts that the protocol brings would show the source.
        "brings_practice": False,
    },
    "pairs_in_a_queue": {
        "protocol": "output_against_output",
        "controls": CONTROLS,
        "design": "shared_queue",
    },
    "ranking": {"protocol": "ranking"},
    "ranking_of_six": {"protocol": "ranking", "config": {"tie": True}, "systems": 6},
    "ranking_in_a_queue": {"protocol": "ranking", "design": "shared_queue"},
    "best_worst": {"protocol": "best_worst", "systems": 4, "controls": CONTROLS},
    "best_worst_in_a_queue": {
        "protocol": "best_worst",
        "systems": 6,
        "controls": CONTROLS,
        "design": "shared_queue",
    },
    "likert": {
        "protocol": "likert",
        "config": {"six_tenths": True},
        "controls": WITHOUT_REFERENCES,
    },
    "likert_table": {
        "protocol": "likert",
        "config": {"table": True, "show_reference": False},
        "brings_practice": False,
    },
}
NOW = dt.datetime(2030, 1, 1, 12, tzinfo=dt.UTC)
TOKEN = re.compile(r'(csrfmiddlewaretoken" value="|X-CSRFToken": "|As of )[^".]*')
IDENTIFIER = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
BLANKS = re.compile(r"\s*\n\s*")


class AnswerFields(HTMLParser):
    """The hidden fields of a form, and for each field of an answer what may be sent."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.hidden: dict[str, str] = {}
        self.offered: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note an input."""
        given = {name: value or "" for name, value in attributes}
        name, kind = given.get("name", ""), given.get("type")
        if tag != "input" or not name:
            return
        if kind == "hidden":
            self.hidden[name] = given.get("value", "")
        elif name.startswith("answer-"):
            values = [given[end] for end in ("min", "max")] if kind == "number" else []
            self.offered.setdefault(name, []).extend(values or [given["value"]])

    def answers(self, turn: int) -> dict[str, str]:
        """Return possible answers, others at each turn and for each field."""
        fields = enumerate(self.offered.items())
        return {name: values[(turn + place) % len(values)] for place, (name, values) in fields}


class Recorder:
    """Writes what one campaign shows and stores into a folder."""

    def __init__(self, folder: Path, name: str, settings: dict[str, Any]) -> None:
        self.folder = folder / name
        self.folder.mkdir(parents=True)
        self.settings = settings
        self.count = 0
        self.identifiers: dict[str, str] = {}

    def write(self, name: str, text: str) -> None:
        """Write one file; their numbers keep the order."""
        self.count += 1
        text = IDENTIFIER.sub(self.identifier, BLANKS.sub("\n", TOKEN.sub(r"\1", text)))
        (self.folder / f"{self.count:03} {name}").write_text(text + "\n")

    def identifier(self, found: re.Match[str]) -> str:
        """Return a random identifier's place among all."""
        return self.identifiers.setdefault(found[0], f"identifier {len(self.identifiers) + 1}")

    def page(self, name: str, answer: Any) -> str:
        """Write a reply with its status."""
        text: str = answer.content.decode() if not answer.streaming else answer.getvalue().decode()
        self.write(
            f"{name}.html", f"{answer.status_code} {answer.headers.get('Location', '')}\n{text}"
        )
        return text

    def stored(self, name: str, value: Any) -> None:
        """Write a value as JSON."""
        self.write(f"{name}.json", json.dumps(value, indent=1, sort_keys=True, default=str))

    def record(self) -> None:
        """Prepare a campaign by its pages, start it, rate everything, and write all of it down."""
        from annotation.models import Annotator
        from annotation.people.invitations import new_links
        from tests.fixtures.campaign_pages import prepared, signed_in
        from tests.fixtures.campaigns import make_study

        study = make_study(8, self.settings.get("systems", 3), copied="s3")
        owner = signed_in("ada", study)
        prepared(owner, study, f"protocol:{self.settings['protocol']}", practice=True)
        campaign = study.campaigns.get()
        campaign.config |= self.settings.get("config", {})
        if not self.settings.get("brings_practice", True):
            campaign.selection["practice"] = []
        campaign.save()
        self.practice(owner, campaign)
        campaign.refresh_from_db()
        campaign.selection |= {
            "controls": self.settings.get("controls", {}),
            "pairs": self.settings.get("pairs"),
            "annotators": 2,
            "qualification": {"pass": 0.0},
        }
        campaign.seed, campaign.ratings_per_item = 7, 2
        campaign.design = self.settings.get("design", "balanced_overlap")
        campaign.save()
        address = f"/studies/{study.slug}/campaigns/{campaign.slug}/"
        for name in ("edit", "practice", "preview"):
            self.page(name, owner.get(f"{address}{name}/"))
        for number in (0, 1):
            self.page("try", owner.get(f"{address}try/?screen={number}"))
        self.page("start", owner.post(f"{address}start/", {"confirmed": "yes"}))
        campaign.refresh_from_db()
        self.stored("campaign", {"state": campaign.state, "selection": campaign.selection})
        for annotator in Annotator.objects.order_by("number"):
            self.rate(annotator, new_links([annotator])[annotator.pk])
        self.ratings(campaign)
        self.page("monitor", owner.get(address))
        self.page("datasheet", owner.get(f"{address}datasheet/"))

    def practice(self, owner: Any, campaign: Any) -> None:
        """Add a practice item with texts of the study, then faulty ones, by the form."""
        from tests.fixtures.html_forms import fields_of

        address = f"/studies/{campaign.study.slug}/campaigns/{campaign.slug}/practice/"
        page = self.page("practice as brought", owner.get(address))
        fields = {name: values[0] for name, values in fields_of(page, "count").items()}
        new = f"item-{int(fields['count']) - 1}-"
        systems = iter([f"system-{number}" for number in (1, 0, 2)])
        answers = iter(("2", "1", "3"))
        for name in fields:
            part = name.removeprefix(new)
            if name == part or part.startswith("own-"):
                continue
            if part.startswith(("system", "against")):
                fields[name] = next(systems, "")
            elif part.startswith("answer"):
                fields[name] = self.expected(page, name) or next(answers, "")
        fields |= {f"{new}segment": "s1", f"{new}feedback": "As it is."}
        self.page("practice saved", owner.post(address, fields))
        campaign.refresh_from_db()
        self.stored("practice", campaign.selection["practice"])
        again = self.page("practice with texts of the study", owner.get(address))
        fields = {name: values[0] for name, values in fields_of(again, "count").items()}
        self.page("practice of no segment", owner.post(address, fields | {f"{new}segment": "no"}))
        own = {name: "The same text" for name in fields if "-own-output" in name}
        self.page("practice of one text", owner.post(address, fields | own))
        off = {name: "9999" for name in fields if "-answer-" in name}
        self.page("practice off the scale", owner.post(address, fields | off))

    def expected(self, page: str, name: str) -> str:
        """Return the first answer that a list offers; empty where the field is a number."""
        found = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
        values = re.findall(r'<option value="([^"]+)"', found[0]) if found else []
        return str(values[0]) if values else ""

    def rate(self, annotator: Any, token: str) -> None:
        """Go through all pages of one annotator."""
        from django.test import Client

        client = Client()
        who = f"annotator {annotator.number + 1}"
        client.get(f"/join/{token}/")
        address = f"/rate/{annotator.public_id}/"
        self.page(f"{who} guidelines", client.get(f"{address}guidelines/"))
        client.post(f"{address}guidelines/read/")
        for turn in range(200):
            page = self.page(f"{who} screen", client.get(address))
            form = AnswerFields(page)
            if not form.offered:
                break
            if turn in (0, 5):
                self.refused(client, address, form, turn)
            values = form.hidden | form.answers(turn + annotator.number) | {"seconds": "5.5"}
            if turn == 6:
                values |= {"action": "cannot", "reason": "Empty."}
            reply = client.post(f"{address}submit/", values)
            self.page(f"{who} reply", reply)
            if "feedback" in reply.headers.get("Location", ""):
                self.page(f"{who} feedback", client.get(reply["Location"]))
            if turn in (4, 8):
                self.correct(client, address, form, turn)
        self.page(f"{who} done", client.get(f"{address}done/"))

    def refused(self, client: Any, address: str, form: AnswerFields, turn: int) -> None:
        """Send what cannot be stored, and a draft."""
        alike = {name: values[0] for name, values in form.offered.items()}
        off = dict.fromkeys(form.offered, "7777")
        wrong = {
            "nothing": {},
            "off the scale": off,
            "words": dict.fromkeys(form.offered, "good"),
            "of another revision": form.answers(turn) | {"revision": "3"},
        }
        if len({name.split("-", 2)[1] for name in form.offered}) > 1 or turn == 0:
            wrong["one answer"] = dict(list(alike.items())[:1])
        for name, values in wrong.items():
            reply = client.post(f"{address}submit/", form.hidden | values)
            self.page(f"refused {name}", reply)
        draft = client.post(f"{address}draft/", form.hidden | form.answers(turn + 1))
        self.page("draft", draft)
        self.page("screen with a draft", client.get(address))

    def correct(self, client: Any, address: str, form: AnswerFields, turn: int) -> None:
        """Open a screen again and store other answers."""
        item = f"{address}item/{form.hidden['assignment']}/"
        again = AnswerFields(self.page("screen again", client.get(item)))
        values = again.hidden | again.answers(turn + 2) | {"seconds": "2"}
        self.page("corrected", client.post(f"{address}submit/", values))
        self.page("screen once more", client.get(item))

    def ratings(self, campaign: Any) -> None:
        """Write down every item, answer and rating."""
        from annotation.campaigns.history import history_csv
        from annotation.imports.export import export_ratings
        from annotation.models import Assignment, Item

        of_items = (
            *("screen", "lead", "kind", "occasion", "first__ordinal", "second__ordinal"),
            *("original__first__ordinal", "shown", "wanted", "taken"),
        )
        self.stored("items", list(Item.objects.order_by("pk").values_list(*of_items)))
        of_places = (
            *("annotator__number", "position", "lead", "swapped", "state"),
            *("item__first__ordinal", "item__second__ordinal", "item__kind"),
        )
        rows = Assignment.objects.order_by("annotator", "position", "pk")
        self.stored("assignments", list(rows.values_list(*of_places)))
        self.write("history.csv", "".join(history_csv(campaign)))
        tables = export_ratings(campaign.study)
        self.stored("ratings", [[list(row) for row in table.rows] for table in tables])


def main(folder: Path) -> None:
    """Record all campaigns, each in a transaction of its own that is taken back."""
    from django.conf import settings
    from django.db import transaction
    from django.test.utils import get_runner, setup_test_environment

    logging.disable(logging.WARNING)
    setup_test_environment()
    settings.STORAGES["staticfiles"] = {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
    }
    get_runner(settings)(verbosity=0).setup_databases()
    for name, values in CAMPAIGNS.items():
        source = random.Random(1)  # noqa: S311  (nothing here is secret)
        with (
            mock.patch("secrets.token_hex", lambda size: source.randbytes(size).hex()),  # noqa: B023
            mock.patch("secrets.token_urlsafe", lambda size: source.randbytes(size).hex()),  # noqa: B023
            mock.patch("django.utils.timezone.now", return_value=NOW),
            # Campaigns have one number and one time here, by which counts are kept elsewhere.
            mock.patch("annotation.campaigns.tally._known", {}),
            transaction.atomic(),
        ):
            Recorder(folder, name, values).record()
            transaction.set_rollback(True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as data:
        os.environ |= {
            "TOUCHSTONE_DATA": data,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": "",
        }
        sys.path.insert(0, os.getcwd())
        import django

        django.setup()
        main(Path(sys.argv[1]))
