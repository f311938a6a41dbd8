"""Who looks at studies: strangers, members of another study, and owners who also work."""

import json
import re
import time
from typing import Any

from tests.attacks.histories.annotator import Client
from tests.attacks.histories.browser import Browser
from tests.attacks.histories.operations import OK, marks_in

PATHS = (
    "/studies/{0}/", "/studies/{0}/segments/", "/studies/{0}/systems/", "/studies/{0}/campaigns/",
    "/studies/{0}/ratings/", "/api/v1/studies/{0}/", "/api/v1/studies/{0}/ratings/",
    "/api/v1/studies/{0}/outputs/", "/api/v1/studies/{0}/systems/",
)  # fmt: skip


class Onlooker(Client):
    """Opens pages of a study that it is no member of."""

    def __init__(self, browser: Browser, seed: str, study: str, raters: list[str]) -> None:
        super().__init__(browser, seed)
        self.paths = [path.format(study) for path in PATHS]
        self.paths += [f"/rate/{each}/{page}" for each in raters for page in ("", "done/")]

    def work(self) -> None:
        while not self.stopped.wait(self.draw.uniform(0.1, 0.6)):
            self.browser.ask("trespass", self.draw.choice(self.paths))


class Owner(Client):
    """Reads ratings while they come, and asks for exports, by the API."""

    def __init__(self, browser: Browser, seed: str) -> None:
        super().__init__(browser, seed)
        self.api = f"/api/v1/studies/{browser.study}"

    def work(self) -> None:
        while not self.stopped.wait(self.draw.uniform(0.3, 1.5)):
            if self.draw.random() < 0.5:
                self.browser.ask("export", f"{self.api}/exports/", {}, read=_job)
            else:
                self.browser.ask("read", f"{self.api}/ratings/")

    def look_at_everything(self) -> None:
        """Wait for every job that was accepted, then read all ratings, page by page."""
        for each in list(self.history.operations):
            if (each.client, each.do, each.outcome) == (self.name, "export", OK):
                self._wait_for(each.answer["job"])
        path = f"{self.api}/ratings/"
        while path:
            reply = self.browser.ask("read everything", path, read=_answers)
            if reply.status != 200:
                raise RuntimeError(f"the owner cannot read ratings: {reply.status}")
            path = re.sub(r"^https?://[^/]+", "", json.loads(reply.text)["next"] or "")

    def _wait_for(self, job: int) -> None:
        while not self.history.is_too_late:
            reply = self.browser.ask("job", f"/api/v1/jobs/{job}/")
            state = json.loads(reply.text)["state"] if reply.status == 200 else ""
            if state not in ("", "queued", "running"):
                return
            time.sleep(0.3)


def _job(text: str) -> dict[str, Any]:
    return {"job": json.loads(text)["id"]}


def _answers(text: str) -> dict[str, Any]:
    return {"comments": [mark for mark in marks_in(text) if mark.startswith("answer-")]}
