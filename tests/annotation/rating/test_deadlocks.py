"""Many at once: no annotator meets a deadlock, and what was lost to others is tried again."""

import sqlite3
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.models import Campaign, Draft, Item, Submission
from annotation.people.adding import release_places
from annotation.queue import handing_out
from annotation.queue.handing_out import next_assignments
from annotation.queue.statements import hold_queue
from annotation.rating import submitting, watched
from annotation.rating.submitting import save_draft
from annotation.statements import find_annotator
from corpus.models import Study
from corpus.storage import write_turn
from corpus.storage.write_turn import Busy, in_write_turn
from tests.fixtures.campaigns import make_campaign, make_study, send
from tests.fixtures.rating_pages import FULL, entered, open_screen, submit
from tests.fixtures.waiting import wait_until

pytestmark = [pytest.mark.dialect, pytest.mark.django_db(transaction=True)]
FAILS = "DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '40P01'; END $$"


@pytest.fixture
def _on_postgresql():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no locks of rows")


def at_once(work, each):
    """Run a function for each argument in a thread of its own and return the results."""

    def own(argument):
        try:
            return work(argument)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(each)) as pool:
        return list(pool.map(own, each))


def lose(times):
    """Return a function that fails as a deadlock does, some times, and then hands out."""
    calls = []

    def lost(annotator, **how):
        calls.append(annotator.pk)
        if len(calls) <= times:
            with connection.cursor() as cursor:
                cursor.execute(FAILS)
        return next_assignments(annotator, **how)

    return lost, calls


@pytest.mark.slow
def test_many_annotators_in_a_large_queue_meet_no_deadlock():
    # SQLite has no locks of rows to hold against each other: fewer are as many.
    crowd, segments = (40, 500) if connection.vendor == "postgresql" else (10, 50)
    # Every lease has ended when the next annotator comes, who then gives the place back.
    campaign, people = make_campaign(
        make_study(segments, 10),
        annotators=crowd,
        design=Campaign.Design.QUEUE,
        ratings_per_item=2,
        lease_seconds=0,
    )
    clients = [(entered(person), person) for person in people]
    together = threading.Barrier(len(people))

    def work(entrant):
        client, person = entrant
        together.wait()
        statuses = []
        form = open_screen(client, person)
        for _ in range(8):
            reply = submit(client, person, form, **FULL)
            statuses.append(reply.status_code)
            form = open_screen(client, person)
        return statuses

    statuses = Counter(status for each in at_once(work, clients) for status in each)
    assert statuses == {200: crowd * 8}
    assert Submission.objects.count() == crowd * 8
    counted = Counter(Submission.objects.filter(surplus=False).values_list("item", flat=True))
    assert max(counted.values()) <= 2
    pairs = Submission.objects.values_list("item", "annotator")
    assert len(set(pairs)) == len(pairs)
    for item in Item.objects.filter(campaign=campaign, taken__gt=0):
        held = item.assignments.filter(state="open").count()
        assert item.taken == counted[item.pk] + held


@pytest.mark.usefixtures("_on_postgresql")
def test_one_of_two_that_wait_for_each_other_is_undone_and_tried_again():
    studies = [Study.objects.create(slug=slug) for slug in ("one", "other")]
    both_hold_one = threading.Barrier(2)
    tries = Counter()

    @in_write_turn
    def rename(first, second):
        tries[first.slug] += 1
        first.title += "x"
        first.save(update_fields=["title"])
        if tries[first.slug] == 1:
            both_hold_one.wait()
        Study.objects.filter(pk=second.pk).update(description=first.slug)

    one, other = studies
    at_once(lambda pair: rename(*pair), [(one, other), (other, one)])
    assert sorted(tries.values()) == [1, 2]
    assert {study.title for study in Study.objects.all()} == {"x"}
    assert {study.description for study in Study.objects.all()} == {"one", "other"}


@pytest.mark.usefixtures("_on_postgresql")
def test_a_submission_that_was_undone_twice_is_stored_and_counted_once(monkeypatch):
    _, [person] = make_campaign(make_study(), annotators=1, design=Campaign.Design.QUEUE)
    client = entered(person)
    form = open_screen(client, person)
    lost, calls = lose(2)
    monkeypatch.setattr(handing_out, "next_assignments", lost)
    reply = submit(client, person, form, **FULL)
    assert reply.status_code == 200
    assert "1 done" in reply.content.decode()
    assert len(calls) == 3
    person.refresh_from_db()
    assert (person.submitted, person.assigned) == (1, 2)
    assert Submission.objects.count() == 1


@pytest.mark.usefixtures("_on_postgresql")
def test_answers_are_stored_while_others_hold_the_queue():
    campaign, [person] = make_campaign(make_study(), annotators=1, design=Campaign.Design.QUEUE)
    annotator = find_annotator(person.public_id)
    [lead] = next_assignments(annotator)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            hold_queue(campaign.pk)
            sending = pool.submit(at_once, lambda given: send(annotator, given), [lead])
            wait_until(lambda: Submission.objects.filter(item=lead.item_id).exists())
            assert not sending.done()
        [outcome] = sending.result()
    assert outcome.following


