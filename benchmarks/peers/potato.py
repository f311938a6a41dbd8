"""Potato, the portable annotation tool."""

import csv
import datetime as dt
import io
import json
import re
import zipfile
from collections.abc import Sequence

from benchmarks.peers.browsing import Session
from benchmarks.peers.processes import Server
from benchmarks.peers.tool import ASPECTS, Package, Place, Rating, Text, item_in

SHOWN = re.compile(r'id="instance_id"[^>]*value="item-(\d+)"')


class Potato:
    """Potato in a folder of its own."""

    title = "Potato"
    storage = "files"
    no_postgresql = "stores ratings in files of each annotator by default"
    package = Package(("potato-annotation==2.12.1",), ("3.12", "3.11"))
    driven = (
        "`potato start config.yaml`: a CSV file, three sliders, `max_annotations_per_item: 1`, "
        "`assignment_strategy: random`, no passwords. A rating is POST `updateinstance`, POST "
        "`annotate`, GET `annotate`. Items are read at the start, so importing is the start of a "
        "new project. Export: the files of its output folder, which it writes while people rate."
    )

    def __init__(self, place: Place) -> None:
        self.place, self.number = place, 0
        start = [str(place.programs / "potato"), "start", "config.yaml", "-p", "{port}"]
        self.server = Server(place.folder, [start], {})

    def prepare(self) -> None:
        """Write a project of one item: there is no server without a project."""
        self._write([Text(0)])

    def fill(self, items: Sequence[Text], raters: int) -> None:
        """Write a project and start it; raters register themselves."""
        self.server.stop()
        self._write(items)
        self.server.start()

    def _write(self, items: Sequence[Text]) -> None:
        self.number += 1
        folder = self.place.folder / f"project-{self.number}"
        folder.mkdir()
        with (folder / "items.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(["id", "text"])
            rows.writerows(
                [f"item-{each.number}", f"{each.source} {each.output}"] for each in items
            )
        slider = {"annotation_type": "slider", "min_value": 0, "max_value": 100}
        schemes = [
            slider | {"name": aspect, "description": aspect, "starting_value": 50}
            for aspect in ASPECTS
        ]
        config = {
            "annotation_task_name": "Ratings",
            "task_dir": ".",
            "output_annotation_dir": "out",
            "data_files": ["items.csv"],
            "item_properties": {"id_key": "id", "text_key": "text"},
            "annotation_schemes": schemes,
            "assignment_strategy": "random",
            "max_annotations_per_item": 1,
            "require_password": False,
        }
        (folder / "config.yaml").write_text(json.dumps(config))  # JSON is YAML, too.
        self.server.folder = folder

    def rater(self, number: int) -> "PotatoRater":
        """Return somebody who registers."""
        return PotatoRater(self.server.port, f"rater{number}")

    def export(self) -> bytes:
        """Return the output folder as a zip."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted((self.server.folder / "out").glob("*/user_state.json")):
                archive.write(file, f"{file.parent.name}/{file.name}")
        return packed.getvalue()

    @staticmethod
    def ratings_in(export: bytes) -> list[Rating]:
        """Return who rated what."""
        ratings = []
        with zipfile.ZipFile(io.BytesIO(export)) as archive:
            for name in archive.namelist():
                rated = json.loads(archive.read(name))["instance_id_to_label_to_value"]
                rater = name.partition("/")[0]
                ratings += [Rating(rater, int(item.split("-")[1])) for item in rated if rated[item]]
        return ratings


class PotatoRater:
    """Somebody who has registered."""

    def __init__(self, port: int, name: str) -> None:
        self.session, self.name, self.item = Session(port), name, -1

    def enter(self) -> bool:
        """Register, or sign in again, and open the page."""
        self.session.get("/")
        self.session.post_form("/auth", {"email": self.name, "pass": "", "action": "login"})
        return self._show()

    def rate(self) -> bool:
        """Save the values of the sliders, go on, and load the page of the next item."""
        item = f"item-{self.item}"
        saved = {
            "instance_id": item,
            "annotations": {f"{aspect}:slider": "50" for aspect in ASPECTS},
            "cleared_schemas": [],
            "span_annotations": [],
            "client_timestamp": dt.datetime.now(dt.UTC).isoformat(),
            "response_time_seconds": 5,
        }
        self.session.post_json("/updateinstance", saved)
        self.session.post_json("/annotate", {"action": "next_instance", "instance_id": item})
        before = self.item
        return self._show() and self.item != before

    def _show(self) -> bool:
        page = self.session.get("/annotate").text
        found = SHOWN.search(page)
        self.item = int(found[1]) if found else item_in("")
        return self.item >= 0

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the rating page."""
        return "/annotate", self.session.cookies
