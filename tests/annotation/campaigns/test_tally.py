"""Answers are counted once: a second look reads only what came since the first."""

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.campaigns import tally as tallies
from annotation.campaigns.progress import progress, reasons
from annotation.campaigns.tally import tally
from annotation.models import Campaign, Submission
from annotation.people.withdrawing import erase
from tests.fixtures.campaigns import following, judge, make_campaign, make_study, send

pytestmark = pytest.mark.django_db


@pytest.fixture
def rows(monkeypatch):
    """How many answers each look has read."""
    seen = []
    read = tallies._answers

    def counted(campaign, after):
        seen.append(0)
        for answers in read(campaign, after):
            seen[-1] += len(answers)
            yield answers

    monkeypatch.setattr(tallies, "_answers", counted)
    return seen


@pytest.fixture
def settled(monkeypatch):
    """Let every answer be old enough at once."""
    monkeypatch.setattr(tallies, "SETTLED_AFTER", -dt.timedelta(hours=1))


@pytest.mark.dialect
def test_a_second_look_reads_no_answer_again(rows, settled):
    campaign, [person, other] = make_campaign(make_study(), annotators=2)
    judge(person, 12, active_seconds=4)
    assert progress(campaign).done == 12
    assert progress(campaign).done == 12
    judge(other, 5, active_seconds=8)
    found = progress(campaign)
    assert (found.done, found.seconds) == (17, 4)
    assert [row.seconds for row in found.annotators] == [4, 8]
    assert rows == [12, 0, 5]


@pytest.mark.dialect
def test_what_may_still_be_overtaken_is_read_again_and_counted_once(rows):
    campaign, [person] = make_campaign(make_study(), annotators=1)
    judge(person, 6)
    assert [progress(campaign).done for _ in range(3)] == [6, 6, 6]
    assert rows == [6, 6, 6]


@pytest.mark.dialect
def test_an_answer_behind_one_that_may_be_overtaken_waits_too(rows, settled, monkeypatch):
    campaign, [person] = make_campaign(make_study(), annotators=1)
    judge(person, 4)
    read = tallies._answers

    def with_a_new_second(campaign, after):
        second = Submission.objects.order_by("pk")[1].pk
        for answers in read(campaign, after):
            answers[answers[:, 0] == second, -1] -= tallies._SETTLED
            yield answers

    monkeypatch.setattr(tallies, "_answers", with_a_new_second)
    assert [tally(campaign).done.sum() for _ in range(2)] == [4, 4]
    # The first is settled; those behind the second are not, though they are old enough.
    assert rows == [4, 3]


def test_an_answer_is_counted_again_by_nobody_when_others_are_deleted(settled):
    study = make_study()
    campaign, [person, other] = make_campaign(study, annotators=2)
    judge(person, 7)
    judge(other, 3)
    assert progress(campaign).done == 10
    erase(person, User.objects.create_user("ada"))
    assert progress(Campaign.objects.get(pk=campaign.pk)).done == 3


def test_refusals_and_their_reasons_are_the_latest(settled):
    campaign, [person] = make_campaign(make_study(), annotators=1)
    for number in range(3):
        annotator, screen = following(person)
        send(annotator, screen[0], reason=f"reason {number}")
        assert progress(campaign).cannot == number + 1
    assert [told.reason for told in reasons(campaign)] == ["reason 2", "reason 1", "reason 0"]


@pytest.mark.parametrize("answers", [3, 15])
def test_a_look_asks_as_much_however_many_answers_there_are(answers, settled):
    campaign, [person] = make_campaign(make_study(), annotators=1)
    judge(person, answers)
    progress(campaign)
    with CaptureQueriesContext(connection) as queries:
        progress(campaign)
    assert len(queries) == 3
