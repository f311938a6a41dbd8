"""The stopping rule in the form of a campaign: stated before the start, and what it needs."""

import pytest

from annotation.designs.stopping import StoppingRule, rule_of
from annotation.models import Campaign, Item
from corpus.models import AuditEntry, System
from tests.fixtures.campaign_pages import filled, prepared
from tests.fixtures.campaigns import make_study

QUEUE = {"design": "shared_queue", "stopping-aspect": "fluency"}


@pytest.fixture
def study(db):
    return make_study(12, 3)


def refused(page) -> str:
    assert page.status_code == 400
    return page.content.decode()


def test_a_rule_is_kept_and_shown_again_and_in_the_audit_trail(owner, study):
    address = prepared(owner, study)
    stated = {"stopping-goal": "pairs", "stopping-margin": "5", "stopping-half_width": "3"}
    assert owner.post(address, filled(owner, address, **QUEUE, **stated)).status_code == 302
    rule = rule_of(Campaign.objects.get().selection)
    assert rule == StoppingRule("pairs", "fluency", margin=5)
    assert filled(owner, address)["stopping-margin"] == ["5.0"]
    entry = AuditEntry.objects.filter(action="change campaign").first()
    assert entry.after["selection.stopping"]["goal"] == "pairs"


def test_a_rule_needs_the_shared_queue_and_what_its_goal_asks_for(owner, study):
    address = prepared(owner, study)
    first = str(System.objects.get(name="system-0").pk)
    page = refused(owner.post(address, filled(owner, address, **{"stopping-goal": "pairs"})))
    assert "A stopping rule needs the shared queue" in page
    for goal, more, said in (
        ("pair", {"stopping-first": first, "stopping-second": first}, "Choose two different"),
        ("clusters", {}, "Enter how many clusters are enough, at least 2."),
        ("means", {}, "Enter the half-width that is narrow enough."),
    ):
        data = filled(owner, address, **QUEUE, **{"stopping-goal": goal}, **more)
        assert said in refused(owner.post(address, data))


@pytest.mark.parametrize(
    ("protocol", "scale"),
    [("best_worst", "from −1 (always the worst)"), ("ranking", "from 0 (always last)")],
)
def test_outputs_that_are_judged_together_have_a_rule_on_the_scale_of_their_score(
    owner, study, protocol, scale
):
    address = prepared(owner, study, f"protocol:{protocol}")
    page = owner.get(address).content.decode()
    assert scale in page
    assert "no system is left out when it is settled" in page
    stated = {"stopping-goal": "pairs", "stopping-margin": "0.2", "stopping-aspect": "overall"}
    data = filled(owner, address, **QUEUE | stated)
    assert "stopping-adaptive" not in data
    assert owner.post(address, data).status_code == 302
    rule = rule_of(Campaign.objects.get().selection)
    assert rule == StoppingRule("pairs", "overall", margin=0.2, adaptive=False)


def test_the_start_opens_the_first_round_only(owner, study):
    address = prepared(owner, study)
    stated = {"stopping-goal": "differences", "stopping-half_width": "5"}
    data = filled(owner, address, **QUEUE, **stated, annotators="3", ratings_per_item="2")
    assert owner.post(address, data).status_code == 302
    where = address.replace("edit/", "start/")
    assert owner.post(where, {"confirmed": "yes"}).status_code == 302
    campaign = Campaign.objects.get()
    assert campaign.stopping == {"rounds": 2, "width": 30, "open": 1}
    items = Item.objects.filter(campaign=campaign, kind="plain")
    assert items.filter(wanted=2, position__lte=30).count() == 30
    assert items.filter(wanted=0, position__gt=30).count() == 6
