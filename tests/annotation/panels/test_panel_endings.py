"""Everybody whom a panel sends leaves with the code of how they ended, and with no other."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from annotation.campaigns.service import change_state
from annotation.models import Annotator, Campaign, Panel, PanelEntry
from annotation.panels.outcomes import Outcome
from annotation.people.adding import add_annotators, release_places
from annotation.people.withdrawing import anonymise, erase
from tests.annotation.practice.test_training import PRACTICE
from tests.fixtures.campaigns import make_campaign, make_study
from tests.fixtures.panels import (
    CODES,
    answer,
    answer_all,
    documented_id,
    page,
    read_guidelines,
    sent_by_prolific,
    with_panel,
)

pytestmark = pytest.mark.django_db
COMPLETE = "https://app.prolific.com/submissions/complete?cc="


@pytest.fixture(autouse=True)
def many(settings):
    settings.JOIN_AT_ONCE = 100


def prepared(people: int = 2, systems: int = 1, **values) -> Campaign:
    """A campaign of three screens for each of some people, with Prolific's panel."""
    campaign, _ = make_campaign(make_study(3, systems), annotators=people, **values)
    with_panel(campaign)
    return campaign


def begun(campaign: Campaign, number: int = 1) -> Client:
    client = sent_by_prolific(campaign, number)
    assert client.reply.status_code == 302
    read_guidelines(client)
    return client


def entry(number: int = 1) -> PanelEntry:
    return PanelEntry.objects.get(identifier=documented_id(number))


def only_code(html: str, outcome: Outcome) -> bool:
    """Whether a page shows the code of an outcome with its address, and no other code."""
    there = {each for each, code in CODES.items() if code in html}
    return there == {outcome} and f'href="{COMPLETE}{CODES[outcome]}"' in html


def test_prolific_is_known_by_its_documented_names_and_kept_as_they_came():
    begun(prepared())
    kept = entry()
    assert kept.panel_study == documented_id(900)
    assert kept.session == documented_id(501)
    assert kept.annotator.platform["participant"] == documented_id(1)
    assert (kept.outcome, kept.code, kept.ended_at) == ("", "", None)


def test_who_finishes_gets_the_code_the_link_and_a_button_that_copies_it():
    client = begun(prepared())
    html = answer_all(client)
    assert only_code(html, Outcome.FINISHED)
    assert 'data-copy="CDONE111"' in html
    assert entry().annotator.completion_code not in html
    assert (entry().outcome, entry().code) == ("finished", "CDONE111")
    assert entry().ended_at is not None


def test_practice_screens_somebody_out_with_a_code_of_its_own():
    campaign = prepared(systems=2, selection={"practice": PRACTICE, "qualification": {"pass": 1.0}})
    client = begun(campaign)
    html = answer_all(client, "100")
    assert "Thank you for practising" in html
    assert only_code(html, Outcome.SCREENED_OUT)
    assert entry().outcome == "screened_out"


def test_who_does_not_agree_leaves_with_the_code_and_may_come_back():
    client = sent_by_prolific(prepared(consent="We keep your answers."), 1)
    consent = page(client)
    assert "I do not agree and leave" in consent
    html = client.post(f"{client.at}leave/", follow=True).content.decode()
    assert only_code(html, Outcome.NO_CONSENT)
    assert entry().outcome == "no_consent"
    client.post(f"{client.at}consent/", {"consent": "yes"})
    read_guidelines(client)
    assert only_code(answer_all(client), Outcome.FINISHED)
    assert entry().outcome == "finished"


def test_who_stops_early_leaves_with_a_code_and_who_is_done_cannot_spoil_theirs():
    client = begun(prepared())
    answer(client, "50")
    html = client.post(f"{client.at}leave/", follow=True).content.decode()
    assert only_code(html, Outcome.STOPPED)
    assert only_code(answer_all(client), Outcome.FINISHED)
    html = client.post(f"{client.at}leave/", follow=True).content.decode()
    assert only_code(html, Outcome.FINISHED)
    assert entry().outcome == "finished"


