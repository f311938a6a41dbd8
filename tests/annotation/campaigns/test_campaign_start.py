"""A start writes some rows at a time, and one that was interrupted can be made again."""

from itertools import pairwise

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction

from annotation.campaigns.drafts import LaunchError
from annotation.campaigns.service import CampaignError, being_started, discard, keep_draft
from annotation.launch import starting, writing
from annotation.launch.launching import launch
from annotation.launch.starting import start
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.queue.handing_out import next_assignments
from corpus.jobs.queue import cancel
from corpus.jobs.worker import run_next
from corpus.models import Job, MaskedText
from corpus.storage.write_turn import write_turn
from corpus.texts.lexicons import LexiconEntry, store_lexicon
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import make_campaign, make_study, send

pytestmark = pytest.mark.django_db
EVERYTHING = {
    "annotators": 3,
    "controls": {"repeats": 2, "degraded": 2, "references": 2},
    "practice": [{"output": ["s0", "system-0"], "expected": {"style": 50}}],
}


class Killed(BaseException):
    """Stands for the end of the process: nothing handles it."""


@pytest.fixture(autouse=True)
def _few_rows_at_once(monkeypatch):
    monkeypatch.setattr(writing, "ROWS_AT_ONCE", 7)


@pytest.fixture
def owner():
    return User.objects.create_user("ada")


def draft(study=None, **values):
    fields = {
        "slug": "pilot",
        "protocol": "direct_assessment",
        "origin": "live",
        "state": "draft",
        "design": "balanced_overlap",
        "ratings_per_item": 2,
        "seed": 7,
        "selection": dict(EVERYTHING),
    }
    return Campaign.objects.create(study=study or make_study(), **(fields | values))


def killed_after(parts):
    """Turns of which the last is cut off in the middle."""
    left = [parts]

    def turn():
        left[0] -= 1
        if not left[0]:
            raise Killed
        return transaction.atomic()

    return turn


def written(campaign):
    """What a start has made, without keys."""
    items = campaign.items.order_by("pk").values_list(
        "first", "second", "occasion", "kind", "wanted", "taken", "shown", "original__first"
    )
    lists = Assignment.objects.filter(annotator__campaign=campaign).order_by(
        "annotator__number", "position", "pk"
    )
    places = lists.values_list("annotator__number", "position", "lead", "swapped", "item__first")
    people = campaign.annotators.order_by("number").values_list("pseudonym", "assigned")
    return [*map(str, items), *map(str, places), *map(str, people)]


@pytest.mark.dialect
def test_a_start_that_was_cut_off_anywhere_can_be_made_again_with_nothing_doubled():
    whole = draft(slug="whole")
    parts = []
    launch(whole, 3, turn=lambda: parts.append(1) or transaction.atomic())
    expected = written(whole)
    assert len(parts) > 15
    campaign = draft(study=whole.study, slug="cut")
    for cut in range(1, len(parts) + 1, 2):
        with pytest.raises(Killed):
            launch(campaign, 3, turn=killed_after(cut))
        assert Campaign.objects.get(pk=campaign.pk).state == "draft"
    launch(campaign, 3)
    assert Campaign.objects.get(pk=campaign.pk).state == "open"
    assert written(campaign) == expected


def test_no_transaction_writes_more_than_some_rows():
    campaign = draft()
    sizes = []

    def turn():
        before = Item.objects.count() + Assignment.objects.count()
        sizes.append(before)
        return transaction.atomic()

    launch(campaign, 3, turn=turn)
    # The practice items of all annotators are one part, each list of rows another.
    assert max(after - before for before, after in pairwise(sizes)) <= 7


@pytest.mark.parametrize("design", ["shared_queue", "fixed_batches"])
def test_masked_texts_of_an_interrupted_start_are_not_kept_twice(design):
    study = make_study(8, 2)
    store_lexicon(study, "words", [LexiconEntry("some words")])
    selection = {"mask": {"lexicon": "words"}, "controls": {"references": 1}}
    campaign = draft(study, protocol="content_preservation", selection=selection, design=design)
    for cut in (6, 7, 8):
        with pytest.raises(Killed):
            launch(campaign, 2, turn=killed_after(cut))
    launch(campaign, 2)
    assert set(MaskedText.objects.values_list("recipe", flat=True)) == {"shown in pilot"}
    assert MaskedText.objects.count() == 8 * 4


