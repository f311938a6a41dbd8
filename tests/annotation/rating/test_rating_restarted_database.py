"""A database that goes away: what was lost is known, and annotators read to try again."""

import psycopg
import pytest
from django.db import OperationalError

from annotation.views import rating as views
from corpus.models.study import StudyQuerySet
from corpus.storage.faults import AWAY, storage_fault
from corpus.storage.write_turn import is_passing
from tests.fixtures.api_clients import API, client_of, is_error
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.rating_pages import FULL, entered, open_screen, submit


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
