"""Rules of stopping where several outputs are judged together: scores, bounds, whole pages."""

import numpy as np
import pytest

from analysis.data import matrices
from analysis.stopping.sequences import laid_out
from annotation.designs.segments import segments_in_order
from annotation.designs.stopping import StoppingRule, rule_of
from annotation.models import Campaign, Item, Rating
from annotation.queue.rounds import Decision, decide
from tests.fixtures.campaigns import following, make_campaign, make_study, possible_answers, send


@pytest.fixture(autouse=True)
def _forget():
    matrices.forget()
    yield
    matrices.forget()


def rated(protocol, systems, goal="pairs", aspect="overall", config=None, segments=11, **rule):
    """Return a campaign with a rule whose every page was rated, others at each turn."""
    stated = StoppingRule(goal, aspect, **rule).stored()
    campaign, [annotator] = make_campaign(
        make_study(segments, systems),
        protocol,
        annotators=1,
        design=Campaign.Design.QUEUE,
        config=config or {},
        selection={"annotators": 1, "stopping": stated},
    )
    one, two = campaign.study.systems.filter(kind="system").values_list("pk", flat=True)[:2]
    for turn in range(1000):
        annotator, screen = following(annotator)
        if not screen:
            break
        answers = possible_answers(campaign, len(screen), turn)
        send(annotator, screen[0], *answers)
        # As if all but one pair were settled.
        decide(campaign, Decision(met=False, segments=turn, pairs=((one, two),)))
    matrices.forget()
    campaign.refresh_from_db()
    return campaign


def scores(campaign, of_output):
    """Return the scores of all segments × systems in the drawn order, one rating at a time.

    `of_output` gives the score by what is stored and how many outputs the page has.
    """
    items = list(campaign.items.filter(kind="plain").select_related("first"))
    order_of = segments_in_order([item.first.segment_id for item in items], campaign.seed).tolist()
    systems = list(campaign.study.systems.filter(kind="system").values_list("pk", flat=True))
    table = np.full((len(order_of), len(systems)), np.nan)
    aspect = campaign.selection["stopping"]["aspect"]
    for item in items:
        beside = sum(other.screen == item.screen for other in items)
        stored = Rating.objects.get(submission__item=item, aspect=aspect).value
        place = order_of.index(item.first.segment_id), systems.index(item.first.system_id)
        table[place] = of_output(stored, beside)
    return table


def laid(campaign):
    return laid_out(campaign, matrices.load(campaign.study), rule_of(campaign.selection))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("protocol", "systems", "of_output", "bounds"),
    [
        ("best_worst", 5, lambda stored, beside: stored, (-2, 2)),
        ("ranking", 7, lambda rank, beside: (beside - rank) / (beside - 1), (-1, 1)),
    ],
)
def test_differences_are_those_of_scores_on_pages_of_any_size(protocol, systems, of_output, bounds):
    campaign = rated(protocol, systems)
    sizes = {sum(1 for _ in screen) for screen in screens(campaign)}
    assert len(sizes) == 2
    table, found = scores(campaign, of_output), laid(campaign)
    assert found.criterion.bounds == bounds
    assert len(found.compared) == systems * (systems - 1) // 2
    for each in found.compared:
        assert np.allclose(each.values, table[:, each.first] - table[:, each.second])
    assert any(np.ptp(each.values) > 0 for each in found.compared)


@pytest.mark.django_db
def test_a_page_with_all_outputs_of_a_source_is_rated_whole_and_looked_at_by_its_ratings():
    campaign = rated("direct_assessment", 3, aspect="fluency", config={"table": True})
    assert set(Item.objects.values_list("wanted", "taken")) == {(1, 1)}
    table, found = scores(campaign, lambda stored, beside: stored), laid(campaign)
    assert found.criterion.bounds == (-100, 100)
    for each in found.compared:
        assert np.allclose(each.values, table[:, each.first] - table[:, each.second])


def screens(campaign):
    numbers = campaign.items.filter(kind="plain").values_list("screen", flat=True)
    return [[number for number in numbers if number == each] for each in set(numbers)]
