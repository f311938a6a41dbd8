"""An annotator whose every choice is drawn from a seed."""

import random
import re
import threading
import time
from typing import Any

from tests.attacks.histories.browser import Browser, Reply, form_in

ASPECTS = ("style", "content", "fluency")
LONGEST_LATE = 4.0
LONGEST_REST = 6.0
LOOKED_AT_AGAIN = 5
SHORTEST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
LISTED = re.compile(r"/item/([0-9a-f-]{36})/")
# What is done with a form that is sent, and how often of a hundred.
WAYS = {"at once": 76, "twice": 10, "unheard": 6, "late": 8}
# What is done between two answers.
STEPS = {"answer": 69, "correct": 10, "look": 6, "list": 4, "trespass": 6, "rest": 5}


class Client(threading.Thread):
    """Somebody who works until it is stopped; a fault of their own is kept."""

    def __init__(self, browser: Browser, seed: str) -> None:
        super().__init__(name=browser.client, daemon=True)
        self.browser, self.history = browser, browser.history
        self.draw = random.Random(f"{seed} {browser.client}")
        self.stopped = threading.Event()
        self.failure = ""

    def run(self) -> None:
        try:
            self.work()
        except Exception as error:  # What goes wrong here would otherwise look like calm.
            self.failure = f"{self.name}: {error!r}"
            raise

    def work(self) -> None:
        """Go on until the event `stopped`."""

    def look_at_everything(self) -> None:
        """See once more, when all is over, what there is."""


class Annotator(Client):
    """Types drafts, sends answers until they are acknowledged, corrects, and pries."""

    def __init__(
        self, browser: Browser, seed: str, public_id: str, link: str, known: dict[str, list[str]]
    ) -> None:
        super().__init__(browser, seed)
        self.public_id, self.link, self.known = public_id, link, known
        self.home, self.who = f"/rate/{public_id}", public_id.replace("-", "")
        self.number = 0
        self.pages: dict[str, str] = {}  # The page that sent each draft.
        self.answered = known[public_id]  # Its assignments, by which others try to get in.

    def work(self) -> None:
        self._insist("enter", f"/join/{self.link}/")
        form = self._look()
        while not self.stopped.is_set():
            time.sleep(self.draw.uniform(0, 0.2))
            step = self.draw.choices(list(STEPS), list(STEPS.values()))[0]
            if step == "trespass":
                self._trespass()
            elif step == "rest":
                # Where the clock jumps meanwhile, somebody else gets the item.
                self.stopped.wait(self.draw.uniform(0, LONGEST_REST))
            elif step == "list":
                self._list()
            elif step == "look" or not (form or self.answered):
                form = self._look()
            elif (step == "correct" and self.answered) or not form:
                if again := self._look(f"item/{self.draw.choice(self.answered)}/"):
                    self._answer(again)
            else:
                form = self._answer(form)
        self.browser.wait_for_late()

    def look_at_everything(self) -> None:
        for path in ("", *(f"item/{uuid}/" for uuid in self.answered[-LOOKED_AT_AGAIN:])):
            self._look(path)
        self._list()

    def _answer(self, form: dict[str, str]) -> dict[str, str]:
        """Type drafts, then send answers; return the next form."""
        for _ in range(self.draw.choice((0, 0, 1, 2))):
            self._type(form)
        values = {aspect: float(self.draw.randint(0, 100)) for aspect in ASPECTS}
        form |= {f"answer-0-{aspect}": f"{value:.0f}" for aspect, value in values.items()}
        form["comment"] = self._mark("answer")
        sent = self._facts(form) | {
            "uuid": form["submission"].replace("-", ""), "annotator": self.who, "values": values,
        }  # fmt: skip
        pause = SHORTEST_PAUSE
        # As the page does: the same again, until it is answered for good.
        while True:
            reply = self._send("submit", form, sent)
            if 200 <= reply.status < 300:
                if form["assignment"] not in self.answered:
                    self.answered.append(form["assignment"])
                return form_in(reply.text)
            if 400 <= reply.status < 500 and reply.status != 429:
                return self._look()
            self._fail_if_late(reply)
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _type(self, form: dict[str, str]) -> None:
        """Save a draft; one that nobody answered is not sent again: the next one has it all."""
        form["comment"] = self._mark("draft")
        self.pages[form["comment"]] = form["submission"].replace("-", "")
        form[f"answer-0-{ASPECTS[0]}"] = str(self.draw.randint(0, 100))
        reply = self._send("draft", form, self._facts(form) | {"version": int(form["version"])})
        if reply.status in (200, 409):
            form |= {name: str(value) for name, value in _version(reply.text).items()}

    def _look(self, path: str = "") -> dict[str, str]:
        return form_in(self._insist("look", f"{self.home}/{path}").text)

    def _list(self) -> None:
        self.browser.ask("list", f"{self.home}/done/", read=self._read_list)

    def _trespass(self) -> None:
        """Try another's pages, and another's item under the own name."""
        other = self.draw.choice([each for each in self.known if each != self.public_id])
        paths = [f"/rate/{other}/", f"/rate/{other}/done/"]
        if self.known[other]:
            paths.append(f"{self.home}/item/{self.draw.choice(self.known[other])}/")
        self.browser.ask("trespass", self.draw.choice(paths))

    def _send(self, do: str, form: dict[str, str], sent: dict[str, Any]) -> Reply:
        way = self.draw.choices(list(WAYS), list(WAYS.values()))[0]
        seconds = self.draw.uniform(0.05, LONGEST_LATE)
        read = _version if do == "draft" else self._read_page
        path = f"{self.home}/{do}/"
        return self.browser.ask(
            do, path, dict(form), sent=sent, read=read, way=way, seconds=seconds
        )

    def _insist(self, do: str, path: str) -> Reply:
        while True:
            reply = self.browser.ask(do, path, read=self._read_page)
            if 0 < reply.status < 500 and reply.status != 429:
                return reply
            self._fail_if_late(reply)
            time.sleep(0.2)

    def _fail_if_late(self, reply: Reply) -> None:
        if self.history.is_too_late:
            raise TimeoutError(f"no answer: status {reply.status}")

    def _facts(self, form: dict[str, str]) -> dict[str, Any]:
        """Return what the history says of each form that is sent."""
        return {
            "assignment": form["assignment"].replace("-", ""), "revision": int(form["revision"]),
            "comment": form["comment"],
        }  # fmt: skip

    def _read_page(self, text: str) -> dict[str, Any]:
        form = form_in(text)
        if not form:
            return {}
        draft_of = self.pages.get(form["comment"], "")
        seen = {"annotator": self.who, "version": int(form["version"]), "draft_of": draft_of}
        return self._facts(form) | seen

    def _read_list(self, text: str) -> dict[str, Any]:
        listed = [each.replace("-", "") for each in LISTED.findall(text)]
        return {"annotator": self.who, "listed": listed}

    def _mark(self, kind: str) -> str:
        self.number += 1
        return f"{kind}-{self.browser.study}-{self.browser.client}-{self.number}"


def _version(text: str) -> dict[str, int]:
    found = re.search(r'"version": ?(\d+)', text)
    return {"version": int(found[1])} if found else {}
