"""Best–worst scaling: screens of four, answers, control items, practice, scores by counting."""

from collections import Counter

import numpy as np
import pytest
from django.test import Client
from django.utils import timezone

from analysis.data import matrices
from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.campaigns.history import history_csv
from annotation.controls.results import control_results
from annotation.models import Annotator, Campaign, Item, Rating, Submission
from annotation.people.invitations import new_links
from annotation.protocols.questions import AnswerError
from annotation.queue.handing_out import next_assignments
from tests.fixtures.by_night import by_night
from tests.fixtures.campaigns import make_campaign, make_study, send
from tests.fixtures.html_forms import fields_of
from tests.fixtures.simulated_ratings import rate_everything

pytestmark = pytest.mark.django_db
COUNTS = {"repeats": 2, "degraded": 5, "references": 2}


def started(segments=6, systems=4, annotators=1, **values):
    """A campaign, and its annotators as a request loads them."""
    campaign, people = make_campaign(
        make_study(segments, systems), "best_worst", annotators=annotators, **values
    )
    found = Annotator.objects.select_related("campaign").in_bulk([each.pk for each in people])
    return campaign, [found[each.pk] for each in people]


def letters(best, worst):
    """The answer that two places of a screen are the best and the worst."""
    return {"best": "abcd"[best], "worst": "abcd"[worst]}


def chosen_by_text(screen, value):
    """The answer of who judges each text by a number."""
    values = [value(each.item) for each in screen]
    return letters(int(np.argmax(values)), int(np.argmin(values)))


# Screens


@pytest.mark.parametrize(
    ("systems", "sizes"), [(2, {2}), (3, {3}), (4, {4}), (5, {2, 3}), (6, {3}), (9, {3})]
)
def test_outputs_are_dealt_out_to_screens_of_up_to_four(systems, sizes):
    campaign, _ = started(systems=systems)
    screens = Counter(campaign.items.values_list("screen", flat=True))
    assert set(screens.values()) == sizes
    assert campaign.items.count() == 6 * systems


def test_one_output_alone_is_on_no_screen():
    campaign = Campaign(study=make_study(3, 1), protocol="best_worst", seed=1)
    from annotation.selection.pool import SelectionError, build_pool

    with pytest.raises(SelectionError, match="nothing to rate"):
        build_pool(campaign)


# Answers


def test_the_best_gets_one_the_worst_minus_one_the_others_nought():
    _, [annotator] = started()
    screen = next_assignments(annotator)
    outcome = send(annotator, screen[0], letters(2, 0))
    stored = {
        rating.submission.item_id: (rating.aspect, rating.value)
        for rating in Rating.objects.select_related("submission")
    }
    assert [stored[each.item_id] for each in screen] == [
        ("overall", -1), ("overall", 0), ("overall", 1), ("overall", 0),
    ]  # fmt: skip
    assert outcome.following[0].position == 1


@pytest.mark.parametrize(
    ("given", "problems"),
    [
        ({}, {"0-best": "Best: not answered yet", "0-worst": "Worst: not answered yet"}),
        ({"best": "a"}, {"0-worst": "Worst: not answered yet"}),
        ({"best": "b", "worst": "b"}, {"0-worst": "Worst: choose another output than the best"}),
        ({"best": "d", "worst": "a"}, {"0-best": "Best: 'd' is not one of the outputs"}),
        ({"best": "a", "worst": "ab"}, {"0-worst": "Worst: 'ab' is not one of the outputs"}),
        ({"best": "1", "worst": "b"}, {"0-best": "Best: '1' is not one of the outputs"}),
    ],
)
def test_what_is_no_choice_of_two_outputs_is_refused(given, problems):
    _, [annotator] = started(systems=3)
    with pytest.raises(AnswerError) as error:
        send(annotator, next_assignments(annotator)[0], given)
    assert error.value.problems == problems
    assert not Submission.objects.exists()


