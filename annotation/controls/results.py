"""What control items tell of each annotator; decided here, never in a browser."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Q

from annotation.controls.items import spoilt_text
from annotation.designs.control_tests import LEVEL, ControlTest, choice_test, control_test
from annotation.models import Annotator, Campaign, Item, Rating, Submission
from corpus.models import System

Answers = dict[str, float | str]
Given = dict[tuple[int, int], Answers]
"""Answers by annotator and item."""


@dataclass(frozen=True)
class Tested:
    """Controls of one kind with a known better text.

    Parameters
    ----------
    pairs
        How many were answered, with what they are compared with.
    test
        None with fewer than two pairs.
    """

    pairs: int = 0
    test: ControlTest | None = None


@dataclass(frozen=True)
class ControlResult:
    """One annotator's answers to control items beside those to the originals.

    Parameters
    ----------
    degraded, references
        Whether degraded copies are judged worse than the originals, and references better than
        outputs.
    same, repeats
        How many answers to repeats were the same as before, of how many.
    difference
        Mean distance of repeated numbers from the first ones; None where there is none.
    """

    annotator: Annotator
    degraded: Tested
    references: Tested
    same: int = 0
    repeats: int = 0
    difference: float | None = None

    @property
    def tests(self) -> list[tuple[str, Tested]]:
        """The tests of the kinds that were answered, by what was known to be better."""
        kinds = [("original, not degraded", self.degraded), ("reference", self.references)]
        return [kind for kind in kinds if kind[1].pairs] or [("–", Tested())]


@dataclass
class _Pairs:
    """Pairs of better and worse ratings; a choice is a 1 or a −1 beside 0, a tie 0 beside 0."""

    degraded: list[tuple[float, float]] = field(default_factory=list)
    reference: list[tuple[float, float]] = field(default_factory=list)
    repeated: list[tuple[float | str, float | str]] = field(default_factory=list)


def control_results(
    campaign: Campaign, level: float = LEVEL, *, only: int | None = None
) -> list[ControlResult]:
    """Judge each annotator, or one, who has answered a control item and what it is compared with.

    Ratings enter with the mean over the aspects that were asked: of a degraded output beside its
    original, and of a reference beside the mean over the outputs of its source that the same
    annotator rated. Of two texts, the better one wins a control where it is chosen on more aspects
    than the other. A repeat enters with each aspect by itself.
    """
    controls = {
        item.pk: item
        for item in Item.objects.filter(campaign=campaign, original__isnull=False).select_related(
            "first", "first__system"
        )
    }
    if not controls:
        return []
    given = _given(campaign, only)
    outputs = _means_of_outputs(campaign, given)
    found: dict[int, _Pairs] = {}
    for (annotator, pk), answers in given.items():
        if pk not in controls or not answers:
            continue
        control, pairs = controls[pk], found.setdefault(annotator, _Pairs())
        before = given.get((annotator, control.original_id or 0)) or {}
        if control.kind == Item.Kind.REPEAT:
            pairs.repeated += [(before[name], answers[name]) for name in answers if name in before]
        elif campaign.rules.layout.chooses:
            side = _better_side(campaign, control)
            _pairs_of(pairs, control.kind).append((_choices_won(answers, side), 0.0))
        elif control.kind == Item.Kind.DEGRADED:
            _add(pairs.degraded, _mean(before), _mean(answers))
        else:
            of_outputs = outputs.get((annotator, control.output.segment_id))
            _add(pairs.reference, _mean(answers), of_outputs)
    people = Annotator.objects.in_bulk(found)
    results = [_result(campaign, people[pk], pairs, level) for pk, pairs in found.items()]
    return sorted(results, key=lambda result: result.annotator.number)


def _given(campaign: Campaign, only: int | None) -> Given:
    """Return the latest answers, of all or of one, to controls and what they are compared with."""
    references = Item.objects.filter(campaign=campaign, kind=Item.Kind.REFERENCE)
    beside = Q(item__kind=Item.Kind.PLAIN) & Q(
        item__first__segment__in=references.values("first__segment")
    )
    concerned = Submission.objects.filter(
        Q(item__original__isnull=False) | Q(item__controls__isnull=False) | beside,
        item__campaign=campaign,
    )
    if only is not None:
        concerned = concerned.filter(annotator=only)
    latest: dict[tuple[int, int], int] = {}
    rows = concerned.order_by("revision").values_list("annotator", "item", "pk").distinct()
    for annotator, item, pk in rows:
        latest[annotator, item] = pk
    place = {pk: key for key, pk in latest.items()}
    answers: Given = {key: {} for key in latest}
    asked = [question.aspect for question in campaign.rules.questions(campaign.config)]
    ratings = Rating.objects.filter(submission__in=concerned.values("pk"), aspect__in=asked)
    for submission, aspect, value, choice in ratings.values_list(
        "submission", "aspect", "value", "choice"
    ).order_by():
        if submission in place:
            answers[place[submission]][aspect] = choice if value is None else value
    return answers


def _means_of_outputs(campaign: Campaign, given: Given) -> dict[tuple[int, int], float]:
    """Return each annotator's mean rating of the systems' outputs of a segment."""
    plain = Item.objects.filter(
        campaign=campaign, kind=Item.Kind.PLAIN, first__system__kind=System.Kind.SYSTEM
    )
    with_reference = Item.objects.filter(campaign=campaign, kind=Item.Kind.REFERENCE)
    plain = plain.filter(first__segment__in=with_reference.values("first__segment"))
    segments = dict(plain.values_list("pk", "first__segment"))
    ratings: dict[tuple[int, int], list[float]] = {}
    for (annotator, item), answers in given.items():
        mean = _mean(answers) if item in segments else None
        if mean is not None:
            ratings.setdefault((annotator, segments[item]), []).append(mean)
    return {key: sum(values) / len(values) for key, values in ratings.items()}


def _better_side(campaign: Campaign, control: Item) -> str:
    """Say which of two texts is known to be better: ``"first"`` or ``"second"``."""
    if control.kind == Item.Kind.REFERENCE:
        return "first" if control.output.system.kind == System.Kind.REFERENCE else "second"
    return "second" if spoilt_text(campaign, [control])[1] == "first" else "first"


def _choices_won(answers: Mapping[str, float | str], side: str) -> float:
    """Return 1 if a side was chosen on more aspects than the other, −1 if on fewer, else 0."""
    other = "second" if side == "first" else "first"
    chosen = list(answers.values())
    balance = chosen.count(side) - chosen.count(other)
    return float((balance > 0) - (balance < 0))


def _pairs_of(pairs: _Pairs, kind: str) -> list[tuple[float, float]]:
    return pairs.reference if kind == Item.Kind.REFERENCE else pairs.degraded


def _add(pairs: list[tuple[float, float]], better: float | None, worse: float | None) -> None:
    if better is not None and worse is not None:
        pairs.append((better, worse))


def _mean(answers: Mapping[str, float | str]) -> float | None:
    numbers = [value for value in answers.values() if isinstance(value, float)]
    return sum(numbers) / len(numbers) if numbers else None


def _tested(campaign: Campaign, pairs: list[tuple[float, float]], level: float) -> Tested:
    if campaign.rules.layout.chooses:
        won = sum(better > worse for better, worse in pairs)
        return Tested(len(pairs), choice_test(won, len(pairs), level))
    if not pairs:
        return Tested()
    better, worse = zip(*pairs, strict=True)
    return Tested(len(pairs), control_test(better, worse, level))


def _result(campaign: Campaign, annotator: Annotator, pairs: _Pairs, level: float) -> ControlResult:
    distances = list(_distances(pairs.repeated))
    return ControlResult(
        annotator,
        degraded=_tested(campaign, pairs.degraded, level),
        references=_tested(campaign, pairs.reference, level),
        same=sum(first == second for first, second in pairs.repeated),
        repeats=len(pairs.repeated),
        difference=sum(distances) / len(distances) if distances else None,
    )


def _distances(repeated: Iterable[tuple[float | str, float | str]]) -> Iterable[float]:
    for first, second in repeated:
        if isinstance(first, float) and isinstance(second, float):
            yield abs(first - second)
