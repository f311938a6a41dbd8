"""Small studies and campaigns for tests of rating."""

import uuid
from typing import Any

from annotation.launch.launching import launch
from annotation.models import Annotator, Campaign
from annotation.rating.submitting import Outcome, Sent, submit
from corpus.models import Output, Segment, Study, System


def make_study(segments: int = 6, systems: int = 3, slug: str = "small", copied: str = "") -> Study:
    """A study with a source, a reference and the outputs of some systems for each segment.

    The outputs of segment `copied` are the source behind a blank.
    """
    study = Study.objects.create(slug=slug, title="A small study")
    made = [
        System.objects.create(study=study, ordinal=0, name="(source)", kind="source"),
        System.objects.create(study=study, ordinal=1, name="(reference)", kind="reference"),
        *(
            System.objects.create(study=study, ordinal=2 + number, name=f"system-{number}")
            for number in range(systems)
        ),
    ]
    outputs: list[Output] = []
    for place in range(segments):
        segment = Segment.objects.create(
            study=study,
            ordinal=place,
            key=f"s{place}",
            source_style="informal",
            target_style="formal",
        )
        for system in made:
            ordinal = len(outputs)
            output = Output(
                study=study,
                ordinal=ordinal,
                segment=segment,
                system=system,
                text=" the source"
                if segment.key == copied and system.kind == "system"
                else "the source"
                if segment.key == copied
                else f"text {ordinal} about matter {place} with some words",
                sha256="0" * 64,
            )
            outputs.append(output)
    Output.objects.bulk_create(outputs, batch_size=500)
    return study


def make_campaign(
    study: Study, protocol: str = "direct_assessment", annotators: int = 2, **values: Any
) -> tuple[Campaign, list[Annotator]]:
    """A campaign that is open, with its annotators."""
    fields = {
        "slug": f"campaign-{study.campaigns.count() + 1}",
        "origin": Campaign.Origin.LIVE,
        "state": Campaign.State.DRAFT,
        "design": Campaign.Design.OVERLAP,
        "ratings_per_item": annotators,
        "seed": 7,
    }
    campaign = Campaign.objects.create(study=study, protocol=protocol, **(fields | values))
    return campaign, launch(campaign, annotators)


def answers_for(campaign: Campaign, number: int = 50) -> dict[str, str]:
    """Possible answers to every question of a campaign."""
    questions = campaign.rules.questions(campaign.config)
    given = {}
    for question in questions:
        scale = getattr(question, "high", None)
        given[question.aspect] = "a" if scale is None else str(number % (int(scale) + 1) or 1)
    return given


def possible_answers(campaign: Campaign, count: int, turn: int = 0) -> list[dict[str, str]]:
    """Possible answers to a screen with so many items, others at each turn."""
    questions = campaign.rules.questions(campaign.config)
    fields = [campaign.rules.layout.fields(questions, item, count) for item in range(count)]
    return [
        {field["asked"]: _possible(field, turn + item + place) for place, field in enumerate(asked)}
        for item, asked in enumerate(fields)
    ]


def _possible(field: dict[str, Any], number: int) -> str:
    if "options" in field:
        return str(field["options"][number % len(field["options"])][0])
    return str(int(field["low"]) + number % (int(field["high"]) - int(field["low"]) + 1))


def send(annotator: Annotator, assignment: Any, *answers: dict[str, str], **values: Any) -> Outcome:
    """Submit answers to one screen."""
    sent = Sent(
        uuid=values.pop("id", None) or uuid.uuid4(),
        revision=values.pop("revision", 1),
        answers=answers or [answers_for(annotator.campaign)],
        **values,
    )
    return submit(annotator, assignment.public_id, sent)
