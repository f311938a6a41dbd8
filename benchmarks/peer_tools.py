"""Touchstone, Pearmut and Potato: how each is started, filled with items, and rated in over HTTP.

Each keeps its data in a folder of its own, hands out items that are wanted once, and is rated in by
the requests that its own page sends.
"""

import contextlib
import csv
import datetime as dt
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from benchmarks.rating_load import form_in
from benchmarks.site import ROOT, SYSTEMS, Session, environment, free_port

ASPECTS = ("style", "content", "fluency")
LONGEST_START = 300
MARK = re.compile(r"\[item (\d+)\]")
SHOWN = re.compile(r'id="instance_id"[^>]*value="item-(\d+)"')
CAMPAIGN = """
import json
from annotation.launch.launching import launch
from annotation.models import Annotator, Campaign
from annotation.people.invitations import new_links
from corpus.models import Study
from corpus.storage.write_turn import write_turn
from django.utils import timezone
campaign = Campaign.objects.create(study=Study.objects.get(slug="{slug}"), slug="load",
    protocol="direct_assessment", origin="live", state="draft", design="shared_queue",
    ratings_per_item=1, seed=1)
people = launch(campaign, {raters}, turn=write_turn)
Annotator.objects.filter(campaign=campaign).update(guidelines_read_at=timezone.now())
links = new_links(people)
print(json.dumps([[str(p.public_id), links[p.pk]] for p in people]))
"""


def source(number: int) -> str:
    """Return the source of an item."""
    return f"This is source {number}, a sentence of about the usual length."


def output(number: int) -> str:
    """Return the output that is rated, which tells its number."""
    return f"This is what a system has made of source {number}. [item {number}]"


class Rater(Session):
    """Somebody who rates as the tool's own page does; `item` is the one that is shown."""

    item = -1

    def enter(self) -> bool:
        """Open the rating page; say whether an item is shown."""
        raise NotImplementedError

    def rate(self) -> bool:
        """Send a rating of the item and take the next; say whether one is shown."""
        raise NotImplementedError

    def answer(self, method: str, path: str, data: Any = None, *, is_json: bool = False) -> str:
        """Return what the server answers, unless it refuses."""
        status, text = self.ask(method, path, data, is_json=is_json)
        if status >= 400:
            raise OSError(f"{method} {path.partition('?')[0]} answered {status}")
        return text

    def _show(self, page: str, mark: re.Pattern[str] = MARK) -> bool:
        found = mark.search(page)
        self.item = int(found[1]) if found else -1
        return self.item >= 0


class Tool:
    """A tool whose data are in a folder.

    Parameters
    ----------
    folder
    programs
        Folder of the commands of its environment.
    """

    requirement: ClassVar[str] = ""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.number, self.port = 0, free_port()
        self.process: subprocess.Popen[bytes] | None = None

    def fill(self, items: int, raters: int) -> None:
        """Make a new project, and return when raters can rate."""
        raise NotImplementedError

    def rater(self, number: int) -> Rater:
        """Return one of the raters of the project."""
        raise NotImplementedError

    def run(self, *command: str) -> str:
        """Run a command of the tool to its end."""
        return subprocess.run(
            command, cwd=self.folder, env=self.environment(), check=True, text=True,
            stdout=subprocess.PIPE,
        ).stdout  # fmt: skip

    def environment(self) -> dict[str, str]:
        """Return the environment of its commands."""
        return environment(self.folder) | {"HOME": str(self.folder)}

    def start(self, *command: str, folder: Path | None = None) -> None:
        """Start the server, and return when it answers."""
        with (self.folder / "server.log").open("wb") as log:
            self.process = subprocess.Popen(
                command, cwd=folder or self.folder, env=self.environment(), stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        end = time.monotonic() + LONGEST_START
        while self.process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError):
                Session(self.port).ask("GET", "/")
                return
            time.sleep(0.02)
        raise OSError(f"{command[0]} did not start: {self._last_line()}")

    def stop(self) -> None:
        """Stop the server as one does who presses Ctrl+C, and kill what does not listen."""
        if self.process:
            self.process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(15)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _last_line(self) -> str:
        lines = (self.folder / "server.log").read_text(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line.strip()), "without a word")[:200]


