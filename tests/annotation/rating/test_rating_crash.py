"""Servers killed under ten annotators: every acknowledged rating is stored, once and whole."""

import sqlite3
from contextlib import closing

import psycopg
import pytest

from tests.fixtures.served_sites import Rater, end, free_port, kill, prepare, serve, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]
ANNOTATORS, BETWEEN_KILLS = 10, 30
NONE_OF = {
    "over-rated": """SELECT COUNT(*) FROM (
        SELECT i.id FROM annotation_item i JOIN annotation_submission s ON s.item_id = i.id
        WHERE NOT s.surplus GROUP BY i.id, i.wanted HAVING COUNT(*) > i.wanted) AS over_rated""",
    "doubled": """SELECT COUNT(*) FROM (
        SELECT 1 FROM annotation_submission GROUP BY annotator_id, item_id
        HAVING COUNT(*) > 1) AS doubled""",
    "incomplete": """SELECT COUNT(*) FROM (
        SELECT s.id FROM annotation_submission s
        LEFT JOIN annotation_rating r ON r.submission_id = s.id
        GROUP BY s.id HAVING COUNT(r.id) <> 3) AS incomplete""",
}


def rate_and_kill(folder, kills, servers=1, **variables):
    """Kill servers in turn under annotators; return what was acknowledged, as it is stored."""
    people = prepare(folder, 100, ANNOTATORS, 3, **variables)
    ports = [free_port() for _ in range(servers)]
    running = {port: serve(folder, port, **variables) for port in ports}
    raters = [Rater(ports[n % servers], *person) for n, person in enumerate(people)]
    try:
        for each in raters:
            each.start()
        for number in range(kills):
            wait_for(raters, BETWEEN_KILLS * (number + 1))
            port = ports[number % servers]
            kill(running[port])
            running[port] = serve(folder, port, **variables)
        wait_for(raters, BETWEEN_KILLS * (kills + 1))
    finally:
        end(raters)
        for server in running.values():
            kill(server)
    assert [each for rater in raters for each in rater.refused] == []
    return {each.replace("-", "") for rater in raters for each in rater.acknowledged}


def check_stored(connection, acknowledged):
    rows = connection.execute("SELECT uuid FROM annotation_submission").fetchall()
    stored = {str(uuid).replace("-", "") for (uuid,) in rows}
    assert len(acknowledged) >= 2 * BETWEEN_KILLS
    assert acknowledged <= stored
    # Each annotator may have one answer on its way that was stored and not acknowledged.
    assert len(stored - acknowledged) <= ANNOTATORS
    assert {name: connection.execute(query).fetchone()[0] for name, query in NONE_OF.items()} == (
        dict.fromkeys(NONE_OF, 0)
    )


@pytest.mark.parametrize("kills", [1, pytest.param(5, marks=pytest.mark.nightly)])
def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path, kills):
    acknowledged = rate_and_kill(tmp_path, kills)
    with closing(sqlite3.connect(tmp_path / "touchstone.sqlite3")) as opened:
        check_stored(opened, acknowledged)
        assert opened.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.nightly
def test_two_servers_on_one_postgresql_lose_nothing_either(tmp_path, postgres_url):
    acknowledged = rate_and_kill(tmp_path, 5, 2, DATABASE_URL=postgres_url)
    with psycopg.connect(postgres_url) as opened:
        check_stored(opened, acknowledged)