@pytest.mark.dialect
@pytest.mark.django_db(transaction=True)
def test_rows_of_two_starts_at_once_never_open_together():
    campaign = draft()
    again = Campaign.objects.get(pk=campaign.pk)
    calls = []

    def turn():
        calls.append(1)
        if len(calls) == 20:
            with pytest.raises(Killed):
                launch(again, 3, turn=killed_after(14))
        return transaction.atomic()

    with pytest.raises((LaunchError, IntegrityError)):
        launch(campaign, 3, turn=turn)
    assert Campaign.objects.get().state == "draft"
    launch(again, 3)
    assert written(again) == written(Campaign.objects.get())


# Large campaigns


@pytest.fixture
def _large(monkeypatch):
    monkeypatch.setattr(starting, "AT_ONCE", 10)


@pytest.mark.usefixtures("_large")
def test_nothing_changes_about_a_campaign_that_is_being_started(owner):
    campaign = draft()
    start(campaign, owner)
    assert being_started(campaign)
    for change in (start, keep_draft, discard):
        with pytest.raises(CampaignError, match=r"already starting|is being started"):
            change(campaign, owner)
    cancel(Job.objects.get())
    assert not being_started(campaign)
    keep_draft(campaign, owner)


@pytest.mark.usefixtures("_large")
def test_a_cancelled_start_leaves_a_draft_without_items(owner, monkeypatch):
    monkeypatch.setattr("corpus.jobs.progress.SECONDS_BETWEEN_WRITES", 0)
    campaign = draft()
    start(campaign, owner)
    parts = []

    def cancelled_then(c, n, turn, tell, **kw):
        def heard(*told):
            parts.append(told)
            if len(parts) == 5:
                cancel(Job.objects.get())
            tell(*told)

        return launch(c, n, turn=turn, tell=heard, **kw)

    monkeypatch.setattr(starting, "launch", cancelled_then)
    assert run_next().state == "cancelled"
    assert len(parts) == 5
    assert Campaign.objects.get().state == "draft"
    assert not Item.objects.exists()
    assert not Annotator.objects.exists()


@pytest.mark.usefixtures("_large")
def test_the_page_leads_to_the_job_and_the_job_to_the_annotators():
    study = make_study()
    client = signed_in("ada", study)
    draft(study)
    page = client.post("/studies/small/campaigns/pilot/start/", {"confirmed": "yes"}, follow=True)
    assert page.redirect_chain[-1][0] == f"/jobs/{Job.objects.get().pk}/"
    preview = client.get("/studies/small/campaigns/pilot/preview/").text
    assert "is starting" in preview
    assert "Start the campaign" not in preview
    edit = client.get("/studies/small/campaigns/pilot/edit/", follow=True)
    assert edit.redirect_chain[-1][0].endswith("/preview/")
    run_next()
    page = client.get(f"/jobs/{Job.objects.get().pk}/").text
    assert "/studies/small/campaigns/pilot/annotators/" in page
    assert "Monitor" in client.get("/studies/small/campaigns/pilot/preview/").text


@pytest.mark.dialect
@pytest.mark.django_db(transaction=True)
def test_others_rate_while_a_campaign_is_being_started(owner):
    study = make_study()
    _, [annotator, _] = make_campaign(study)
    campaign = draft(study)
    answered = []

    def told(*_):
        assert not connection.in_atomic_block
        with write_turn():
            screen = next_assignments(annotator)
        if screen:
            answered.append(send(annotator, screen[0]).stored)

    launch(campaign, 3, turn=write_turn, tell=told)
    assert len(answered) > 10
    assert all(answered)


def test_a_draft_whose_start_was_cut_off_is_deleted_with_what_was_written(owner):
    campaign = draft()
    with pytest.raises(Killed):
        launch(campaign, 3, turn=killed_after(14))
    assert Item.objects.exists()
    discard(campaign, owner)
    assert not Campaign.objects.exists()
    assert not Item.objects.exists()
