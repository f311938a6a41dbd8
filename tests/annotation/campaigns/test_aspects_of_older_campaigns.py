"""Campaigns and ratings from before the registry of aspects go on, under the aspects meant."""

from importlib import import_module

import pytest
from django.apps import apps

from analysis.data import matrices
from annotation.models import Assignment, Campaign, Rating, Submission
from annotation.queue.handing_out import next_assignments
from annotation.rating.screens import build_screen
from tests.fixtures.campaigns import make_campaign, make_study, send

pytestmark = pytest.mark.django_db
MIGRATION = import_module("annotation.migrations.0008_aspects_of_the_registry")


def test_words_and_practice_of_stored_campaigns_are_renamed_with_their_aspects():
    study = make_study()
    practice = [{"output": ["s0", "rank"], "expected": {"content_preservation": [4, 5]}}]
    campaign = Campaign.objects.create(
        study=study, slug="old", protocol="content_preservation", origin="live",
        config={"masked": False, "questions": {"content_preservation": "How similar?"}},
        selection={"practice": practice},
    )  # fmt: skip
    likert = Campaign.objects.create(
        study=study, slug="likert", protocol="likert", origin="live",
        config={"aspects": ["style_strength", "fluency"], "labels": {"style_strength": {"1": "a"}}},
    )  # fmt: skip
    MIGRATION.forwards(apps, None)
    campaign.refresh_from_db()
    likert.refresh_from_db()
    assert campaign.rules.questions(campaign.config)[0].text == "How similar?"
    assert campaign.selection["practice"] == [
        {"output": ["s0", "rank"], "expected": {"content": [4, 5]}}
    ]
    assert [q.aspect for q in likert.rules.questions(likert.config)] == ["style", "fluency"]
    assert likert.config["labels"] == {"style": {"1": "a"}}


def test_ratings_under_a_former_name_and_new_ones_are_one_measure_and_stay_answered():
    study = make_study(segments=2, systems=2)
    _, (first, second) = make_campaign(study, "style_transfer_intensity")
    [lead] = next_assignments(first)
    old = Submission.objects.create(item=lead.item, annotator=first)
    Rating.objects.create(submission=old, aspect="style_transfer_intensity", value=4)
    Assignment.objects.filter(pk=lead.pk).update(state=Assignment.State.SUBMITTED)
    [other] = next_assignments(second)
    send(second, other, {"style": "2"})
    assert set(Rating.objects.values_list("aspect", flat=True)) == {
        "style_transfer_intensity",
        "style",
    }
    [measure] = matrices.load(study).judgements.measures
    assert (measure.name, measure.family, measure.scale) == ("style", "style", (1, 5))
    screen = build_screen(first, [Assignment.objects.select_related("item").get(pk=lead.pk)])
    assert screen.items[0].answers == {"style": "4"}