class Touchstone(Tool):
    """This checkout: `import_study` of two CSV files, then a campaign with a shared queue."""

    manage = (sys.executable, str(ROOT / "manage.py"))

    def __init__(self, folder: Path, programs: Path) -> None:
        super().__init__(folder, programs)
        self.start(*self.manage, "serve", "--no-demo", "--port", str(self.port))

    def fill(self, items: int, raters: int) -> None:
        """Import a study and start a campaign; the server goes on."""
        self.number += 1
        folder = self.folder / f"study-{self.number}"
        folder.mkdir()
        _write(
            folder / "segments.csv",
            ["segment", "source", "source_style", "target_style"],
            [[n, source(n), "informal", "formal"] for n in range(-(-items // SYSTEMS))],
        )
        _write(
            folder / "outputs.csv",
            ["segment", "system", "output"],
            [[n // SYSTEMS, f"system-{n % SYSTEMS}", output(n)] for n in range(items)],
        )
        self.run(*self.manage, "import_study", str(folder))
        code = CAMPAIGN.format(slug=folder.name, raters=raters)
        printed = self.run(*self.manage, "shell", "-v0", "-c", code)
        self.people = json.loads(printed.strip().splitlines()[-1])

    def rater(self, number: int) -> "Rater":
        """Return who has one of the links."""
        return TouchstoneRater(self.port, *self.people[number])


class TouchstoneRater(Rater):
    """An annotator with a link; a rating is one POST, whose answer has the next item."""

    def __init__(self, port: int, public_id: str, token: str) -> None:
        super().__init__(port, {"X-Requested-With": "fetch"})
        self.public_id, self.token = public_id, token

    def enter(self) -> bool:
        """Follow the link."""
        self.answer("GET", f"/join/{self.token}/")
        return self._next(self.answer("GET", f"/rate/{self.public_id}/"))

    def rate(self) -> bool:
        """Submit all aspects."""
        answers = {f"answer-0-{aspect}": "50" for aspect in ASPECTS}
        path = f"/rate/{self.public_id}/submit/"
        return self._next(self.answer("POST", path, self.form | answers))

    def _next(self, page: str) -> bool:
        self.form = form_in(page)
        return self._show(html.unescape(page))


class Pearmut(Tool):
    """Protocol DA with three sliders, assignment `single-stream`: all raters share one pool."""

    requirement = "pearmut==1.1.6"

    def environment(self) -> dict[str, str]:
        """Return the environment with its folder."""
        return super().environment() | {"PEARMUT_ROOT": str(self.folder)}

    def fill(self, items: int, raters: int) -> None:
        """Add a campaign, and start again, which a new campaign needs."""
        self.stop()
        self.number += 1
        self.campaign = f"campaign-{self.number}"
        sliders = [{"name": aspect, "min": 0, "max": 100, "step": 1} for aspect in ASPECTS]
        users = [f"rater{n}" for n in range(raters)]
        info = {"assignment": "single-stream", "protocol": "DA", "sliders": sliders, "users": users}
        data = [
            [{"src": source(n), "tgt": {"system": output(n)}, "item_id": str(n)}]
            for n in range(items)
        ]
        file = self.folder / f"{self.campaign}.json"
        file.write_text(json.dumps({"info": info, "campaign_id": self.campaign, "data": data}))
        program = str(self.programs / "pearmut")
        self.run(program, "add", str(file))
        self.start(program, "run", "--port", str(self.port))

    def rater(self, number: int) -> Rater:
        """Return one of the users."""
        return PearmutRater(self.port, self.campaign, f"rater{number}")


class PearmutRater(Rater):
    """A user of a campaign; a rating is POST `log-response`, then POST `get-next-item`."""

    def __init__(self, port: int, campaign: str, name: str) -> None:
        super().__init__(port)
        self.who = {"campaign_id": campaign, "user_id": name}

    def enter(self) -> bool:
        """Open the page and take an item."""
        self.answer("GET", "/annotate?" + "&".join(f"{k}={v}" for k, v in self.who.items()))
        return self._next()

    def rate(self) -> bool:
        """Send the values of the sliders."""
        now = time.time()
        value: dict[str, Any] = {
            "score": None,
            "error_spans": [],
            "sliders": dict.fromkeys(ASPECTS, 50),
        }
        payload = {
            "annotation": [{"system": value}],
            "actions": [{"time": now - 5, "action": "load"}, {"time": now, "action": "submit"}],
            "item": self.shown["payload"],
        }
        sent = self.who | {"item_i": self.shown["info"]["item_i"], "payload": payload}
        self.answer("POST", "/log-response", sent, is_json=True)
        return self._next()

    def _next(self) -> bool:
        self.shown = json.loads(self.answer("POST", "/get-next-item", self.who, is_json=True))
        return self._show(json.dumps(self.shown.get("payload", "")))


class Potato(Tool):
    """A CSV file, three sliders, one annotation for each item, no passwords."""

    requirement = "potato-annotation==2.12.1"

    def fill(self, items: int, raters: int) -> None:
        """Write a project and start it, which reads the items; raters register themselves."""
        self.stop()
        self.number += 1
        folder = self.folder / f"project-{self.number}"
        folder.mkdir()
        rows = [[f"item-{n}", f"{source(n)} {output(n)}"] for n in range(items)]
        _write(folder / "items.csv", ["id", "text"], rows)
        slider = {"annotation_type": "slider", "min_value": 0, "max_value": 100}
        config = {
            "annotation_task_name": "Ratings",
            "task_dir": ".",
            "output_annotation_dir": "out",
            "data_files": ["items.csv"],
            "item_properties": {"id_key": "id", "text_key": "text"},
            "annotation_schemes": [
                slider | {"name": aspect, "description": aspect, "starting_value": 50}
                for aspect in ASPECTS
            ],
            "assignment_strategy": "random",
            "max_annotations_per_item": 1,
            "require_password": False,
        }
        (folder / "config.yaml").write_text(json.dumps(config))  # JSON is YAML, too.
        program = str(self.programs / "potato")
        self.start(program, "start", "config.yaml", "-p", str(self.port), folder=folder)

    def rater(self, number: int) -> Rater:
        """Return somebody who registers."""
        return PotatoRater(self.port, f"rater{number}")


class PotatoRater(Rater):
    """Who has registered; a rating is POST `updateinstance`, POST `annotate`, GET `annotate`."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(port)
        self.who = {"email": name, "pass": "", "action": "login"}

    def enter(self) -> bool:
        """Register, or sign in again, and open the page."""
        self.answer("GET", "/")
        self.answer("POST", "/auth", self.who)
        return self._show(self.answer("GET", "/annotate"), SHOWN)

    def rate(self) -> bool:
        """Save the values of the sliders, go on, and load the page of the next item."""
        item, before = f"item-{self.item}", self.item
        saved = {
            "instance_id": item,
            "annotations": {f"{aspect}:slider": "50" for aspect in ASPECTS},
            "cleared_schemas": [],
            "span_annotations": [],
            "client_timestamp": dt.datetime.now(dt.UTC).isoformat(),
            "response_time_seconds": 5,
        }
        self.answer("POST", "/updateinstance", saved, is_json=True)
        following = {"action": "next_instance", "instance_id": item}
        self.answer("POST", "/annotate", following, is_json=True)
        return self._show(self.answer("GET", "/annotate"), SHOWN) and self.item != before


TOOLS = (Touchstone, Pearmut, Potato)


def _write(path: Path, header: Sequence[str], lines: Sequence[Sequence[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(header)
        rows.writerows(lines)
