"""H1: the server killed under raters, again and again; then two on one PostgreSQL, in turn."""

import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from attack.finding import Line
from attack.patience import SECONDS_TO_WAIT
from benchmarks.rating_load import Client, free_port, new_database, prepare, serve

ANNOTATORS = 20
KILLS = 5
BETWEEN_KILLS = 150  # Answers that are acknowledged.
OVER_RATED = """SELECT COUNT(*) FROM (
    SELECT i.id FROM annotation_item i JOIN annotation_submission s ON s.item_id = i.id
    WHERE NOT s.surplus GROUP BY i.id, i.wanted HAVING COUNT(*) > i.wanted) AS over_rated"""
DOUBLED = """SELECT COUNT(*) FROM (
    SELECT 1 FROM annotation_submission GROUP BY annotator_id, item_id
    HAVING COUNT(*) > 1) AS doubled"""
INCOMPLETE = """SELECT COUNT(*) FROM (
    SELECT s.id FROM annotation_submission s
    LEFT JOIN annotation_rating r ON r.submission_id = s.id
    GROUP BY s.id HAVING COUNT(r.id) <> 3) AS incomplete"""


class Stubborn(Client):
    """An annotator who sends the same answers again until the server acknowledges them."""

    def __init__(self, port: int, public_id: str, token: str) -> None:
        super().__init__(port, public_id, token, drafts=False)
        self.acknowledged: list[str] = []
        self.stopped = threading.Event()

    def run(self) -> None:
        form = self.insist(self.enter)
        while form and not self.stopped.is_set():
            sent = form
            form = self.insist(partial(self.submit, sent))
            if form:
                self.acknowledged.append(sent["submission"])
        self.connection.close()

    def insist(self, action: Callable[[], dict[str, str]]) -> dict[str, str]:
        while not self.stopped.is_set():
            try:
                return action()
            except (OSError, HTTPException):
                self.connection.close()
                time.sleep(0.05)
        return {}


class Damage(NamedTuple):
    """What killing did to submissions."""

    acknowledged: int
    lost: int
    unacknowledged: int
    doubled: int
    over_rated: int
    incomplete: int
    errors: list[str]
    integrity: str


def kill(server: subprocess.Popen[bytes]) -> None:
    """Kill the server, what it started, and what that started."""
    family = [server.pid]
    for pid in family:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            family += [int(child) for child in task.read_text().split()]
    for pid in family:
        os.kill(pid, signal.SIGKILL)
    server.wait()


def rate_and_kill(folder: Path, kills: int = KILLS, servers: int = 1, database: str = "") -> Damage:
    """Kill the servers under annotators, start them again, and count what the database holds."""
    variables = {"DATABASE_URL": database} if database else {}
    people = prepare(folder, 3000, ANNOTATORS, "shared_queue", 3, **variables)
    ports = [free_port() for _ in range(servers)]
    running = {port: serve(folder, port, **variables) for port in ports}
    clients = [Stubborn(ports[n % servers], *person) for n, person in enumerate(people)]
    try:
        for client in clients:
            client.start()
        for number in range(kills):
            _wait_for(clients, BETWEEN_KILLS * (number + 1))
            port = ports[number % servers]
            kill(running[port])
            running[port] = serve(folder, port, **variables)
        _wait_for(clients, BETWEEN_KILLS * (kills + 1))
    finally:
        for client in clients:
            client.stopped.set()
        for client in clients:
            client.join()
        for server in running.values():
            kill(server)
    return _damage(folder, database, clients)


def _wait_for(clients: list[Stubborn], answers: int) -> None:
    """Wait until so many answers were acknowledged in all, however long one waits for a page."""
    end = time.monotonic() + SECONDS_TO_WAIT
    while sum(len(client.acknowledged) for client in clients) < answers and time.monotonic() < end:
        time.sleep(0.05)


def _damage(folder: Path, database: str, clients: list[Stubborn]) -> Damage:
    sent = {each.replace("-", "") for client in clients for each in client.acknowledged}
    with closing(_connected(folder, database)) as opened:
        rows = opened.execute("SELECT uuid FROM annotation_submission").fetchall()
        stored = {str(uuid).replace("-", "") for (uuid,) in rows}
        doubled, over_rated, incomplete = (
            int(opened.execute(query).fetchone()[0]) for query in (DOUBLED, OVER_RATED, INCOMPLETE)
        )
        check = "SELECT 'ok'" if database else "PRAGMA integrity_check"
        return Damage(
            acknowledged=len(sent),
            lost=len(sent - stored),
            unacknowledged=len(stored - sent),
            doubled=doubled,
            over_rated=over_rated,
            incomplete=incomplete,
            errors=[error for client in clients for error in client.errors],
            integrity=str(opened.execute(check).fetchone()[0]),
        )


def _connected(folder: Path, database: str) -> Any:
    return psycopg.connect(database) if database else sqlite3.connect(folder / "touchstone.sqlite3")


def replay() -> Iterator[Line]:
    """Count acknowledged submissions that are not there, and those that are there twice."""
    yield _line(f"SIGKILL ×{KILLS} under {ANNOTATORS} raters")
    what = f"SIGKILL ×{KILLS} of two servers on one PostgreSQL under {ANNOTATORS} raters"
    if "TEST_POSTGRES_URL" not in os.environ:
        yield Line("H1", what, "not tried, PostgreSQL is absent", False)
        return
    made = new_database(os.environ["TEST_POSTGRES_URL"])
    yield _line(what, servers=2, database=made["DATABASE_URL"])


def _line(what: str, **options: Any) -> Line:
    folder = Path(tempfile.mkdtemp(prefix="touchstone-attack-"))
    try:
        found = rate_and_kill(folder, **options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    figure = (
        f"{found.acknowledged} acknowledged, {found.lost} lost, {found.doubled} doubled, "
        f"{found.incomplete} incomplete; {found.over_rated} items over-rated; "
        f"{len(found.errors)} errors; integrity {found.integrity}"
    )
    broken = found.lost + found.doubled + found.incomplete + found.over_rated + len(found.errors)
    # Each annotator may have one answer on its way that was stored and not acknowledged.
    held = found.acknowledged > 100 and not broken and found.unacknowledged <= ANNOTATORS
    return Line("H1", what, figure, held and found.integrity == "ok")
