"""PostgreSQL restarted under annotators: they read to try again, and nothing is lost or doubled."""

import http.client
import os
import subprocess
import threading
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError

from annotation.views import rating as views
from corpus.models.study import StudyQuerySet
from corpus.storage.faults import AWAY, storage_fault
from corpus.storage.write_turn import is_passing
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.machine import ROOT
from tests.fixtures.rating_pages import FULL, entered, open_screen, submit
from tests.fixtures.served_sites import (
    Rater,
    end,
    free_port,
    kill,
    new_database,
    prepare,
    serve,
    wait_for,
)

ANNOTATORS = 6
PAGES = ("/published/", "/sign-in/", f"{API}published/")
ENOUGH = 40


class Watched(http.client.HTTPConnection):
    """Keeps what was answered: status, when to come again, and words of an error."""

    def __init__(self, port, answers):
        super().__init__("127.0.0.1", port)
        self.answers = answers

    def getresponse(self):
        reply = super().getresponse()
        self.answers.append((reply.status, reply.headers["Retry-After"]))
        return reply


class WatchedRater(Rater):
    """Keeps every answer of the server."""

    def __init__(self, port, public_id, token):
        super().__init__(port, public_id, token)
        self.answers = []
        self.connection = Watched(port, self.answers)

    def ask(self, method, path, data=None):
        status, text = super().ask(method, path, data)
        if status >= 500:
            assert "defect" not in text
            raise OSError(text)
        return status, text


@contextmanager
def private_postgresql():
    """A PostgreSQL of its own, that nobody else misses: its address, and how it is restarted."""
    script = [ROOT / "scripts/with_services.sh", "bash", "-c", 'echo "$TEST_POSTGRES_URL"; cat']
    pipe = subprocess.PIPE
    with subprocess.Popen(script, stdin=pipe, stdout=pipe, text=True) as services:
        address = services.stdout.readline().strip()
        with psycopg.connect(address) as opened:
            folder = opened.execute("SHOW data_directory").fetchone()[0]
            [programs] = opened.execute(
                "SELECT setting FROM pg_config WHERE name = 'BINDIR'"
            ).fetchone()
        owner = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        command = [*(owner if os.geteuid() == 0 else ()), f"{programs}/pg_ctl", "-D", folder, "-w"]

        def restart(mode):
            log = Path(folder).parent / "socket/log"
            arguments = [*command, "-m", mode, "-l", log, "restart"]
            subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)

        try:
            yield address, restart
        finally:
            services.stdin.close()


def look_around(port, answers, stopped):
    """Ask for pages that strangers see, and for the API."""
    while not stopped.is_set():
        for path in PAGES:
            connection = Watched(port, answers)
            connection.request("GET", path)
            reply = connection.getresponse()
            assert reply.status < 500 or b"defect" not in reply.read()
            connection.close()


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.sqlite
def test_a_restarted_database_is_503_for_everybody_and_every_answer_arrives(tmp_path, postgres_url):
    answers, stopped = [], threading.Event()
    with private_postgresql() as (address, restart):
        variables = new_database(address, "touchstone") | {"REDIS_URL": ""}
        people = prepare(tmp_path, 300, ANNOTATORS, 3, **variables)
        port = free_port()
        server = serve(tmp_path, port, **variables)
        raters = [WatchedRater(port, *person) for person in people]
        onlooker = threading.Thread(target=look_around, args=(port, answers, stopped))
        try:
            for each in (*raters, onlooker):
                each.start()
            wait_for(raters, ENOUGH)
            for number, mode in enumerate(("fast", "immediate"), 2):
                restart(mode)
                wait_for(raters, number * ENOUGH)
        finally:
            stopped.set()
            end(raters)
            onlooker.join()
            kill(server)
        answers += [answer for each in raters for answer in each.answers]
        failed = {answer for answer in answers if answer[0] >= 500}
        assert failed == {(503, str(AWAY.retry_after))}
        acknowledged = {each for rater in raters for each in rater.acknowledged}
        with psycopg.connect(variables["DATABASE_URL"]) as opened:
            rows = opened.execute("SELECT uuid, annotator_id, item_id FROM annotation_submission")
            stored = rows.fetchall()
    assert acknowledged <= {str(row[0]) for row in stored}
    assert len({row[1:] for row in stored}) == len(stored)
    # Each annotator may have one answer on its way that was stored and not acknowledged.
    assert len(acknowledged) >= max(3 * ENOUGH, len(stored) - ANNOTATORS)


def lost(cause):
    """An error of Django's that comes from one of the driver's."""
    error = OperationalError(str(cause))
    error.__cause__ = cause
    return error


LOST = (
    psycopg.errors.AdminShutdown("terminating connection due to administrator command"),
    psycopg.errors.CannotConnectNow("the database system is starting up"),
    psycopg.errors.TooManyConnections("sorry, too many clients already"),
    psycopg.OperationalError("consuming input failed: server closed the connection unexpectedly"),
    psycopg.OperationalError("the connection is closed"),
    psycopg.InterfaceError("the connection is closed"),
)


@pytest.mark.parametrize("cause", LOST, ids=str)
def test_every_loss_of_a_connection_may_be_tried_again(cause):
    for error in (cause, lost(cause)):
        assert storage_fault(error) is AWAY
        assert is_passing(error)


def test_what_postgresql_answers_is_no_lost_connection():
    for cause in (psycopg.errors.QueryCanceled("by timeout"), psycopg.DataError("NUL")):
        assert storage_fault(lost(cause)) is None


@pytest.fixture
def away(monkeypatch):
    def fails(*_, **__):
        raise lost(LOST[0])

    monkeypatch.setattr(views, "submit", fails)
    monkeypatch.setattr(StudyQuerySet, "visible_to", fails)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("fetched", [True, False])
def test_whoever_rates_reads_when_to_try_again(away, fetched):
    _, [annotator] = make_campaign(make_study(), annotators=1)
    client = entered(annotator)
    client.raise_request_exception = False
    form = open_screen(client, annotator)
    reply = submit(client, annotator, form, fetched=fetched, **FULL)
    assert reply.status_code == 503
    assert "Try again in a few seconds" in reply.text
    assert reply.headers.get("Retry-After") == "2"
    assert ('value="10"' in reply.text) is not fetched


@pytest.mark.django_db(transaction=True)
def test_the_api_says_when_to_try_again(away):
    client = client_of("owner")
    client.raise_request_exception = False
    reply = client.get(f"{API}studies/")
    assert "Try again" in is_error(reply, 503)["detail"]
    assert reply.headers["Retry-After"] == "2"
