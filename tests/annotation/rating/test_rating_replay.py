"""A published study's ratings, entered through the rating pages, give the imported reports."""

import csv
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from analysis.filter.question import Question
from analysis.reports.service import report
from annotation.imports.declared_scales import declare_scales
from annotation.launch.launching import launch
from annotation.models import Annotator, Assignment, Campaign, Submission
from annotation.people.invitations import new_links
from corpus.models import Study
from tests.fixtures.campaigns import send

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.nightly]
HIDDEN = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
# Names and fingerprints differ, and the step of a slider, of which the file says nothing; every
# number that was found must not.
NAMES = {"signature", "sha256", "raters_of", "campaign", "campaigns", "study", "pseudonym", "step"}


def meant(studies: Path) -> dict[tuple[str, str, str], dict[str, str]]:
    """What each rater said of each output, by rater, segment and system."""
    said: dict[tuple[str, str, str], dict[str, str]] = {}
    with (studies / "lai2022" / "ratings.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = (row["rater"], row["segment_id"], row["system"])
            said.setdefault(key, {})[row["aspect"]] = row["score"]
    return said


def rate_everything(annotator: Annotator, rater: str, said: dict[Any, dict[str, str]]) -> None:
    client = Client()
    client.get(f"/join/{new_links([annotator])[annotator.pk]}/")
    page = client.get(f"/rate/{annotator.public_id}/").content.decode()
    items = {
        str(assignment.public_id): assignment.item.first
        for assignment in Assignment.objects.filter(annotator=annotator).select_related(
            "item__first__segment", "item__first__system"
        )
    }
    while form := dict(HIDDEN.findall(page)):
        output = items[form["assignment"]]
        scores = said[rater, output.segment.key, output.system.name]
        answers = {f"answer-0-{aspect}": score for aspect, score in scores.items()}
        reply = client.post(
            f"/rate/{annotator.public_id}/submit/",
            form | answers,
            headers={"X-Requested-With": "fetch"},
        )
        assert reply.status_code == 200, reply.content.decode()
        page = reply.content.decode()


def numbers(content: Any, names: dict[str, str]) -> Any:
    """A report without what only names things."""
    if isinstance(content, dict):
        return {
            names.get(key, key): numbers(value, names)
            for key, value in content.items()
            if key not in NAMES
        }
    if isinstance(content, list):
        return [numbers(value, names) for value in content]
    if isinstance(content, float):
        return pytest.approx(content, rel=1e-12, abs=1e-12)
    return names.get(content, content) if isinstance(content, str) else content


def test_the_ratings_of_2022_entered_by_hand_give_the_same_reports(studies, tmp_path):
    call_command("import_study", studies / "lai2022", accept=True, verbosity=0)
    texts = tmp_path / "lai2022-live"
    texts.mkdir()
    for name in ("segments.csv", "outputs.csv", "metric_scores.csv", "metric_scores_2023.csv"):
        shutil.copy(studies / "lai2022" / name, texts)
    call_command("import_study", texts, accept=True, verbosity=0)
    imported, live = Study.objects.get(slug="lai2022"), Study.objects.get(slug="lai2022-live")

    campaign = Campaign.objects.create(
        study=live,
        slug="ratings",
        protocol="direct_assessment",
        config={"aspects": ["content", "style", "fluency"], "step": 0.1},
        origin=Campaign.Origin.LIVE,
        state=Campaign.State.DRAFT,
        design=Campaign.Design.BATCHES,
        ratings_per_item=2,
        selection={"batches": "survey"},
        seed=1,
    )
    annotators = launch(campaign, 8)
    Annotator.objects.update(guidelines_read_at=timezone.now())
    said = meant(studies)
    raters = list(dict.fromkeys(rater for rater, _, _ in said))
    for annotator, rater in zip(annotators, raters, strict=True):
        rate_everything(annotator, rater, said)
    assert Submission.objects.filter(item__campaign=campaign).count() == 1440

    # The published file does not say on which scale it was asked; the campaign does.
    ends = dict.fromkeys(("content", "style", "fluency"), (0.0, 100.0))
    declare_scales(imported, ends, User.objects.create_user("owner"))
    names = {
        annotator.pseudonym: rater for annotator, rater in zip(annotators, raters, strict=True)
    }
    for kind in ("agreement", "correlation", "ranking"):
        expected = report(imported, kind, Question.parse({}))["content"]
        found = report(live, kind, Question.parse({}))["content"]
        assert numbers(found, names) == numbers(expected, {}), kind

    # The comparison would see a single answer that is different.
    first = annotators[0].assignments.select_related("item").get(position=0)
    answers = dict.fromkeys(("content", "style", "fluency"), "0.1")
    send(annotators[0], first, answers, revision=2)
    found = report(live, "ranking", Question.parse({}))["content"]
    expected = report(imported, "ranking", Question.parse({}))["content"]
    assert numbers(found, names) != numbers(expected, {})
