"""Events of Prolific: signed as it documents, fresh, taken once; a refusal says why."""

import base64
import hashlib
import hmac
import json
import logging
import time

import pytest
from django.test import Client

from annotation.models import Annotator, Panel, PanelEntry
from annotation.panels.statuses import SECONDS_FRESH, RefusedError, read_event
from corpus.models import AuditEntry
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.panels import (
    answer,
    documented_id,
    read_guidelines,
    sent_by_prolific,
    with_panel,
)

SECRET = "the-secret-of-the-workspace"


def documented_signature(secret: str, timestamp: str, body: str) -> str:
    """The steps of Prolific's page "Verifying", one by one."""
    encoded_secret = secret.encode()
    digest = hmac.new(encoded_secret, str.encode(timestamp + body), hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def documented_event(number: int, status: str, submission: int | None = None) -> dict[str, str]:
    """A change of a submission's status as the page "Receiving" shows it."""
    return {
        "resource_id": documented_id(500 + number if submission is None else submission),
        "event_type": "submission.status.change",
        "participant_id": documented_id(number),
        "status": status,
    }


def headers_of(body: str, *, secret=SECRET, when: float | None = None, **more: str):
    timestamp = str(int(time.time() if when is None else when))
    return {
        "X-Prolific-Request-Signature": documented_signature(secret, timestamp, body),
        "X-Prolific-Request-Timestamp": timestamp,
        **{name.replace("_", "-"): value for name, value in more.items()},
    }


@pytest.fixture
def panel(db, settings) -> Panel:
    settings.JOIN_AT_ONCE = 100
    campaign, _ = make_campaign(make_study(3, 1), annotators=2, slug="pilot")
    made = with_panel(campaign, events_secret=SECRET)
    client = sent_by_prolific(campaign, 1)
    read_guidelines(client)
    answer(client, "50")
    return made


def entry(number: int = 1) -> PanelEntry:
    return PanelEntry.objects.get(identifier=documented_id(number))


def send(panel: Panel, event, **options):
    body = json.dumps(event)
    return Client(enforce_csrf_checks=True).post(
        f"/panel-events/{panel.events_token}/",
        body,
        content_type="application/json",
        headers=headers_of(body, **options),
    )


def test_a_returned_submission_frees_the_place_for_the_next_person(panel):
    reply = send(panel, documented_event(1, "RETURNED"), X_Event_ID="e1")
    assert (reply.status_code, reply.text) == (200, "Taken: slot freed.")
    assert (entry().status, bool(entry().freed_at)) == ("RETURNED", True)
    assert entry().annotator.revoked_at is not None
    assert AuditEntry.objects.get(action="free place").actor is None
    assert sent_by_prolific(panel.campaign, 2).reply.status_code == 302
    assert sent_by_prolific(panel.campaign, 3).reply.status_code == 302
    assert sent_by_prolific(panel.campaign, 4).reply.status_code == 403


@pytest.mark.parametrize("status", ["ACTIVE", "AWAITING REVIEW", "APPROVED", "RESERVED"])
def test_other_statuses_are_kept_and_free_nothing(panel, status):
    assert send(panel, documented_event(1, status)).text == "Taken: noted."
    assert (entry().status, entry().freed_at) == (status, None)


@pytest.mark.parametrize("status", ["RETURNED", "TIMED-OUT", "REJECTED", "SCREENED OUT"])
def test_the_statuses_after_which_prolific_sends_somebody_else_free_a_place(panel, status):
    assert send(panel, documented_event(1, status)).text == "Taken: slot freed."


def test_an_event_that_comes_twice_is_taken_once(panel):
    event = documented_event(1, "RETURNED")
    send(panel, event, X_Event_ID="e1")
    assert send(panel, event, X_Event_ID="e1").text == "Taken: known already."
    # The same event again under another identifier, as somebody might replay it.
    assert send(panel, event, X_Event_ID="e2").text == "Taken: noted."
    assert Annotator.objects.count() == 3
    assert AuditEntry.objects.filter(action="free place").count() == 1


def test_an_older_status_that_comes_late_replaces_no_newer_one(panel):
    now = int(time.time())
    send(panel, documented_event(1, "APPROVED"), X_Event_ID="b", X_Timestamp=str(now))
    late = send(panel, documented_event(1, "ACTIVE"), X_Event_ID="a", X_Timestamp=str(now - 60))
    assert late.text == "Taken: older than what is known."
    assert entry().status == "APPROVED"


def test_people_and_submissions_of_other_studies_change_nothing(panel):
    other = documented_event(1, "RETURNED", submission=999)
    assert send(panel, other).text == "Taken: of another submission."
    assert send(panel, documented_event(77, "RETURNED")).text == "Taken: nobody of this campaign."
    assert send(panel, documented_event(1, "DANCING")).text == "Taken: a status that is not known."
    study = {"resource_id": "x", "event_type": "study.status.change", "metadata": {}, "status": "x"}
    assert send(panel, study).text == "Taken: not about a submission."
    assert (entry().status, entry().freed_at) == ("", None)


def test_every_refusal_changes_nothing_and_says_why_in_the_log_without_the_person(panel, caplog):
    caplog.set_level(logging.WARNING, "annotation.views.panel")
    event = documented_event(1, "RETURNED")
    now = time.time()
    refused = [
        (send(panel, event, secret="wrong"), 403, "does not fit the secret"),
        (send(panel, event, when=now - SECONDS_FRESH - 5), 403, "within five minutes"),
        (send(panel, event, when=now + SECONDS_FRESH + 5), 403, "within five minutes"),
        (send(panel, ["no", "object"]), 400, "not a JSON object"),
        (send(panel, event | {"participant_id": 5}), 400, "is missing"),
        (send(panel, event | {"filled": "x" * 70_000}), 413, "too long"),
    ]
    for reply, status, why in refused:
        assert reply.status_code == status
        assert why in reply.text
        assert why in caplog.text
    unsigned = Client().post(f"/panel-events/{panel.events_token}/", "{}", "application/json")
    assert (unsigned.status_code, "not signed" in unsigned.text) == (403, True)
    own = [each.message for each in caplog.records if each.name.startswith("annotation")]
    assert len(own) == len(refused) + 1
    assert not any(documented_id(1) in each or panel.events_token in each for each in own)
    assert (entry().status, entry().freed_at) == ("", None)


def test_an_unknown_address_and_a_panel_without_a_secret_take_nothing(panel):
    token = panel.events_token
    panel.events_token = "unknown"
    assert send(panel, documented_event(1, "RETURNED")).status_code == 404
    Panel.objects.update(events_secret="")
    panel.events_token = token
    reply = send(panel, documented_event(1, "RETURNED"), secret="")
    assert (reply.status_code, reply.text) == (403, "Refused: no secret of the webhook is set.")
    assert entry().freed_at is None


@pytest.mark.parametrize("position", [0, 5, -2])
def test_a_signature_holds_for_each_byte_of_the_body_and_for_the_time(position):
    body = json.dumps(documented_event(1, "RETURNED"))
    now = time.time()
    headers = headers_of(body, when=now)
    assert read_event(SECRET, headers, body.encode(), now).status == "RETURNED"
    changed = bytearray(body.encode())
    changed[position] ^= 1
    with pytest.raises(RefusedError, match="does not fit"):
        read_event(SECRET, headers, bytes(changed), now)
    later = headers | {"X-Prolific-Request-Timestamp": str(int(now) + 1)}
    with pytest.raises(RefusedError, match="does not fit"):
        read_event(SECRET, later, body.encode(), now)
