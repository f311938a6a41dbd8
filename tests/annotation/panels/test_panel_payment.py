"""The list for approval and payment: minutes, ratings, checks and pay, counted another way."""

import csv
import datetime as dt
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.models import PanelEntry, Submission
from annotation.panels.payment import minutes_worked, pay_of, worked_by
from corpus.storage.permitting import permitted
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.panels import (
    CODES,
    answer,
    answer_all,
    documented_id,
    read_guidelines,
    sent_by_prolific,
    with_panel,
)

HOME = "/studies/small/campaigns/pilot/panel/"
NOON = dt.datetime(2026, 11, 20, 12, tzinfo=dt.UTC)


def at(*minutes: float) -> list[dt.datetime]:
    return [NOON + dt.timedelta(minutes=each) for each in minutes]


@pytest.mark.parametrize(
    ("came", "answers", "minutes"),
    [
        (0, [], None),
        (0, [2], 2),
        (0, [2, 3, 4], 4),
        (0, [2, 3, 63, 64], 2 + 1 + 5 + 1),
        (0, [45, 46], 5 + 1),
        (0, [4, 3, 2], 4),
        (10, [2, 3], 1),
    ],
)
def test_minutes_are_those_between_answers_with_breaks_cut_at_five(came, answers, minutes):
    assert minutes_worked(at(came)[0], at(*answers)) == minutes


def come(campaign, number: int, minutes: list[float]) -> PanelEntry:
    """Somebody who answers at these minutes after coming; all of the rest is open."""
    client = sent_by_prolific(campaign, number)
    read_guidelines(client)
    for _ in minutes:
        html = answer(client, "50")
    entry = PanelEntry.objects.get(identifier=documented_id(number))
    PanelEntry.objects.filter(pk=entry.pk).update(came_at=NOON)
    answers = Submission.objects.filter(annotator=entry.annotator).order_by("pk")
    with permitted("update"):
        for submission, when in zip(answers, at(*minutes), strict=True):
            Submission.objects.filter(pk=submission.pk).update(created_at=when)
    assert html
    return entry


@pytest.fixture
def campaign(db, settings):
    settings.JOIN_AT_ONCE = 100
    made, _ = make_campaign(make_study(3, 1), annotators=5, slug="pilot")
    with_panel(made, reward=3, currency="GBP", minutes=15)
    return made


@pytest.fixture
def ada(campaign):
    return signed_in("ada", campaign.study)


def test_pay_is_the_median_over_who_finished_and_was_not_sent_back(campaign):
    come(campaign, 1, [2, 4, 6])
    come(campaign, 2, [5, 10, 15])
    come(campaign, 3, [4, 8, 12])
    come(campaign, 4, [1])
    come(campaign, 5, [1, 2, 3])
    PanelEntry.objects.filter(identifier=documented_id(5)).update(status="RETURNED")
    panel = campaign.panel
    panel.refresh_from_db()
    pay = pay_of(panel, worked_by(panel))
    # 3 pounds for 6, 15 and 12 minutes.
    assert (pay.median, pay.lowest, pay.people, pay.minutes) == (15.0, 12.0, 3, 12.0)


def test_the_page_and_the_file_say_of_each_how_they_left_and_what_they_did(ada, campaign):
    come(campaign, 1, [2, 4, 6])
    come(campaign, 2, [1])
    campaign.annotators.filter(last_seen_at=None).update(revoked_at=NOON)
    sent_by_prolific(campaign, 3)
    page = ada.get(f"{HOME}people/").text
    assert "30.00 GBP (lowest 30.00), 1 who finished" in page
    assert "no slot" in page
    assert f'data-copy="{documented_id(1)}"' in page
    rows = list(csv.DictReader(io.StringIO(ada.get(f"{HOME}people.csv").text)))
    assert [row["participant"] for row in rows] == [documented_id(n) for n in (1, 2, 3)]
    assert [row["submission"] for row in rows] == [documented_id(500 + n) for n in (1, 2, 3)]
    assert [row["outcome"] for row in rows] == ["finished", "", "nothing_left"]
    assert [row["code"] for row in rows] == [CODES["finished"], "", CODES["nothing_left"]]
    assert [row["minutes"] for row in rows] == ["6.0", "1.0", ""]
    assert [row["ratings"] for row in rows] == ["3", "1", "0"]


def test_what_a_stranger_wrote_into_the_address_is_no_formula_in_the_file(ada, campaign):
    client = sent_by_prolific(campaign, 1)
    PanelEntry.objects.update(identifier='=HYPERLINK("https://bad.example")')
    assert client.reply.status_code == 302
    assert "\n=HYPER" not in ada.get(f"{HOME}people.csv").text
    assert ',"=HYPER' not in ada.get(f"{HOME}people.csv").text
    [row] = csv.DictReader(io.StringIO(ada.get(f"{HOME}people.csv").text))
    assert not row["participant"].startswith("=")


def test_failed_checks_are_counted_of_those_that_decide(db, settings):
    settings.JOIN_AT_ONCE = 100
    campaign, _ = make_campaign(
        make_study(12, 1), annotators=1, slug="pilot", selection={"controls": {"degraded": 4}}
    )
    panel = with_panel(campaign)
    client = sent_by_prolific(campaign, 1)
    read_guidelines(client)
    answer_all(client)
    [worked] = worked_by(panel)
    # Twelve texts of the system, and four controls.
    assert (worked.checks_failed, worked.checks_decided, worked.ratings) == (1, 1, 12)


def test_many_people_cost_as_many_queries_as_few(campaign):
    panel = campaign.panel

    def queries() -> int:
        with CaptureQueriesContext(connection) as caught:
            worked_by(panel)
        return len(caught)

    come(campaign, 1, [1])
    few = queries()
    for number in (2, 3, 4):
        come(campaign, number, [1, 2, 3])
    assert queries() == few


@pytest.mark.parametrize("part", ["people/", "people.csv", "text/", "statuses/"])
@pytest.mark.parametrize("role", ["researcher", "stranger"])
def test_only_owners_see_who_came(campaign, part, role):
    client = signed_in(role, campaign.study if role == "researcher" else None, role)
    come(campaign, 1, [1])
    reply = client.get(f"{HOME}{part}")
    assert reply.status_code in (403, 404)
    assert documented_id(1) not in reply.text
