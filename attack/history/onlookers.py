"""Who looks at studies: a stranger, a researcher of another study, and an owner who also works."""

import json
import random
import re
import threading
import time
from typing import Any

from attack.history.browser import Browser
from attack.history.marks import marks_in
from attack.history.operations import OK

STUDY_PATHS = (
    "/studies/{study}/", "/studies/{study}/segments/", "/studies/{study}/systems/",
    "/studies/{study}/campaigns/", "/studies/{study}/ratings/",
    "/api/v1/studies/{study}/", "/api/v1/studies/{study}/ratings/",
    "/api/v1/studies/{study}/outputs/", "/api/v1/studies/{study}/systems/",
)  # fmt: skip


class Onlooker(threading.Thread):
    """Opens pages of a study that it is no member of."""

    def __init__(self, browser: Browser, study: str, raters: list[str], seed: str) -> None:
        super().__init__(name=browser.client, daemon=True)
        self.browser = browser
        self.paths = [path.format(study=study) for path in STUDY_PATHS]
        self.paths += [f"/rate/{each}/{page}" for each in raters for page in ("", "done/")]
        self.draw = random.Random(seed)
        self.stopped = threading.Event()
        self.failure = ""

    def run(self) -> None:
        while not self.stopped.wait(self.draw.uniform(0.1, 0.6)):
            self.browser.ask("trespass", "GET", self.draw.choice(self.paths))


class Owner(threading.Thread):
    """Reads ratings while they come, and asks for exports, by the API."""

    def __init__(self, browser: Browser, seed: str) -> None:
        super().__init__(name=browser.client, daemon=True)
        self.browser, self.draw = browser, random.Random(seed)
        self.api = f"/api/v1/studies/{browser.study}"
        self.stopped = threading.Event()
        self.failure = ""

    def run(self) -> None:
        while not self.stopped.wait(self.draw.uniform(0.3, 1.5)):
            if self.draw.random() < 0.5:
                self.browser.ask("export", "POST", f"{self.api}/exports/", {}, read=_job)
            else:
                self.browser.ask("read", "GET", f"{self.api}/ratings/")

    def read_everything(self) -> None:
        """Read all ratings of the study, page by page, once all is over."""
        path = f"{self.api}/ratings/"
        while path:
            reply = self.browser.ask("read everything", "GET", path, read=_said)
            if reply.status != 200:
                raise RuntimeError(f"the owner cannot read ratings: {reply.status}")
            following = json.loads(reply.text)["next"] or ""
            path = re.sub(r"^https?://[^/]+", "", following)

    def wait_for_jobs(self) -> None:
        """Wait until every job that was accepted has ended."""
        jobs = {
            each.answer["job"]
            for each in self.browser.history.operations
            if each.client == self.name and each.do == "export" and each.outcome == OK
        }
        for job in jobs:
            while True:
                reply = self.browser.ask("job", "GET", f"/api/v1/jobs/{job}/")
                state = json.loads(reply.text)["state"] if reply.status == 200 else ""
                if state not in ("", "queued", "running") or self.browser.history.is_too_late:
                    break
                time.sleep(0.3)


def _job(status: int, text: str) -> dict[str, Any]:
    return {"job": json.loads(text)["id"]}


def _said(status: int, text: str) -> dict[str, Any]:
    return {"said": [mark for mark in marks_in(text) if mark.startswith("said-")]}
