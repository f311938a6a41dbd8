"""The training phase: practice items with feedback, and who qualifies by them.

A campaign's `selection` says what is practised:

``practice``
    A list of ``{"output": …, "expected": {aspect: [low, high] or choice}, "feedback": text}``.
    An output is a primary key or ``[segment key, system]``; where two outputs are compared,
    ``"against"`` names the other. A choice is ``output``, ``against``, ``source`` or ``tie``.
``qualification``
    ``{"pass": 0.8}``: the share of practice items whose answers must all be as expected.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation.designs import sides
from annotation.models import Annotator, Assignment, Campaign, Item, Submission
from annotation.practice_reading import Exercise, is_expected
from annotation.protocols.questions import Choice, Question
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
    campaign: Campaign, exercises: Sequence[Exercise], shown: Sequence[dict[str, str] | None]
) -> list[Item]:
    """Store the practice items of a campaign; nobody takes a place at them."""
    return Item.objects.bulk_create(
        Item(
            campaign=campaign,
            first_id=exercise.first.pk,
            second_id=exercise.second.pk if exercise.second else None,
            occasion=OCCASION,
            kind=Item.Kind.PRACTICE,
            # What the item is looked up by in the campaign's list.
            screen=number,
            shown=texts,
        )
        for number, (exercise, texts) in enumerate(zip(exercises, shown, strict=True))
    )


def give_practice(campaign: Campaign, annotators: Sequence[Annotator]) -> None:
    """Put the practice items before everything else that annotators will get."""
    items = list(campaign.items.filter(kind=Item.Kind.PRACTICE).order_by("screen"))
    if not items:
        return
    assignments = []
    for annotator in annotators:
        swapped = sides(len(items), [campaign.seed, _SIDES, annotator.number])
        assignments += [
            Assignment(
                item=item,
                annotator=annotator,
                position=position,
                swapped=bool(swapped[position]) and item.second_id is not None,
            )
            for position, item in enumerate(items)
        ]
        annotator.assigned = len(items)
        if campaign.design == Campaign.Design.QUEUE:
            # The queue goes on from here; sides are balanced from each even place on.
            annotator.assigned += len(items) % 2
    Assignment.objects.bulk_create(assignments)
    Annotator.objects.bulk_update(annotators, ["assigned"])


def feedback_on(annotator: Annotator, lead: Assignment) -> Feedback | None:
    """Return what is to be said about the latest answer to a practice item; None before it."""
    submission = (
        Submission.objects.filter(item=lead.item_id, annotator=annotator)
        .order_by("-revision")
        .first()
    )
    if submission is None or lead.item.kind != Item.Kind.PRACTICE:
        return None
    campaign = annotator.campaign
    entry = campaign.selection["practice"][lead.item.screen]
    given = _answers(submission)
    questions = {
        question.aspect: question for question in campaign.rules.questions(campaign.config)
    }
    aspects = tuple(
        AspectFeedback(
            question=questions[aspect].text,
            given=_in_words(questions[aspect], given.get(aspect), lead.swapped),
            expected=_in_words(questions[aspect], expected, lead.swapped),
            fits=is_expected(given.get(aspect), expected),
        )
        for aspect, expected in entry["expected"].items()
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
    expected = [entry["expected"] for entry in campaign.selection["practice"]]
    first = Submission.objects.filter(
        annotator=annotator, item__kind=Item.Kind.PRACTICE, revision=1
    ).select_related("item")
    fitting = sum(
        _fits(_answers(submission), expected[submission.item.screen])
        for submission in first.prefetch_related("ratings")
        if expected[submission.item.screen]
    )
    asked = sum(bool(each) for each in expected)
    # A share such as 2/3 is rarely a number that a computer holds exactly.
    annotator.qualified = fitting >= share * asked - 1e-9
    Annotator.objects.filter(pk=annotator.pk).update(qualified=annotator.qualified)


def qualify(annotator: Annotator, actor: User) -> None:
    """Let somebody rate whatever their practice answers were; the owner's decision is recorded."""
    with transaction.atomic():
        campaign = annotator.campaign
        stored = Annotator.objects.select_for_update().get(pk=annotator.pk)
        if stored.qualified:
            return
        AuditEntry.objects.create(
            study=campaign.study,
            actor=actor,
            action="qualify",
            object=f"{campaign.slug}: {stored.pseudonym}"[:200],
            before={"qualified": stored.qualified},
            after={"qualified": True},
        )
        stored.qualified = True
        stored.save(update_fields=["qualified"])
    annotator.qualified = True


def _open_practice(annotator: Annotator) -> int:
    return Assignment.objects.filter(
        annotator=annotator, item__kind=Item.Kind.PRACTICE, state=Assignment.State.OPEN
    ).count()


def _answers(submission: Submission) -> dict[str, float | str]:
    return {
        rating.aspect: rating.choice or (rating.value if rating.value is not None else "")
        for rating in submission.ratings.all()
    }


def _fits(given: Mapping[str, float | str], expected: Mapping[str, Any]) -> bool:
    return all(is_expected(given.get(aspect), wanted) for aspect, wanted in expected.items())


def _in_words(question: Question, answer: Any, swapped: bool) -> str:
    """Write an answer, or a range of answers, as the annotator saw the texts."""
    if answer is None:
        return "not judged"
    if isinstance(question, Choice):
        side = question.write(answer, swapped)
        return {"a": "text A", "b": "text B"}.get(side, "no difference")
    if isinstance(answer, list):
        low, high = answer
        return f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return f"{answer:g}"
