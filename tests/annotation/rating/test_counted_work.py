"""Practice and control items are no work: no page counts them as done."""

import re

import pytest

from annotation.campaigns.progress import progress
from annotation.panels.payment import worked_by
from annotation.people.of_study import raters_of_study
from tests.annotation.rating.test_rating_blindness import practice
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import following, judge, make_campaign, make_study
from tests.fixtures.panels import sent_by_prolific, with_panel
from tests.fixtures.rating_pages import entered

pytestmark = pytest.mark.django_db
PLAIN, CONTROLS, PRACTICE = 18, 2, 1


def begun(design="balanced_overlap", **values):
    study = make_study()
    selection = {**practice(study, "direct_assessment"), "controls": {"repeats": 1, "degraded": 1}}
    return make_campaign(study, annotators=1, selection=selection, design=design, **values)


def words(reply):
    return " ".join(re.sub(r"<[^>]+>", " ", reply.content.decode()).split())


@pytest.mark.parametrize("design", ["balanced_overlap", "shared_queue"])
def test_after_practice_nothing_is_done_and_at_the_end_the_items_of_systems_are(design):
    campaign, [person] = begun(design)
    owner = signed_in("ada", campaign.study)
    base = f"/studies/small/campaigns/{campaign.slug}/"
    client = entered(person)
    address = f"/rate/{person.public_id}/"
    judge(person, PRACTICE)
    assert "0 done" in words(client.get(address))
    assert "0 saved" in words(client.get(f"{address}done/"))
    assert "Undo the last answer" in words(client.get(address))
    [row] = progress(campaign).annotators
    assert (row.saved, row.percent or 0) == (0, 0)
    while following(person)[1]:
        judge(person, 1)
    found = progress(campaign)
    [row] = found.annotators
    assert (found.done, found.wanted) == (PLAIN, PLAIN)
    assert row.saved == PLAIN
    assert [each.name for each in found.systems if each.done != each.wanted] == []
    monitor = words(owner.get(base))
    if design == "balanced_overlap":
        assert (row.given, row.percent) == (PLAIN, 100)
        assert f"{PLAIN} of {PLAIN}" in monitor
    assert f"{PLAIN} item pages" in words(owner.get(f"{base}annotators/{person.pk}/"))
    [rater] = raters_of_study(campaign.study)
    assert rater.ratings == 3 * PLAIN
    # Annotators cannot tell control items, so their own pages count them, and no practice.
    controls = CONTROLS if design == "balanced_overlap" else following(person)[0].submitted - PLAIN
    assert f"You answered {PLAIN + controls} items" in words(client.get(address))


def test_a_panel_pays_for_time_and_lists_the_ratings_of_systems():
    campaign, [person] = begun(invite_code="COME-IN")
    panel = with_panel(campaign)
    assert sent_by_prolific(campaign, 1).at
    judge(person, PRACTICE)
    [worked] = worked_by(panel)
    assert worked.ratings == 0
    assert worked.minutes is not None
    judge(person, PLAIN + CONTROLS)
    assert worked_by(panel)[0].ratings == PLAIN
