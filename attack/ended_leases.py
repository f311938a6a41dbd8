"""R25: annotators of a shared queue on PostgreSQL, each of whom ends the leases of the others."""

import os
from collections.abc import Iterator

import psycopg

from attack.finding import Line
from attack.site import running_site
from benchmarks.rating_load import measure, new_database

ANNOTATORS, ITEMS, SECONDS = 40, 5000, 15
WHAT = f"{ANNOTATORS} annotators of {ITEMS:,} items on PostgreSQL whose leases end at once"
OVER_RATED = """
SELECT count(*) FROM (
    SELECT item_id FROM annotation_submission s JOIN annotation_item i ON i.id = item_id
    WHERE NOT surplus GROUP BY item_id, wanted HAVING count(*) > wanted
) AS over
"""
DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


def replay() -> Iterator[Line]:
    """Let all of them submit without pause, and count what the database undid."""
    server = os.environ.get("TEST_POSTGRES_URL")
    if not server:
        yield Line("R25", WHAT, "not tried, PostgreSQL is absent", False)
        return
    url = new_database(server, "attack")["DATABASE_URL"]
    with running_site(ANNOTATORS, ITEMS, DATABASE_URL=url) as site:
        with psycopg.connect(url, autocommit=True) as database:
            database.execute("UPDATE annotation_campaign SET lease_seconds = 0")
            clients = measure(site.port, site.raters, SECONDS, drafts=False)
            [(over_rated,)] = database.execute(OVER_RATED).fetchall()
            [(deadlocks,)] = database.execute(DEADLOCKS).fetchall()
        submissions = sum(len(client.submits) for client in clients)
        errors = [error for client in clients for error in client.errors]
        figure = (
            f"{submissions} submissions, {len(errors)} errors, {deadlocks} deadlocks undone, "
            f"{over_rated} items over-rated"
        )
        held = bool(submissions) and not errors and not over_rated
        yield Line("R25", WHAT, figure, held)
