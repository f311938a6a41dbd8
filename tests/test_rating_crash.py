"""The server killed under twenty annotators, five times: every acknowledged rating is there."""

import os
import signal
import sqlite3
import subprocess
import threading
import time
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

import pytest

from benchmarks.rating_load import Client, free_port, prepare, serve

pytestmark = [pytest.mark.slow, pytest.mark.sqlite]
ANNOTATORS = 20
KILLS = 5


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
            form = self.insist(lambda sent=sent: self.submit(sent))
            if form:
                self.acknowledged.append(sent["submission"])
        self.connection.close()

    def insist(self, action):
        while not self.stopped.is_set():
            try:
                return action()
            except (OSError, HTTPException):
                self.connection.close()
                time.sleep(0.05)
        return {}


def kill(server: subprocess.Popen[bytes]) -> None:
    """Kill the server, what it started, and what that started."""
    family = [server.pid]
    for pid in family:
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            family += [int(child) for child in task.read_text().split()]
    for pid in family:
        os.kill(pid, signal.SIGKILL)
    server.wait()


def test_a_killed_server_loses_nothing_that_it_acknowledged(tmp_path):
    people = prepare(tmp_path, 3000, ANNOTATORS, "shared_queue", 3)
    port = free_port()
    server = serve(tmp_path, port)
    clients = [Stubborn(port, public_id, token) for public_id, token in people]
    try:
        for client in clients:
            client.start()
        for _ in range(KILLS):
            time.sleep(1.5)
            kill(server)
            server = serve(tmp_path, port)
        time.sleep(1)
        for client in clients:
            client.stopped.set()
        for client in clients:
            client.join()
    finally:
        kill(server)

    assert [error for client in clients for error in client.errors] == []
    with closing(sqlite3.connect(tmp_path / "touchstone.sqlite3")) as database:
        stored = {uuid for (uuid,) in database.execute("SELECT uuid FROM annotation_submission")}
        acknowledged = {each.replace("-", "") for client in clients for each in client.acknowledged}
        assert len(acknowledged) > 100
        assert acknowledged <= stored
        # Each annotator may have one answer on its way that was stored and not acknowledged.
        assert len(stored - acknowledged) <= ANNOTATORS
        over = database.execute(
            """SELECT COUNT(*) FROM (
                 SELECT i.id FROM annotation_item i JOIN annotation_submission s ON s.item_id = i.id
                 WHERE NOT s.surplus GROUP BY i.id, i.wanted HAVING COUNT(*) > i.wanted)"""
        ).fetchone()[0]
        assert over == 0
        incomplete = database.execute(
            """SELECT COUNT(*) FROM (
                 SELECT s.id FROM annotation_submission s
                 LEFT JOIN annotation_rating r ON r.submission_id = s.id
                 GROUP BY s.id HAVING COUNT(r.id) <> 3)"""
        ).fetchone()[0]
        assert incomplete == 0
        assert database.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
