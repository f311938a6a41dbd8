"""R23: what is left of an annotator who asked to be forgotten, and of a study that was deleted."""

import sqlite3
from collections.abc import Iterator

from attack.finding import Line
from attack.people import Person, manage, signed_in
from attack.site import Site, running_site
from benchmarks.rating_load import Client

NAME = "Grace-Hopper-of-the-attack"
DATA = "/studies/load/data/"
PEOPLE = """
from annotation.models import Annotator
print(Annotator.objects.order_by("number").first().pk)
"""
OVERDUE = """
import datetime as dt
from corpus.models import Study
Study.objects.update(deletion_asked_at=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
from corpus.deletion import delete_due
print(delete_due())
"""
# What is no row of a study: people, their sessions, what limits and describes the site itself.
OTHERS = (
    *("auth", "django", "authtoken", "config", "site", "sqlite", "corpus_ratelimit", "axes"),
    *("corpus_accessentry", "corpus_worker"),
)


def replay() -> Iterator[Line]:
    """Rate, forget who rated, delete the study, and read the database."""
    with running_site() as site:
        ada = signed_in(site, "ada", "owner")
        public_id, token = site.raters[0]
        rater = Client(site.port, public_id, token, drafts=False)
        rater.submit(rater.enter())
        page = f"/studies/load/campaigns/load/annotators/{manage(site, PEOPLE)}/"
        ada.post(f"{page}contact/", {"name": [NAME], "email": ["grace@example.org"]})
        before = _rows_with(site, NAME)
        ada.post(f"{page}forget/", {"what": ["anonymise"], "confirmed": ["yes"]})
        after, ratings = _rows_with(site, NAME), _rows(site)["annotation_rating"]
        status = rater.ask("GET", f"/rate/{public_id}/")[0]
        figure = (
            f"name in {before} rows, then {after}; {ratings} ratings stay; rater reads {status}"
        )
        yield Line(
            "R23", "an annotator is made anonymous", figure, (after, ratings, status) == (0, 3, 403)
        )
        ada.post(DATA, {"name": ["load"]})
        yield _hidden(ada)
        manage(site, OVERDUE)
        left = {table: count for table, count in _rows(site).items() if count}
        held = left == {"corpus_auditentry": 1}
        yield Line("R23", "rows that are left of a deleted study", str(left), held)


def _hidden(ada: Person) -> Line:
    statuses = (ada.get("/studies/load/").status, ada.get("/api/v1/studies/load/").status)
    return Line(
        "R23", "a study that is to be deleted", f"page, API: {statuses}", {*statuses} == {404}
    )


def _rows(site: Site) -> dict[str, int]:
    """Return the number of rows of each table that a study is in."""
    with sqlite3.connect(site.folder / "touchstone.sqlite3") as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            name: database.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()[0]
            for (name,) in tables
            if not name.startswith(OTHERS)
        }


def _rows_with(site: Site, text: str) -> int:
    """Return in how many rows of the whole database a text is."""
    with sqlite3.connect(site.folder / "touchstone.sqlite3") as database:
        return sum(text in line for line in database.iterdump())
