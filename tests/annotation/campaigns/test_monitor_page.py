"""The monitor: progress, agreement so far, controls, what stands out, and it costs the same."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.data import matrices
from analysis.monitoring import agreement_so_far
from analysis.stats.agreement.krippendorff_alpha import krippendorff_alpha
from analysis.views import monitor
from annotation.models import Campaign, Item
from annotation.protocols.catalogue import LIVE
from tests.fixtures.by_night import by_night
from tests.fixtures.campaign_pages import signed_in
from tests.fixtures.campaigns import (
    following,
    judge,
    make_campaign,
    make_study,
    possible_answers,
    send,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    matrices.forget()
    return make_study()


def page_of(campaign: Campaign) -> str:
    return f"/studies/small/campaigns/{campaign.slug}/"


def flat(page) -> str:
    return " ".join(page.content.decode().split())


def test_progress_is_counted_by_annotator_and_by_system(owner, study):
    campaign, [first, second] = make_campaign(study, annotators=2)
    judge(first, 18, active_seconds=10)
    judge(second, 2, active_seconds=40)
    page = owner.get(page_of(campaign))
    found = page.context["progress"]
    assert (found.done, found.wanted, found.percent) == (20, 36, 55)
    assert found.seconds == 10
    assert [row.seconds for row in found.annotators] == [10, 40]
    assert [row.percent for row in found.annotators] == [100, 11]
    assert [row.name for row in found.systems] == ["system-0", "system-1", "system-2"]
    assert sum(row.done for row in found.systems) == 20
    assert {row.wanted for row in found.systems} == {12}
    assert "20 of 36" in flat(page)
    assert "2 of 18" in flat(page)


def test_agreement_so_far_is_that_of_the_statistics(owner, study):
    campaign, [first, second] = make_campaign(study, annotators=2)
    values = {
        pk: 7 * place % 100 for place, pk in enumerate(Item.objects.values_list("pk", flat=True))
    }
    judge(first, 18, lambda item: values[item.pk])
    judge(second, 18, lambda item: (values[item.pk] + item.pk % 3 * 5) % 101)
    rows = agreement_so_far(campaign)
    assert [row.aspect for row in rows] == ["style", "content", "fluency"]
    table = [
        [values[pk], (values[pk] + pk % 3 * 5) % 101]
        for pk in Item.objects.order_by("first__ordinal").values_list("pk", flat=True)
    ]
    expected = krippendorff_alpha([[max(v, 0) or 1 for v in row] for row in table], "interval")
    assert rows[0].results["alpha-interval"].value == pytest.approx(expected.value)
    assert rows[0].twice == rows[0].units == 18
    assert f"{expected.value:.3f}" in flat(owner.get(page_of(campaign)))


@pytest.mark.parametrize("key", by_night(LIVE, "ranking", "output_against_output"))
def test_every_protocol_can_be_watched_from_the_first_answer_to_the_last(owner, study, key):
    config = {"masked": False} if key == "content_preservation" else {}
    campaign, people = make_campaign(study, key, annotators=2, config=config)
    assert "nobody has answered yet" in flat(owner.get(page_of(campaign)))
    for person in people:
        while following(person)[1]:
            annotator, screen = following(person)
            send(annotator, screen[0], *possible_answers(campaign, len(screen), 3))
    page = owner.get(page_of(campaign))
    assert page.context["progress"].percent == 100
    assert {row["twice"] for row in page.context["agreement"]} == {
        row["units"] for row in page.context["agreement"]
    }


def test_controls_are_passed_or_not_by_the_answers_alone(owner, study):
    campaign, [careful, careless] = make_campaign(
        study, annotators=2, selection={"controls": {"repeats": 2, "degraded": 5}}
    )
    judge(careful, 25, lambda item: {"degraded": 10 + item.pk % 3}.get(item.kind, 70))
    judge(careless, 25, lambda item: 50)
    rows = owner.get(page_of(campaign)).context["controls"]
    assert [row.annotator for row in rows] == [careful, careless]
    tested = [row.degraded for row in rows]
    assert [(each.pairs, each.test.passed) for each in tested] == [(5, True), (5, False)]
    assert rows[0].degraded.test.mean_difference == pytest.approx(59, abs=1)
    assert rows[0].difference == 0
    assert (rows[0].same, rows[0].repeats) == (6, 6)
    text = flat(owner.get(page_of(campaign)))
    assert "not passed" in text
    assert ">passed<" in text


def test_a_part_is_sent_alone_and_polling_ends_with_the_campaign(owner, study):
    campaign, _ = make_campaign(study)
    whole = flat(owner.get(page_of(campaign)))
    assert f'hx-get="{page_of(campaign)}?part=progress" hx-trigger="every 10s"' in whole
    part = owner.get(f"{page_of(campaign)}?part=progress", headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert b"<html" not in part.content
    assert b"By annotator" in part.content
    assert b"Agreement so far" not in part.content
    Campaign.objects.update(state="closed")
    assert owner.get(f"{page_of(campaign)}?part=quality").status_code == 286
    assert 'hx-trigger="every' not in flat(owner.get(page_of(campaign)))


def queries(client, address: str) -> int:
    with CaptureQueriesContext(connection) as found:
        assert client.get(address).status_code == 200
    return len(found)


def test_the_monitor_costs_the_same_for_many_people_and_items(owner, study):
    large = make_study(20, 6, slug="large")
    signed_in("ada", large)
    controls = {"controls": {"repeats": 1, "degraded": 2}}
    small, few = make_campaign(study, annotators=2, selection=controls)
    big, many = make_campaign(large, annotators=12, ratings_per_item=4, selection=controls)
    for people, count in ((few, 21), (many, 40)):
        for number, person in enumerate(people):
            judge(person, count, lambda item, n=number: (item.pk + n) % 100)
    assert queries(owner, page_of(small)) == queries(owner, f"/studies/large/campaigns/{big.slug}/")


@pytest.fixture
def large(monkeypatch):
    """Take a campaign of more than ten ratings for a large one."""
    monkeypatch.setattr(monitor, "AT_ONCE", 10)


def test_the_page_of_a_large_campaign_comes_before_what_takes_longest(owner, study, large):
    campaign, [first, second] = make_campaign(study, annotators=2)
    judge(first, 18)
    judge(second, 18)
    page = owner.get(page_of(campaign))
    assert page.context["progress"].done == 36
    assert "contested" not in page.context
    assert 'hx-trigger="load, every 60s"' in flat(page)
    part = owner.get(f"{page_of(campaign)}?part=quality")
    assert "contested" in part.context
    # Who has no scripts asks for the whole page.
    assert "?whole=1" in flat(page)
    assert "largest disagreement" in flat(owner.get(f"{page_of(campaign)}?whole=1"))
