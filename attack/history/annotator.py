"""An annotator whose every choice is drawn from a seed."""

import random
import re
import threading
import time
from typing import Any

from attack.history import marks
from attack.history.browser import Browser, Reply, form_of
from attack.history.operations import History

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


class Annotator(threading.Thread):
    """Types drafts, sends answers until they are acknowledged, corrects, and pries."""

    def __init__(
        self, port: int, history: History, name: str, study: str, public_id: str, link: str,
        known: dict[str, list[str]], seed: str,
    ) -> None:  # fmt: skip
        super().__init__(name=name, daemon=True)
        self.browser = Browser(port, history, name, study)
        self.public_id, self.link, self.known = public_id, link, known
        self.who = public_id.replace("-", "")
        self.draw = random.Random(seed)
        self.stopped = threading.Event()
        self.number = 0
        self.pages: dict[str, str] = {}  # Of each draft the page that sent it.
        self.answered = known[public_id]  # Its assignments, by which others try to get in.
        self.failure = ""

    def run(self) -> None:
        try:
            self._rate()
        except Exception as error:  # What goes wrong here would otherwise look like calm.
            self.failure = repr(error)
            raise

    def _rate(self) -> None:
        self._insist("enter", "GET", f"/join/{self.link}/")
        form = self._look(f"/rate/{self.public_id}/")
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
            elif step == "look":
                self._look(f"/rate/{self.public_id}/")
            elif (step == "correct" or not form) and self.answered:
                one = self.draw.choice(self.answered)
                again = self._look(f"/rate/{self.public_id}/item/{one}/")
                if again:
                    self._answer(again)
            elif form:
                form = self._answer(form)
            else:
                form = self._look(f"/rate/{self.public_id}/")
        self.browser.wait_for_late()

    def look_at_everything(self) -> None:
        """See once more, when all is over, what is open and what was answered."""
        for path in ("", *(f"item/{uuid}/" for uuid in self.answered[-LOOKED_AT_AGAIN:])):
            self._look(f"/rate/{self.public_id}/{path}")
        self._list()

    # What an annotator does

    def _answer(self, form: dict[str, str]) -> dict[str, str]:
        """Type drafts, then send answers; return the next form."""
        for _ in range(self.draw.choice((0, 0, 1, 2))):
            self._type(form)
        values = {aspect: float(self.draw.randint(0, 100)) for aspect in ASPECTS}
        form |= {f"answer-0-{aspect}": f"{value:.0f}" for aspect, value in values.items()}
        form["comment"] = marks.said(self.browser.client, self.browser.study, self._next())
        sent = {
            "uuid": form["submission"].replace("-", ""), "annotator": self.who,
            "assignment": form["assignment"].replace("-", ""), "revision": int(form["revision"]),
            "values": values, "comment": form["comment"],
        }  # fmt: skip
        pause = SHORTEST_PAUSE
        # As the page does: the same again, until it is answered for good.
        while True:
            reply = self._send("submit", f"/rate/{self.public_id}/submit/", form, sent)
            if 200 <= reply.status < 300:
                if form["assignment"] not in self.answered:
                    self.answered.append(form["assignment"])
                return form_of(reply.text)
            if 400 <= reply.status < 500 and reply.status != 429:
                return self._look(f"/rate/{self.public_id}/")
            if self.browser.history.is_too_late:
                raise RuntimeError(f"no answer: status {reply.status}")
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _type(self, form: dict[str, str]) -> None:
        """Save a draft; one that nobody answered is not sent again: the next one has it all."""
        form["comment"] = marks.draft(self.browser.client, self.browser.study, self._next())
        self.pages[form["comment"]] = form["submission"].replace("-", "")
        form[f"answer-0-{ASPECTS[0]}"] = str(self.draw.randint(0, 100))
        sent = {
            "assignment": form["assignment"].replace("-", ""), "revision": int(form["revision"]),
            "version": int(form["version"]), "comment": form["comment"],
        }  # fmt: skip
        reply = self._send("draft", f"/rate/{self.public_id}/draft/", form, sent)
        found = re.search(r'"version": ?(\d+)', reply.text) if reply.status in (200, 409) else None
        if found:
            form["version"] = found[1]

    def _look(self, path: str) -> dict[str, str]:
        return form_of(self._insist("look", "GET", path).text)

    def _list(self) -> None:
        self.browser.ask("list", "GET", f"/rate/{self.public_id}/done/", read=self._read_list)

    def _trespass(self) -> None:
        """Try another's pages, and another's item under the own name."""
        other = self.draw.choice([each for each in self.known if each != self.public_id])
        paths = [f"/rate/{other}/", f"/rate/{other}/done/"]
        if self.known[other]:
            paths.append(f"/rate/{self.public_id}/item/{self.draw.choice(self.known[other])}/")
        self.browser.ask("trespass", "GET", self.draw.choice(paths))

    # How it is sent and read

    def _send(self, do: str, path: str, form: dict[str, str], sent: dict[str, Any]) -> Reply:
        way = self.draw.choices(list(WAYS), list(WAYS.values()))[0]
        late = self.draw.uniform(0.05, LONGEST_LATE)
        data, read = dict(form), self._read_version if do == "draft" else self._read_page
        if way == "twice":
            return self.browser.ask_twice(do, path, data, sent=sent, read=read)
        if way == "late":
            return self.browser.ask_late(late, do, path, data, sent=sent, read=read)
        return self.browser.ask(
            do, "POST", path, data, sent=sent, read=read, unheard=way == "unheard"
        )

    def _insist(self, do: str, method: str, path: str) -> Reply:
        while True:
            reply = self.browser.ask(do, method, path, read=self._read_page)
            if 0 < reply.status < 500 and reply.status != 429:
                return reply
            if self.browser.history.is_too_late:
                raise RuntimeError(f"no answer: status {reply.status}")
            time.sleep(0.2)

    def _read_page(self, status: int, text: str) -> dict[str, Any]:
        form = form_of(text)
        if not form:
            return {}
        return {
            "annotator": self.who, "assignment": form["assignment"].replace("-", ""),
            "revision": int(form["revision"]), "version": int(form["version"]),
            "draft_of": self.pages.get(form["comment"], ""),
        }  # fmt: skip

    def _read_version(self, status: int, text: str) -> dict[str, Any]:
        found = re.search(r'"version": ?(\d+)', text)
        return {"version": int(found[1])} if found else {}

    def _read_list(self, status: int, text: str) -> dict[str, Any]:
        listed = [each.replace("-", "") for each in LISTED.findall(text)]
        return {"annotator": self.who, "listed": listed}

    def _next(self) -> int:
        self.number += 1
        return self.number
