"""doccano, for labels of texts."""

import csv
import io
import json
import zipfile
from collections.abc import Sequence

from benchmarks.peers.browsing import Session, wait_for
from benchmarks.peers.processes import Server
from benchmarks.peers.tool import Package, Place, Rating, Text, item_in
from benchmarks.rating_load import new_database

GRADES = 5
LONGEST_EXPORT = 40


class Doccano:
    """doccano in a folder of its own."""

    title = "doccano"
    storage = "SQLite"
    no_postgresql = ""
    package = Package(
        (
            *("doccano==1.8.4", "marshmallow==3.26.2", "numpy==1.26.4", "pandas==1.5.3"),
            *("scikit-learn==1.6.1", "psycopg2-binary==2.9.12"),
        ),
        ("3.10", "3.9"),
        "with the newest versions of what it depends on it does not start; held back are "
        "marshmallow (3), NumPy (1.26) and scikit-learn (1.6)",
    )
    driven = (
        "`doccano init`, `createuser`, `webserver` and `task`; a project of text classification "
        "with one label from 1 to 5, as it has no scales; texts as CSV. It hands no items out: "
        "each rater is shown every text, in an order of their own, and rates on. A rating is POST "
        "`categories`, POST `states`, GET `examples`, GET `categories`, as its page sends them; "
        "what only refreshes the progress is left out. Export: JSONL, a file for each rater."
    )

    def __init__(self, place: Place) -> None:
        variables = {"DOCCANO_HOME": str(place.folder / "doccano")}
        if place.postgresql:
            address = new_database(place.postgresql, "doccano_peers")["DATABASE_URL"]
            variables["DATABASE_URL"] = f"{address}?sslmode=disable"
        self.program = str(place.programs / "doccano")
        commands = [[self.program, "webserver", "--port", "{port}"], [self.program, "task"]]
        self.people: dict[int, tuple[int, str, dict[str, str]]] = {}
        self.members: set[tuple[int, int]] = set()
        self.project = self.attempts = 0
        self.server = Server(place.folder, commands, variables)

    def prepare(self) -> None:
        """Make the database and the owner."""
        self.server.run(self.program, "init")
        self.server.run(
            self.program, "createuser", "--username", "owner", "--password", "of-the-owner"
        )

    @property
    def owner(self) -> Session:
        """Return a session of the owner."""
        if not hasattr(self, "_owner"):
            session = Session(self.server.port)
            session.post_json("/v1/auth/login/", {"username": "owner", "password": "of-the-owner"})
            self._owner = session.cookies
        session = Session(self.server.port)
        session.cookies = self._owner
        return session

    def fill(self, items: Sequence[Text], raters: int) -> None:
        """Make a project and import texts."""
        owner = self.owner
        project = {"name": "Ratings", "description": "Ratings", "guideline": "", "tags": []}
        project |= {"project_type": "DocumentClassification", "random_order": True}
        project |= {"resourcetype": "TextClassificationProject", "collaborative_annotation": False}
        project |= {"single_class_classification": True}
        self.project = owner.post_json("/v1/projects", project).json()["id"]
        path = f"/v1/projects/{self.project}"
        for grade in range(1, GRADES + 1):
            colours = {"background_color": "#209cee", "text_color": "#ffffff"}
            owner.post_json(
                f"{path}/category-types", {"text": str(grade), "suffix_key": str(grade)} | colours
            )
        table = io.StringIO()
        rows = csv.writer(table)
        rows.writerow(["text", "label"])
        rows.writerows([f"{each.source}\n{each.output}", ""] for each in items)
        file = owner.post_file(
            "/v1/fp/process/", "filepond", "items.csv", table.getvalue().encode()
        )
        options = {"column_data": "text", "column_label": "label", "delimiter": ","}
        options |= {"encoding": "utf_8", "format": "CSV", "task": "DocumentClassification"}
        sent = owner.post_json(f"{path}/upload", options | {"uploadIds": [file.text]})
        task = sent.json()["task_id"]
        status = f"/v1/tasks/status/{task}"
        wait_for(lambda: owner.get(status).json()["ready"] or None, "the import")

    def rater(self, number: int) -> "DoccanoRater":
        """Return a member of the project who is signed in."""
        owner = self.owner
        if number not in self.people:
            # A refused account may be half made, so that its name is taken.
            self.attempts += 1
            self.people[number] = self._account(owner, f"rater{self.attempts}")
        who, name, cookies = self.people[number]
        if (self.project, number) not in self.members:
            [role] = [
                role["id"] for role in owner.get("/v1/roles").json() if role["name"] == "annotator"
            ]
            owner.post_json(f"/v1/projects/{self.project}/members", {"user": who, "role": role})
            self.members.add((self.project, number))
        return DoccanoRater(self.server.port, self.project, name, cookies)

    def _account(self, owner: Session, name: str) -> tuple[int, str, dict[str, str]]:
        """Make an account and sign in."""
        password = f"a-long-secret-of-{name[-1]}"
        account = {"username": name, "password1": password, "password2": password}
        who = owner.post_json("/v1/users/create", account).json()["id"]
        session = Session(self.server.port)
        session.post_json("/v1/auth/login/", {"username": name, "password": password})
        return who, name, session.cookies

    def export(self) -> bytes:
        """Export as JSONL."""
        owner, path = self.owner, f"/v1/projects/{self.project}/download"
        task = owner.post_json(path, {"format": "JSONL", "exportApproved": False}).json()["task_id"]

        def packed() -> bytes | None:
            answer = owner.get(f"{path}?taskId={task}")
            return None if "json" in answer.kind else answer.content

        content: bytes = wait_for(packed, "the export", LONGEST_EXPORT)
        return content

    @staticmethod
    def ratings_in(export: bytes) -> list[Rating]:
        """Return who rated what."""
        ratings = []
        with zipfile.ZipFile(io.BytesIO(export)) as archive:
            for name in archive.namelist():
                for line in archive.read(name).decode().splitlines():
                    text = json.loads(line)
                    if text["label"]:
                        ratings.append(Rating(name.removesuffix(".jsonl"), item_in(text["text"])))
        return ratings


