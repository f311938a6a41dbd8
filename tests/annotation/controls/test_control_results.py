"""What control items tell: repeats, degraded copies and references, of ratings and of choices."""

import pytest
from scipy import stats

from annotation.controls.results import control_results
from annotation.models import Item, Rating
from annotation.queue.handing_out import next_assignments
from tests.fixtures.campaigns import make_campaign, make_study, send

pytestmark = pytest.mark.django_db


def rated(campaign, annotator, value_of):
    """Rate everything that an annotator gets, all aspects alike; return what was given by item."""
    given = {}
    asked = campaign.rules.questions(campaign.config)
    while screen := next_assignments(annotator):
        given[screen[0].item_id] = value_of(screen[0].item)
        answer = str(given[screen[0].item_id])
        send(annotator, screen[0], {question.aspect: answer for question in asked})
    return given


def chosen(annotator, side_of):
    """Answer every comparison with the stored choice that a function wants."""
    while screen := next_assignments(annotator):
        [lead] = screen
        wanted = side_of(lead.item)
        side = "tie" if wanted == "tie" else "ab"[(wanted == "second") is not lead.swapped]
        questions = annotator.campaign.rules.questions(annotator.campaign.config)
        send(annotator, lead, {question.aspect: side for question in questions})


def controls(**counts):
    return {"controls": counts}


def test_references_are_compared_with_the_mean_of_the_outputs_of_their_source():
    campaign, [careful, careless] = make_campaign(
        make_study(10, 3), annotators=2, selection=controls(references=6)
    )
    values = iter(range(1000))
    given = rated(
        campaign,
        careful,
        lambda item: 80 + next(values) % 9 if item.kind == "reference" else 20 + next(values) % 7,
    )
    rated(campaign, careless, lambda item: 50 + item.pk % 5)
    results = control_results(campaign)
    items = Item.objects.select_related("first").in_bulk(given)
    references = [item for item in items.values() if item.kind == "reference"]
    assert len({item.first.segment_id for item in references}) == 6
    outputs = [
        [
            given[item.pk]
            for item in items.values()
            if item.kind == "plain" and item.first.segment_id == reference.first.segment_id
        ]
        for reference in references
    ]
    assert {len(each) for each in outputs} == {3}
    expected = stats.ttest_rel(
        [given[item.pk] for item in references],
        [sum(each) / 3 for each in outputs],
        alternative="greater",
    )
    assert results[0].references.test.p == pytest.approx(expected.pvalue)
    assert results[0].references.test.passed
    assert results[0].degraded.pairs == 0
    assert not results[1].references.test.passed


def test_a_reference_is_never_a_rating_of_a_system():
    campaign, [annotator] = make_campaign(
        make_study(10, 2), annotators=1, selection=controls(references=4, repeats=2)
    )
    given = rated(campaign, annotator, lambda item: 50)
    assert len(given) == 26
    counted = Rating.objects.counted(campaign.study)
    assert counted.count() == 20 * 3
    kinds = {item.kind for item in Item.objects.filter(submissions__ratings__in=counted)}
    assert kinds == {"plain"}


@pytest.mark.parametrize("protocol", ["relative_naturalness", "output_against_output"])
def test_the_degraded_one_of_two_texts_must_lose(protocol):
    campaign, [careful, careless, torn] = make_campaign(
        make_study(10, 3),
        protocol,
        annotators=3,
        config={"tie": True},
        selection=controls(degraded=6),
    )
    items = campaign.items.filter(kind="degraded").select_related("original")
    spoilt = {}
    for item in items:
        [side] = item.shown
        spoilt[item.pk] = side
        output = item.first if side == "first" else item.second
        assert item.shown[side] != output.text
        assert output.system.kind == "system"
    if protocol == "output_against_output":
        assert set(spoilt.values()) == {"first", "second"}
    better = {pk: "second" if side == "first" else "first" for pk, side in spoilt.items()}
    chosen(careful, lambda item: better.get(item.pk, "first"))
    chosen(careless, lambda item: "first" if item.pk % 2 else "second")
    chosen(torn, lambda item: "tie")
    first, second, third = control_results(campaign)
    assert (first.degraded.pairs, first.degraded.test.wins) == (6, 6)
    assert first.degraded.test.p == pytest.approx(0.5**6)
    assert first.degraded.test.passed
    won = sum(("first" if pk % 2 else "second") == side for pk, side in better.items())
    assert second.degraded.test.wins <= won
    assert (third.degraded.test.wins, third.degraded.test.passed) == (0, False)


def test_the_reference_beside_an_output_must_win():
    campaign, [careful, careless] = make_campaign(
        make_study(12, 2), "output_against_output", annotators=2, selection=controls(references=5)
    )
    shown = campaign.items.filter(kind="reference")
    sides = {
        item.pk: "first" if item.first.system.kind == "reference" else "second" for item in shown
    }
    for item in shown:
        kinds = {item.first.system.kind, item.second.system.kind}
        assert kinds == {"system", "reference"}
        assert item.first.segment_id == item.second.segment_id
    chosen(careful, lambda item: sides.get(item.pk, "first"))
    chosen(careless, lambda item: "second" if sides.get(item.pk) == "first" else "first")
    first, second = control_results(campaign)
    assert (first.references.test.wins, first.references.test.passed) == (5, True)
    assert (second.references.test.wins, second.references.test.passed) == (0, False)


def test_with_several_aspects_the_better_text_wins_by_most_of_them():
    campaign, [annotator] = make_campaign(
        make_study(6, 2),
        "output_against_output",
        annotators=1,
        config={"aspects": ["style", "content", "fluency"]},
        selection=controls(degraded=2),
    )
    while screen := next_assignments(annotator):
        [lead] = screen
        spoilt = "first" if "first" in (lead.item.shown or {}) else "second"
        better, worse = ("b", "a") if (spoilt == "first") is not lead.swapped else ("a", "b")
        send(annotator, lead, {"style": better, "content": worse, "fluency": better})
    [result] = control_results(campaign)
    assert (result.degraded.pairs, result.degraded.test.wins) == (2, 2)
