"""The training phase: practice items with feedback, and who qualifies by them.

A campaign's `selection` says what is practised:

``practice``
    A list of ``{"output": …, "expected": {aspect: [low, high] or choice}, "feedback": text}``.
    An output is a primary key or ``[segment key, system]``; where two outputs are compared,
    ``"against"`` names the other. A choice is ``output``, ``against``, ``source`` or ``tie``.
    Instead of outputs, ``"texts"`` may give texts that the owner wrote:
    ``{"source": …, "output": …}``, also ``against``, ``reference``, ``target_style``, ``outputs``.
    Instead of a range, ``{"answer": 4, "tolerance": 1}``. Where outputs are put in order,
    ``"outputs"`` is a list, and ``"expected"`` has an object for each of them.
``qualification``
    ``{"pass": 0.8}``: the share of practice items whose answers must all be as expected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.designs.order import sides
from annotation.masks.masking import CampaignMasks
from annotation.models import Annotator, Assignment, Campaign, Item, Submission
from annotation.practice.reading import is_expected
from annotation.protocols.layouts.exercises import Exercise
from annotation.protocols.questions import Question
from corpus.models import AuditEntry

OCCASION = 4
_SIDES = 8


@dataclass(frozen=True)
class AspectFeedback:
    """What was answered to one question and what was expected, in words."""

    question: str
    given: str
    expected: str
    fits: bool


@dataclass(frozen=True)
class Feedback:
    """What an annotator is told after a practice answer."""

    aspects: tuple[AspectFeedback, ...]
    words: str
    left: int

    @property
    def fits(self) -> bool:
        """Whether all answers were as expected."""
        return all(aspect.fits for aspect in self.aspects)


def create_practice(
    campaign: Campaign, exercises: Sequence[Exercise], masks: CampaignMasks | None
) -> list[Item]:
    """Make the practice items of a campaign; nobody takes a place at them."""
    return [
        Item(
            campaign=campaign,
            occasion=OCCASION,
            kind=Item.Kind.PRACTICE,
            # What the items of a screen are looked up by in the campaign's list.
            screen=number,
            lead=place == 0,
            **texts,
        )
        for number, exercise in enumerate(exercises)
        for place, texts in enumerate(_texts(campaign, exercise, masks))
    ]


def _texts(
    campaign: Campaign, exercise: Exercise, masks: CampaignMasks | None
) -> list[dict[str, Any]]:
    """Return the fields of each item of a practice screen that say what it shows."""
    if exercise.texts is not None:
        return [{"shown": shown} for shown in campaign.rules.layout.shown_texts(exercise.texts)]
    return [
        {
            "first_id": first.pk,
            "second_id": second.pk if second else None,
            "shown": masks.shown(first) if masks else None,
        }
        for first, second in exercise.items
    ]


def give_practice(campaign: Campaign, annotators: Sequence[Annotator]) -> None:
    """Put the practice items before everything else that annotators will get."""
    items = list(campaign.items.filter(kind=Item.Kind.PRACTICE).order_by("screen", "pk"))
    if not items:
        return
    count = items[-1].screen + 1
    assignments = []
    for annotator in annotators:
        swapped = sides(count, [campaign.seed, _SIDES, annotator.number])
        assignments += [
            Assignment(
                item=item,
                annotator=annotator,
                position=item.screen,
                lead=item.lead,
                swapped=bool(swapped[item.screen]) and item.is_pair,
            )
            for item in items
        ]
        if campaign.design == Campaign.Design.QUEUE:
            # The queue goes on from here; sides are balanced from each even place on.
            annotator.assigned = count + count % 2
    Assignment.objects.bulk_create(assignments)
    Annotator.objects.bulk_update(annotators, ["assigned"])


def feedback_on(annotator: Annotator, screen: Sequence[Assignment]) -> Feedback | None:
    """Return what is to be said about the latest answers to a practice screen; None before them."""
    lead = screen[0]
    if lead.item.kind != Item.Kind.PRACTICE:
        return None
    campaign = annotator.campaign
    entry = campaign.selection["practice"][lead.item.screen]
    given = _latest_answers(annotator, screen)
    if lead.item_id not in given:
        return None
    questions = {
        question.aspect: question for question in campaign.rules.questions(campaign.config)
    }
    aspects = tuple(
        AspectFeedback(
            question=f"Output {chr(ord('A') + number)}"
            if len(screen) > 1
            else questions[aspect].text,
            given=_in_words(questions[aspect], given[place.item_id].get(aspect), place.swapped),
            expected=_in_words(questions[aspect], answer, place.swapped),
            fits=is_expected(given[place.item_id].get(aspect), answer),
        )
        for number, (place, expected) in enumerate(zip(screen, _each_expected(entry), strict=True))
        for aspect, answer in expected.items()
    )
    return Feedback(aspects, entry["feedback"], _open_practice(annotator))


def finish_practice(annotator: Annotator) -> None:
    """Decide who qualifies, once all practice items are answered; their first answers count."""
    campaign = annotator.campaign
    if annotator.qualified is not None or _open_practice(annotator):
        return
    share = campaign.selection.get("qualification", {}).get("pass")
    if share is None:
        return
    screens = [_each_expected(entry) for entry in campaign.selection["practice"]]
    first = Submission.objects.filter(
        annotator=annotator, item__kind=Item.Kind.PRACTICE, revision=1
    ).select_related("item")
    answers: dict[int, list[dict[str, float | str]]] = {}
    for submission in first.order_by("item").prefetch_related("ratings"):
        answers.setdefault(submission.item.screen, []).append(submission.answers)
    fitting = sum(
        all(_fits(*pair) for pair in zip(answers.get(number, ()), expected, strict=True))
        for number, expected in enumerate(screens)
        if any(expected)
    )
    asked = sum(any(expected) for expected in screens)
    # A share such as 2/3 is rarely a number that a computer holds exactly.
    annotator.qualified = fitting >= share * asked - 1e-9
    Annotator.objects.filter(pk=annotator.pk).update(qualified=annotator.qualified)


def qualify(annotator: Annotator, actor: User) -> None:
    """Let somebody rate whatever their practice answers were; the owner's decision is recorded."""
    with transaction.atomic():
        campaign = annotator.campaign
        stored = Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)
        if stored.qualified:
            return
        AuditEntry.record(
            campaign.study,
            actor,
            "qualify",
            f"{campaign.slug}: {stored.pseudonym}",
            before={"qualified": stored.qualified},
            after={"qualified": True},
        )
        stored.qualified = True
        stored.save(update_fields=["qualified"])
    annotator.qualified = True


def _open_practice(annotator: Annotator) -> int:
    return Assignment.objects.filter(
        annotator=annotator, item__kind=Item.Kind.PRACTICE, lead=True, state=Assignment.State.OPEN
    ).count()


def _each_expected(entry: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what is expected of each item of a practice screen."""
    expected = entry["expected"]
    return [expected] if isinstance(expected, Mapping) else list(expected)


def _latest_answers(
    annotator: Annotator, screen: Sequence[Assignment]
) -> dict[int, dict[str, float | str]]:
    submissions = Submission.objects.filter(
        annotator=annotator, item__in=[place.item_id for place in screen]
    ).order_by("revision")
    return {each.item_id: each.answers for each in submissions.prefetch_related("ratings")}


def _fits(given: Mapping[str, float | str], expected: Mapping[str, Any]) -> bool:
    return all(is_expected(given.get(aspect), wanted) for aspect, wanted in expected.items())


def _in_words(question: Question, answer: Any, swapped: bool) -> str:
    """Write an answer, or what was expected, as the annotator saw the texts."""
    return "not judged" if answer is None else question.in_words(answer, swapped)