class DoccanoRater:
    """A member who is signed in; where they are is kept while they rate."""

    def __init__(self, port: int, project: int, name: str, cookies: dict[str, str]) -> None:
        self.session, self.name, self.item = Session(port), name, -1
        self.session.cookies = dict(cookies)
        self.path = f"/v1/projects/{project}"
        self.offset = -1
        self.address = f"/projects/{project}/text-classification?page=1"

    def enter(self) -> bool:
        """Show the first text that is not done."""
        self.grade = self.session.get(f"{self.path}/category-types").json()[2]["id"]
        done = self.session.get(f"{self.path}/examples?limit=1&confirmed=true").json()["count"]
        self.offset = done - 1
        return self._next()

    def rate(self) -> bool:
        """Choose a label, say that the text is done, and go on."""
        path = f"{self.path}/examples/{self.shown}"
        self.session.post_json(f"{path}/categories", {"id": 0, "label": self.grade, "user": 0})
        self.session.post_json(f"{path}/states", {})
        return self._next()

    def _next(self) -> bool:
        self.offset += 1
        query = f"limit=1&offset={self.offset}&confirmed=&ordering=&q="
        found = self.session.get(f"{self.path}/examples?{query}").json()["results"]
        if not found:
            self.item = -1
            return False
        self.shown = found[0]["id"]
        self.session.get(f"{self.path}/examples/{self.shown}/categories")
        self.item = item_in(found[0]["text"])
        return True

    def page(self) -> tuple[str, dict[str, str]]:
        """Return the page of the first text."""
        return self.address, self.session.cookies
