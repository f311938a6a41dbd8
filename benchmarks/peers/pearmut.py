"""Pearmut, a light platform for human evaluation of machine translation."""

import json
import time
from collections.abc import Sequence

from benchmarks.peers.browsing import Session
from benchmarks.peers.processes import Server
from benchmarks.peers.tool import ASPECTS, Package, Place, Rating, Text, item_in

SYSTEM = "system"


class Pearmut:
    """Pearmut in a folder of its own."""

    title = "Pearmut"
    storage = "files"
    no_postgresql = "stores ratings in files only"
    package = Package(("pearmut==1.1.6",), ("3.12", "3.13"))
    driven = (
        "`pearmut add` with a JSON file, then `pearmut run`: protocol DA, three sliders, "
        "assignment `single-stream`, in which all raters share one pool and each item is wanted "
        "once. A rating is POST `log-response`, then POST `get-next-item`. Importing includes the "
        "restart that a new campaign needs. Its lock file is deleted after a kill; with it it "
        "does not start. Export: `download-annotations`."
    )

    def __init__(self, place: Place) -> None:
        self.place, self.number = place, 0
        self.program = str(place.programs / "pearmut")
        variables = {"PEARMUT_ROOT": str(place.folder)}
        run = [self.program, "run", "--port", "{port}"]
        lock = place.folder / "data" / ".lock"
        self.server = Server(place.folder, [run], variables, in_the_way=lock)

    @property
    def campaign(self) -> str:
        """Return the name of the present campaign."""
        return f"campaign-{self.number}"

    def prepare(self) -> None:
        """Add a campaign of one item: it does not start without any."""
        self._add([Text(0)], 1)

    def fill(self, items: Sequence[Text], raters: int) -> None:
        """Add a campaign and start again."""
        self.server.stop()
        self._add(items, raters)
        self.server.start()

    def _add(self, items: Sequence[Text], raters: int) -> None:
        self.number += 1
        sliders = [{"name": aspect, "min": 0, "max": 100, "step": 1} for aspect in ASPECTS]
        users = [f"rater{n}" for n in range(raters)]
        info = {"assignment": "single-stream", "protocol": "DA", "sliders": sliders, "users": users}
        data = [
            [{"src": each.source, "tgt": {SYSTEM: each.output}, "item_id": str(each.number)}]
            for each in items
        ]
        file = self.place.folder / f"{self.campaign}.json"
        file.write_text(json.dumps({"info": info, "campaign_id": self.campaign, "data": data}))
        self.server.run(self.program, "add", str(file))

    def rater(self, number: int) -> "PearmutRater":
        """Return who has one of the links."""
        return PearmutRater(self.server.port, self.campaign, f"rater{number}")

    def export(self) -> bytes:
        """Download the annotations."""
        path = f"/download-annotations?campaign_id={self.campaign}"
        return Session(self.server.port).get(path).content

    @staticmethod
    def ratings_in(export: bytes) -> list[Rating]:
        """Return who rated what."""
        [log] = json.loads(export).values()
        return [Rating(each["user_id"], int(each["item"][0]["item_id"])) for each in log]


class PearmutRater:
    """A user of a campaign."""

    def __init__(self, port: int, campaign: str, name: str) -> None:
        self.session, self.name, self.item = Session(port), name, -1
        self.who = {"campaign_id": campaign, "user_id": name}

    def enter(self) -> bool:
        """Open the page and take an item."""
        self.session.get(self.page()[0])
        return self._next()

    def rate(self) -> bool:
        """Send the values of the sliders."""
        now = time.time()
        value = {"score": None, "error_spans": [], "sliders": dict.fromkeys(ASPECTS, 50)}
        payload = {
            "annotation": [{SYSTEM: value}],
            "actions": [{"time": now - 5, "action": "load"}, {"time": now, "action": "submit"}],
            "item": self.shown["payload"],
        }
        item = self.shown["info"]["item_i"]
        self.session.post_json("/log-response", self.who | {"item_i": item, "payload": payload})
        return self._next()

    def _next(self) -> bool:
        answer = self.session.post_json("/get-next-item", self.who)
        self.shown = answer.json()
        self.item = item_in(json.dumps(self.shown.get("payload", "")))
        return self.item >= 0

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the rating page."""
        path = f"/annotate?campaign_id={self.who['campaign_id']}&user_id={self.name}"
        return path, self.session.cookies