@pytest.mark.parametrize("change", ["pause", "close"])
def test_a_campaign_that_rests_gives_its_code_to_who_is_inside_and_who_comes(change):
    campaign = prepared()
    inside, through = begun(campaign, 1), begun(campaign, 2)
    answer(inside, "50")
    answer_all(through)
    change_state(campaign, change, User.objects.get())
    assert only_code(page(inside), Outcome.PAUSED)
    assert only_code(page(through), Outcome.FINISHED)
    newcomer = sent_by_prolific(campaign, 3)
    assert newcomer.reply.status_code == 403
    assert only_code(newcomer.reply.text, Outcome.PAUSED)
    assert (entry(3).outcome, entry(3).person) == ("paused", None)
    again = inside.get(f"/join-by-code/{campaign.invite_code}/?PROLIFIC_PID={documented_id(1)}")
    assert again.url == inside.at


def test_who_finds_no_place_is_kept_with_the_code_and_takes_one_when_it_is_free():
    campaign = prepared(people=1)
    begun(campaign)
    late = sent_by_prolific(campaign, 2)
    assert only_code(late.reply.text, Outcome.NOTHING_LEFT)
    assert (entry(2).outcome, entry(2).person) == ("nothing_left", None)
    release_places(entry(1).annotator, User.objects.get())
    add_annotators(campaign, 1, User.objects.get())
    assert sent_by_prolific(campaign, 2).reply.status_code == 302
    assert entry(2).annotator is not None


def controlled(least: int | None) -> Campaign:
    campaign, _ = make_campaign(
        make_study(12, 1), annotators=1, selection={"controls": {"degraded": 4}}
    )
    with_panel(campaign, least_checks=least)
    return campaign


@pytest.mark.parametrize(
    ("least", "outcome"),
    [(4, Outcome.FAILED_CHECKS), (5, Outcome.FINISHED), (None, Outcome.FINISHED)],
)
def test_control_items_decide_only_as_the_owner_said(least, outcome):
    client = begun(controlled(least))
    html = answer_all(client)
    assert only_code(html, outcome)
    assert "Thank you, that was all" in html
    assert "check" not in html


def test_somebody_elses_identifier_shows_nothing_of_them_and_changes_nothing():
    campaign = prepared()
    answer_all(begun(campaign))
    before = entry()
    stranger = sent_by_prolific(campaign, 1)
    assert stranger.reply.status_code == 403
    assert "in another browser" in stranger.reply.text
    assert only_code(stranger.reply.text, Outcome.NOTHING_LEFT)
    assert stranger.get(f"/rate/{before.annotator.public_id}/leave/").status_code == 403
    after = entry()
    assert (after.outcome, after.code, after.ended_at) == (
        before.outcome, before.code, before.ended_at
    )  # fmt: skip


@pytest.mark.parametrize("at_once", [True, False])
def test_every_way_to_leave_leads_back_at_once_if_the_owner_wants_it(at_once):
    campaign = prepared(people=3, consent="We keep your answers.")
    Panel.objects.update(at_once=at_once)
    refusing, stopping, through = (sent_by_prolific(campaign, number) for number in (1, 2, 3))
    pages = {Outcome.NO_CONSENT: refusing.post(f"{refusing.at}leave/", follow=True).text}
    for each in (stopping, through):
        each.post(f"{each.at}consent/", {"consent": "yes"})
        read_guidelines(each)
    pages[Outcome.STOPPED] = stopping.post(f"{stopping.at}leave/", follow=True).text
    pages[Outcome.FINISHED] = answer_all(through)
    pages[Outcome.NOTHING_LEFT] = sent_by_prolific(campaign, 4).reply.text
    change_state(campaign, "pause", User.objects.get())
    pages[Outcome.PAUSED] = sent_by_prolific(campaign, 5).reply.text
    for outcome, html in pages.items():
        assert only_code(html, outcome)
        assert ("data-leave-at-once" in html) is at_once
        assert "js/leave" in html


def test_made_up_visitors_of_a_full_campaign_fill_no_table(settings):
    settings.JOIN_AT_ONCE = 3
    campaign = prepared(people=1)
    Annotator.objects.update(revoked_at="2026-01-01T00:00Z")
    pages = [sent_by_prolific(campaign, number).reply.text for number in range(10)]
    assert all(only_code(each, Outcome.NOTHING_LEFT) for each in pages)
    assert PanelEntry.objects.count() == 3


@pytest.mark.parametrize("forget", ["anonymise", "erase"])
def test_who_is_forgotten_leaves_no_identifier_of_the_panel(forget):
    answer_all(begun(prepared()))
    annotator, actor = entry().annotator, User.objects.get()
    if forget == "erase":
        erase(annotator, actor)
    else:
        anonymise(annotator, actor, comments=True)
    assert not PanelEntry.objects.exists()