@pytest.mark.usefixtures("_on_postgresql")
def test_the_first_draft_of_a_screen_that_is_saved_while_its_answer_waits_goes_with_it():
    _, [person] = make_campaign(make_study(), annotators=1)
    annotator = find_annotator(person.public_id)
    [lead] = next_assignments(annotator)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            save_draft(annotator, lead.public_id, 0, {"comment": "half a sentence"})
            sending = pool.submit(at_once, lambda given: send(annotator, given), [lead])
            wait_until(is_waited_for)
        [outcome] = sending.result()
    assert outcome.stored
    assert not Draft.objects.exists()


def is_waited_for():
    """Whether a connection waits for what another holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0] > 0


@pytest.mark.usefixtures("_on_postgresql")
@pytest.mark.parametrize("following", ["another", "none left", "paused"])
def test_an_answer_is_on_the_disk_when_its_page_comes_though_its_own_commit_did_not_wait(
    monkeypatch, following
):
    """One wait for the disk is enough for the answer and the next screen, whatever that is."""
    size = 1 if following == "none left" else 2
    _, [person] = make_campaign(make_study(size, 1), annotators=1, design=Campaign.Design.QUEUE)
    annotator = find_annotator(person.public_id)
    [lead] = next_assignments(annotator)
    if following == "paused":
        annotator.campaign.state = "paused"
    stored = []
    monkeypatch.setattr(watched, "stored", [lambda: stored.append(written("insert"))])
    with CaptureQueriesContext(connection) as queries:
        outcome = send(annotator, lead)
    assert (outcome.stored, bool(outcome.following)) == (True, following == "another")
    assert written("flush") >= stored[0]
    if following == "another":
        # Eight and two transactions, and what the test asks.
        assert len(queries) - 1 <= 12


def written(how):
    """Return up to where the log of changes was written, or has reached the disk."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_current_wal_{how}_lsn() - '0/0'::pg_lsn")
        return cursor.fetchone()[0]


@pytest.mark.usefixtures("_on_postgresql")
def test_answers_that_are_sent_again_after_no_item_could_be_handed_out_count_once(monkeypatch):
    _, [person] = make_campaign(make_study(), annotators=1, design=Campaign.Design.QUEUE)
    client = entered(person)
    form = open_screen(client, person)
    with monkeypatch.context() as patch:
        patch.setattr(handing_out, "next_assignments", lose(write_turn.TRIES)[0])
        reply = submit(client, person, form, **FULL)
    assert (reply.status_code, "Send it again" in reply.content.decode()) == (503, True)
    assert "1 done" in submit(client, person, form, **FULL).content.decode()
    assert Submission.objects.count() == 1


@pytest.mark.usefixtures("_on_postgresql")
@pytest.mark.parametrize("fetched", [True, False])
def test_who_lost_to_others_each_time_reads_that_the_server_is_busy(monkeypatch, fetched):
    _, [person] = make_campaign(make_study(), annotators=1)
    client = entered(person)
    form = open_screen(client, person)
    lost, calls = lose(write_turn.TRIES)
    monkeypatch.setattr(submitting, "next_assignments", lost)
    reply = submit(client, person, form, fetched=fetched, **FULL)
    assert reply.status_code == 503
    assert "The server is busy" in reply.content.decode()
    assert "Send it again" in reply.content.decode()
    assert reply.headers["Retry-After"] == "2"
    assert len(calls) == write_turn.TRIES
    assert not Submission.objects.exists()
    assert submit(client, person, form, fetched=fetched, **FULL).status_code in (200, 302)


@pytest.mark.sqlite
def test_a_database_that_stays_locked_is_said_to_be_busy(monkeypatch):
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL locks rows")
    _, [person] = make_campaign(make_study(), annotators=1)
    client = entered(person)
    form = open_screen(client, person)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 10")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        assert submit(client, person, form, **FULL).status_code == 503
    finally:
        other.close()
        connection.close()
    assert submit(client, person, form, **FULL).status_code == 200


def test_only_the_outermost_transaction_is_tried_again():
    calls = []

    @in_write_turn
    def fails():
        calls.append(1)
        raise write_turn.Overtaken

    with pytest.raises(Busy):
        fails()
    assert len(calls) == write_turn.TRIES
    calls.clear()
    with pytest.raises(write_turn.Overtaken), write_turn.transaction.atomic():
        fails()
    assert len(calls) == 1


@pytest.mark.usefixtures("_on_postgresql")
def test_a_screen_that_is_given_back_while_its_answer_comes_takes_its_place_again(monkeypatch):
    _, [person, _] = make_campaign(make_study(1, 1), annotators=2, ratings_per_item=2)
    actor = User.objects.create(username="owner")
    annotator = find_annotator(person.public_id)
    [lead] = next_assignments(annotator)
    read, released = submitting.assignment_of, []

    def overtaken(who, public_id):
        found = read(who, public_id)
        if not released:
            released.extend(at_once(lambda given: release_places(given, actor), [person]))
        return found

    monkeypatch.setattr(submitting, "assignment_of", overtaken)
    outcome = send(annotator, lead)
    assert (outcome.stored, outcome.surplus, released) == (True, False, [1])
    assert Item.objects.get(pk=lead.item_id).taken == 2