def test_the_page_asks_twice_and_shows_a_draft_a_problem_and_an_earlier_answer():
    _, [annotator] = started()
    Annotator.objects.update(guidelines_read_at=timezone.now())
    client, own = Client(), f"/rate/{annotator.public_id}/"
    client.get(f"/join/{new_links([annotator])[annotator.pk]}/")
    page = client.get(own).text
    assert page.count('type="radio"') == 8
    assert page.count("<legend>Best</legend>") == page.count("<legend>Worst</legend>") == 1
    assert "Which output is the best, and which is the worst?" in page
    form = fields_of(page, "assignment") | {"answer-0-best": "b"}
    client.post(f"{own}draft/", form)
    kept = client.get(own).text
    assert 'name="answer-0-best" value="b" checked' in kept
    assert kept.count("checked") == 1
    refused = client.post(f"{own}submit/", form | {"answer-0-worst": "b"})
    assert refused.status_code == 422
    assert '<p class="error" id="answer-0-worst-error">Worst: choose another' in refused.text
    assert refused.text.count("checked") == 2
    assert client.post(f"{own}submit/", form | {"answer-0-worst": "d"}).status_code == 302
    again = client.get(f"{own}item/{form['assignment'][0]}/").text
    assert 'name="answer-0-best" value="b" checked' in again
    assert 'name="answer-0-worst" value="d" checked' in again


# Control items


@pytest.mark.parametrize("design", by_night(["balanced_overlap", "shared_queue"], "shared_queue"))
def test_controls_are_whole_screens_and_tell_who_is_attentive(design):
    campaign, people = started(
        20, 4, annotators=2, design=design, ratings_per_item=2, selection={"controls": COUNTS}
    )
    known = {"degraded": -1.0, "reference": 2.0}

    def attentive(item):
        own = item.first_id % 7 / 10
        return known.get(item.kind, own) if item.original_id is not None else own

    def careless(item):
        return item.pk * 7919 % 11

    for person, judge in zip(people, (attentive, careless), strict=True):
        while screen := next_assignments(person):
            assert len(screen) == 4
            send(person, screen[0], chosen_by_text(screen, judge))
            person.refresh_from_db()
    for kind, changed in (("repeat", 4), ("degraded", 1), ("reference", 1)):
        screens = {}
        for item in campaign.items.filter(kind=kind).select_related("first__system"):
            screens.setdefault(item.screen, []).append(item)
        assert screens
        for items in screens.values():
            assert len(items) == 4
            assert sum(item.original_id is not None for item in items) == changed
            assert sum(item.lead for item in items) == 1
            shown = [item for item in items if item.shown]
            assert len(shown) == (kind == "degraded")
            references = sum(item.first.system.kind == "reference" for item in items)
            assert references == (kind == "reference")
    first, second = control_results(campaign)
    assert (first.degraded.pairs, first.references.pairs) == (5, 2)
    assert first.degraded.test.mean_difference > 0
    assert first.references.test.mean_difference > 0
    assert (first.same, first.repeats) == (8, 8)
    assert first.degraded.test.p < second.degraded.test.p
    counted = Rating.objects.counted(campaign.study).filter(submission__annotator=people[0])
    assert counted.count() == 80
    kinds = {item.kind for item in Item.objects.filter(submissions__ratings__in=counted)}
    assert kinds == {"plain"}


# Practice


# Simulator and scores


@pytest.fixture
def rated():
    """A campaign that four simulated annotators have rated to its end."""
    matrices.forget()
    campaign, people = started(16, 5, annotators=4)
    rate_everything(campaign, people)
    yield campaign
    matrices.forget()


def test_the_mean_of_a_system_is_its_share_of_best_less_its_share_of_worst(rated):
    counts = {}
    for row in "".join(history_csv(rated)).splitlines()[1:]:
        cells = row.split(",")
        counts.setdefault(cells[3], Counter())[float(cells[13])] += 1
    expected = {
        system: (found[1.0] - found[-1.0]) / found.total() for system, found in counts.items()
    }
    assert len(expected) == 5
    [table] = report(rated.study, "ranking", Question())["content"]["tables"]
    found = {row["system"]: row["raw"]["result"]["value"] for row in table["systems"]}
    assert found == pytest.approx(expected)
