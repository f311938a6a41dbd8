"""H1: the server killed under raters, again and again."""

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
from typing import NamedTuple

from attack.finding import Line
from benchmarks.rating_load import Client, free_port, prepare, serve

ANNOTATORS = 20
KILLS = 5
OVER_RATED = """SELECT COUNT(*) FROM (
    SELECT i.id FROM annotation_item i JOIN annotation_submission s ON s.item_id = i.id
    WHERE NOT s.surplus GROUP BY i.id, i.wanted HAVING COUNT(*) > i.wanted)"""
DOUBLED = """SELECT COUNT(*) FROM (
    SELECT 1 FROM annotation_submission GROUP BY annotator_id, item_id HAVING COUNT(*) > 1)"""
INCOMPLETE = """SELECT COUNT(*) FROM (
    SELECT s.id FROM annotation_submission s
    LEFT JOIN annotation_rating r ON r.submission_id = s.id
    GROUP BY s.id HAVING COUNT(r.id) <> 3)"""


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


def rate_and_kill(folder: Path, kills: int = KILLS) -> Damage:
    """Kill the server under annotators, start it again, and count what its database holds."""
    people = prepare(folder, 3000, ANNOTATORS, "shared_queue", 3)
    port = free_port()
    server = serve(folder, port)
    clients = [Stubborn(port, public_id, token) for public_id, token in people]
    try:
        for client in clients:
            client.start()
        for _ in range(kills):
            time.sleep(1.5)
            kill(server)
            server = serve(folder, port)
        time.sleep(1)
    finally:
        for client in clients:
            client.stopped.set()
        for client in clients:
            client.join()
        kill(server)
    return _damage(folder, clients)


def _damage(folder: Path, clients: list[Stubborn]) -> Damage:
    sent = {each.replace("-", "") for client in clients for each in client.acknowledged}
    with closing(sqlite3.connect(folder / "touchstone.sqlite3")) as database:
        stored = {uuid for (uuid,) in database.execute("SELECT uuid FROM annotation_submission")}
        doubled, over_rated, incomplete = (
            int(database.execute(query).fetchone()[0])
            for query in (DOUBLED, OVER_RATED, INCOMPLETE)
        )
        return Damage(
            acknowledged=len(sent),
            lost=len(sent - stored),
            unacknowledged=len(stored - sent),
            doubled=doubled,
            over_rated=over_rated,
            incomplete=incomplete,
            errors=[error for client in clients for error in client.errors],
            integrity=str(database.execute("PRAGMA integrity_check").fetchone()[0]),
        )


def replay() -> Iterator[Line]:
    """Count acknowledged submissions that are not there, and those that are there twice."""
    folder = Path(tempfile.mkdtemp(prefix="touchstone-attack-"))
    try:
        found = rate_and_kill(folder)
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
    yield Line(
        "H1",
        f"SIGKILL ×{KILLS} under {ANNOTATORS} raters",
        figure,
        held and found.integrity == "ok",
    )
