"""Label Studio, community edition."""

import json
import re
import urllib.parse
from collections.abc import Sequence

from benchmarks.peers.browsing import Refused, Session
from benchmarks.peers.processes import Server
from benchmarks.peers.tool import ASPECTS, Package, Place, Rating, Text, item_in
from benchmarks.rating_load import new_database

TOKEN = "0123456789abcdef0123456789abcdef01234567"
OWNER = "owner@example.org"
INTERFACE = (
    '<View><Text name="source" value="$source"/><Text name="output" value="$output"/>'
    + "".join(
        f'<Number name="{aspect}" toName="output" min="0" max="100" slider="true" required="true"/>'
        for aspect in ASPECTS
    )
    + "</View>"
)


class LabelStudio:
    """Label Studio in a folder of its own."""

    title = "Label Studio"
    storage = "SQLite"
    no_postgresql = ""
    package = Package(("label-studio==1.23.2",), ("3.12", "3.11"))
    driven = (
        "`label-studio start`; a project with three numbers from 0 to 100, one annotation for each "
        "task; tasks through the API as JSON; raters sign up by the invitation. A rating is POST "
        "`annotations`, then POST `dm/actions?id=next_task` without a selection, so that tasks are "
        "locked for who has them; its page sends the selection of the list of tasks too, in whose "
        "order tasks are not locked. Drafts and label links are left out. Export: "
        "`export?exportType=JSON`."
    )

    def __init__(self, place: Place) -> None:
        variables = {"COLLECT_ANALYTICS": "false", "LATEST_VERSION_CHECK": "false"}
        variables |= {"SECRET_KEY": "of-this-benchmark-only", "SENTRY_DSN": ""}
        if place.postgresql:
            address = new_database(place.postgresql, "label_studio_peers")["DATABASE_URL"]
            found = urllib.parse.urlsplit(address)
            variables |= {
                "DJANGO_DB": "default",
                "POSTGRE_NAME": found.path[1:],
                "POSTGRE_USER": str(found.username),
                "POSTGRE_PASSWORD": "",
                "POSTGRE_HOST": str(found.hostname),
                "POSTGRE_PORT": str(found.port),
            }
        start = [str(place.programs / "label-studio"), "start", "--no-browser", "--port", "{port}"]
        start += ["--data-dir", str(place.folder / "data"), "--username", OWNER]
        start += ["--password", "of-the-owner", "--user-token", TOKEN, "--enable-legacy-api-token"]
        self.people: dict[int, tuple[int, dict[str, str]]] = {}
        self.project = 0
        self.server = Server(place.folder, [start], variables, "/user/login/")

    def prepare(self) -> None:
        """The start makes the database and the account."""

    @property
    def owner(self) -> Session:
        """Return a session of the owner."""
        return Session(self.server.port, {"Authorization": f"Token {TOKEN}"})

    def fill(self, items: Sequence[Text], raters: int) -> None:
        """Make a project and import tasks."""
        owner = self.owner
        made = owner.post_json("/api/projects/", {"title": "Ratings", "label_config": INTERFACE})
        self.project = made.json()["id"]
        tasks = [{"source": each.source, "output": each.output} for each in items]
        owner.post_json(f"/api/projects/{self.project}/import", tasks)

    def rater(self, number: int) -> "LabelStudioRater":
        """Return somebody who has signed up."""
        if number not in self.people:
            session = Session(self.server.port)
            invitation = self.owner.get("/api/invite").json()["invite_url"]
            [token] = re.findall(
                r'name="csrfmiddlewaretoken" value="(\w+)"', session.get(invitation).text
            )[:1]
            account = {"email": f"rater{number}@example.org", "password": f"of-rater-{number}"}
            session.post_form(invitation, account | {"csrfmiddlewaretoken": token})
            who = session.get("/api/current-user/whoami").json()["id"]
            self.people[number] = (who, session.cookies)
        return LabelStudioRater(self.server.port, self.project, *self.people[number])

    def export(self) -> bytes:
        """Export as JSON."""
        return self.owner.get(f"/api/projects/{self.project}/export?exportType=JSON").content

    @staticmethod
    def ratings_in(export: bytes) -> list[Rating]:
        """Return who rated what."""
        return [
            Rating(str(each["completed_by"]), item_in(task["data"]["output"]))
            for task in json.loads(export)
            for each in task["annotations"]
        ]


class LabelStudioRater:
    """Somebody who has signed up."""

    def __init__(self, port: int, project: int, who: int, cookies: dict[str, str]) -> None:
        self.session, self.name, self.item = Session(port), str(who), -1
        self.session.cookies = dict(cookies)
        self.project = project

    def enter(self) -> bool:
        """Take a task."""
        return self._next()

    def rate(self) -> bool:
        """Send an annotation."""
        result = [
            {"value": {"number": 50}, "id": f"of-{aspect}", "from_name": aspect}
            | {"to_name": "output", "type": "number", "origin": "manual"}
            for aspect in ASPECTS
        ]
        sent = {"lead_time": 5, "result": result, "draft_id": 0, "parent_prediction": None}
        sent |= {"parent_annotation": None, "project": str(self.project)}
        path = f"/api/tasks/{self.shown['id']}/annotations?project={self.project}"
        self.session.post_json(path, sent)
        return self._next()

    def _next(self) -> bool:
        path = f"/api/dm/actions?id=next_task&project={self.project}"
        try:
            self.shown = self.session.post_json(path, {}).json()
        except Refused as refused:
            if refused.status != 404:
                raise
            return False  # No task is left.
        self.item = item_in(self.shown["data"]["output"])
        return True

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the label stream."""
        return f"/projects/{self.project}/data?labeling=1", self.session.cookies
