"""A backup beside a real server that takes ratings holds all that was acknowledged before it."""

import sqlite3
from contextlib import closing

import psycopg
import pytest

from tests.fixtures.served_sites import (
    Rater,
    end,
    free_port,
    kill,
    manage,
    new_database,
    prepare,
    serve,
    wait_for,
)

ANNOTATORS = 4
ENOUGH = 100
BY_HALF = (
    """SELECT COUNT(*) FROM annotation_assignment t WHERE (t.state = 'submitted') <> EXISTS (
       SELECT 1 FROM annotation_submission s
       WHERE s.item_id = t.item_id AND s.annotator_id = t.annotator_id)""",
    """SELECT COUNT(*) FROM (
       SELECT s.id FROM annotation_submission s
       LEFT JOIN annotation_rating r ON r.submission_id = s.id
       GROUP BY s.id HAVING COUNT(r.id) <> 3) AS incomplete""",
)


def rated_beside_a_backup(site, port, people, variables):
    """Return the submissions acknowledged before the backup, and those acknowledged in all."""
    raters = [Rater(port, *person) for person in people]
    try:
        for each in raters:
            each.start()
        wait_for(raters, ENOUGH)
        before = {each for rater in raters for each in rater.acknowledged}
        manage(site, "backup", **variables)
        wait_for(raters, len(before) + 2 * ENOUGH)
    finally:
        end(raters)
    assert not [each for rater in raters for each in rater.refused]
    return before, {each for rater in raters for each in rater.acknowledged}


def check_backup(folder, here, there, connect):
    site, other = folder / "site", folder / "restored"
    for each in (site, other):
        each.mkdir(mode=0o700)
    here |= {"BACKUP_HOURS": "0"}
    people = prepare(site, 400, ANNOTATORS, 3, **here)
    port = free_port()
    server = serve(site, port, **here)
    try:
        before, every = rated_beside_a_backup(site, port, people, here)
    finally:
        kill(server)
    [backup] = (site / "backups").glob("2*")
    manage(other, "restore", str(backup), **there)
    with closing(connect(other)) as opened:
        rows = opened.execute("SELECT uuid FROM annotation_submission").fetchall()
        by_half = [opened.execute(query).fetchone()[0] for query in BY_HALF]
    held = [str(row[0]).replace("-", "") for row in rows]
    assert by_half == [0, 0]
    assert len(before) >= ENOUGH
    assert {each.replace("-", "") for each in before} <= set(held)
    assert len(held) == len(set(held)) <= len(every)


@pytest.mark.slow
@pytest.mark.nightly
def test_a_backup_of_sqlite_while_people_rate_loses_nothing(tmp_path):
    check_backup(tmp_path, {}, {}, lambda site: sqlite3.connect(site / "touchstone.sqlite3"))


@pytest.mark.slow
@pytest.mark.nightly
def test_a_backup_of_postgresql_while_people_rate_loses_nothing(tmp_path, postgres_url):
    here, there = (new_database(postgres_url, f"touchstone_{name}") for name in ("site", "copy"))
    check_backup(tmp_path, here, there, lambda _: psycopg.connect(there["DATABASE_URL"]))
