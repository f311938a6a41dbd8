"""Let simulated raters rate a campaign: ``python -m demo.rate_campaign STUDY CAMPAIGN``.

Only in a study that is marked as simulated, as its reports then say. How good an output is, is
computed from the texts, as the demo's metric scores are: content by chrF against the references,
style by the share of markers of the target style, any other aspect by the mean of both.
"""

import argparse
import os
import sys
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

import django

from demo.plan import ANNOTATORS
from demo.scores import chrf, formal_share
from demo.simulator import Annotator, rate

if TYPE_CHECKING:
    from annotation.models import Annotator as Rater
    from annotation.models import Assignment, Campaign
    from annotation.protocols.questions import Scale
    from corpus.models import Output

SEED = 20261126
FIRST_SURVEY = tuple(annotator for _, survey, annotator in ANNOTATORS if survey == 1)
"""A precise, a strict, a lenient and a noisy rater."""


class NotSimulated(Exception):
    """A campaign that no simulated rater may rate; the message says why."""


def rate_campaign(campaign: "Campaign", raters: Sequence[Annotator] = FIRST_SURVEY) -> int:
    """Start a campaign if it is a draft, and rate what is left; return how many screens were.

    Parameters
    ----------
    campaign : Campaign
        About one output at a time, each question on a scale.
    raters : sequence of Annotator
        In points of a scale from 0 to 100; all rate everything.

    Raises
    ------
    NotSimulated
        If the study is not marked as simulated, or a question is not on a scale.
    """
    from annotation.models import Annotator as Rater
    from annotation.models import Campaign
    from annotation.protocols.questions import Scale

    if not campaign.study.simulated:
        raise NotSimulated(f"{campaign.study.slug} is not marked as simulated")
    scales = [each for each in campaign.rules.questions(campaign.config) if isinstance(each, Scale)]
    if len(scales) < len(campaign.rules.questions(campaign.config)):
        raise NotSimulated(f"{campaign.slug}: simulated raters answer on scales only")
    if campaign.state == Campaign.State.DRAFT:
        _start(campaign, len(raters))
    people = Rater.objects.filter(campaign=campaign).select_related("campaign").order_by("number")
    return sum(
        _rate_all(person, rater, scales) for person, rater in zip(people, raters, strict=True)
    )


def true_quality(output: "Output", aspect: str) -> float:
    """Return how good an output is, 0 to 100; see the module."""
    from corpus.models import Output, System

    if aspect not in ("content", "style"):
        return (true_quality(output, "content") + true_quality(output, "style")) / 2
    if aspect == "style":
        formal = formal_share(output.text)
        return 100 * (formal if output.segment.target_style == "formal" else 1 - formal)
    references = Output.objects.filter(
        segment=output.segment_id, system__kind=System.Kind.REFERENCE
    ).order_by("ordinal")
    return chrf(output.text, list(references.values_list("text", flat=True)))


def _start(campaign: "Campaign", raters: int) -> None:
    from annotation.launch.launching import launch
    from annotation.models import Annotator as Rater

    def named(people: "list[Rater]") -> None:
        for person in people:
            person.pseudonym = f"simulated rater {person.number + 1}"
        Rater.objects.bulk_update(people, ["pseudonym"])

    campaign.ratings_per_item = raters
    campaign.selection = {**campaign.selection, "annotators": raters, "practice": []}
    campaign.save(update_fields=["ratings_per_item", "selection"])
    launch(campaign, raters, opened=named)


def _rate_all(person: "Rater", rater: Annotator, scales: "Sequence[Scale]") -> int:
    from annotation.queue.handing_out import next_assignments
    from annotation.rating.submitting import Sent, submit
    from corpus.storage.write_turn import write_turn

    person = type(person).objects.select_related("campaign").get(pk=person.pk)
    with write_turn():
        screen = next_assignments(person)
    rated = 0
    while screen:
        answers = [_answers(each, person.number, rater, scales) for each in screen]
        sent = Sent(uuid=uuid.uuid4(), revision=1, answers=answers)
        screen = submit(person, screen[0].public_id, sent).following
        rated += 1
    return rated


def _answers(
    assignment: "Assignment", number: int, rater: Annotator, scales: "Sequence[Scale]"
) -> dict[str, str]:
    output = assignment.item.first
    if output is None:
        raise NotSimulated("an item without an output has no quality that could be computed")
    answers = {}
    for place, scale in enumerate(scales):
        span = (scale.high - scale.low) / 100
        scaled = Annotator(
            severity=rater.severity * span,
            noise=rater.noise * span,
            carelessness=rater.carelessness,
            scale_use=rater.scale_use,
        )
        answer = rate(
            scale.low + span * true_quality(output, scale.aspect),
            [scaled] * (number + 1),
            number,
            output.ordinal,
            place,
            (scale.low, scale.high),
            scale.step,
            SEED,
            assignment.item.occasion - 1,
        )
        answers[scale.aspect] = f"{answer:.15g}"
    return answers


def main() -> None:
    """Rate the campaign that the command line names."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from annotation.models import Campaign

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("study")
    parser.add_argument("campaign")
    asked = parser.parse_args()
    campaign = Campaign.objects.filter(study__slug=asked.study, slug=asked.campaign).first()
    if campaign is None:
        parser.error(f"no campaign {asked.campaign!r} in a study {asked.study!r}")
    try:
        rated = rate_campaign(campaign)
    except NotSimulated as reason:
        parser.error(str(reason))
    sys.stdout.write(f"{rated} screens rated by simulated raters\n")


if __name__ == "__main__":
    main()
