"""Simulated annotators who rate a campaign to its end, whatever its protocol."""

import zlib
from typing import Any

from annotation.models import Annotator, Assignment, Campaign
from annotation.protocols.layouts.best_worst import BEST_WORST
from annotation.protocols.layouts.order import ORDER
from annotation.queue.handing_out import next_assignments
from demo.simulator import Annotator as Simulated
from demo.simulator import best_and_worst, choose, rate
from tests.campaigns import send

PEOPLE = [Simulated(severity=3 * number, noise=5.0) for number in range(4)]
CHOICE_TIES = 4.0


def rate_everything(campaign: Campaign, annotators: list[Annotator], people: Any = PEOPLE) -> None:
    """Let each annotator rate every screen, by the qualities of the outputs from 0 to 100."""
    for annotator in annotators:
        while screen := next_assignments(annotator):
            send(annotator, screen[0], *_answers(campaign, annotator, screen, people))


def quality(output: int) -> float:
    """The true quality of an output, 0 to 100."""
    return float(zlib.crc32(str(output).encode()) % 101)


def _answers(
    campaign: Campaign, annotator: Annotator, screen: list[Assignment], people: Any
) -> list[dict[str, str]]:
    questions = campaign.rules.questions(campaign.config)
    if campaign.rules.layout is ORDER:
        ordered = sorted(screen, key=lambda each: -quality(each.item.first_id))
        return [{questions[0].aspect: str(ordered.index(each) + 1)} for each in screen]
    if campaign.rules.layout is BEST_WORST:
        items = [each.item.first_id for each in screen]
        found = best_and_worst(
            [quality(item) for item in items], people, annotator.number % len(people), items, 1
        )
        return [dict(zip(("best", "worst"), ("abcd"[place] for place in found), strict=True))]
    return [
        {
            question.aspect: _answer(question, each, annotator, place, people)
            for place, question in enumerate(questions)
        }
        for each in screen
    ]


def _answer(question: Any, each: Assignment, annotator: Annotator, place: int, people: Any) -> str:
    item = each.item
    who = annotator.number % len(people)
    if not hasattr(question, "high"):
        chosen = choose(
            quality(item.first_id), quality(item.second_id), each.swapped, people, who,
            item.pk * 10 + place, 1, ties=CHOICE_TIES if question.tie else 0.0,
        )  # fmt: skip
        return str(question.write(chosen, each.swapped))
    span = question.high - question.low
    # A rating from 1 to 5 has an error of a few hundredths of the scale, like one from 0 to 100.
    scaled = [
        Simulated(one.severity * span / 100, one.noise * span / 100, one.carelessness)
        for one in people
    ]
    score = rate(
        question.low + span * quality(item.first_id) / 100, scaled, who, item.pk, place,
        (question.low, question.high), question.step, 1,
    )  # fmt: skip
    return f"{score:.15g}"
