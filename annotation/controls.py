"""What control items tell of each annotator; decided here, never in a browser."""

from dataclasses import dataclass, field

from django.db.models import Q

from annotation.designs.controls import LEVEL, ControlTest, control_test
from annotation.models import Annotator, Campaign, Item, Rating, Submission

Answers = dict[str, float | str]


@dataclass
class ControlResult:
    """One annotator's answers to control items beside those to the originals.

    Parameters
    ----------
    test
        Of degraded outputs; None with fewer than two pairs.
    same, repeats
        How many answers to repeats were the same as before, of how many.
    difference
        Mean distance of repeated numbers from the first ones; None where there is none.
    """

    annotator: Annotator
    pairs: int = 0
    test: ControlTest | None = None
    same: int = 0
    repeats: int = 0
    difference: float | None = None


@dataclass
class _Pairs:
    original: list[float] = field(default_factory=list)
    degraded: list[float] = field(default_factory=list)
    repeated: list[tuple[float | str, float | str]] = field(default_factory=list)


def control_results(campaign: Campaign, level: float = LEVEL) -> list[ControlResult]:
    """Judge each annotator who has answered a control item and its original.

    A degraded output and its original enter with the mean over the aspects that were asked; a
    repeat with each aspect by itself.
    """
    controls = dict(
        Item.objects.filter(campaign=campaign, original__isnull=False).values_list(
            "pk", "original_id"
        )
    )
    if not controls:
        return []
    kinds = dict(Item.objects.filter(pk__in=controls).values_list("pk", "kind"))
    answers = _answers(campaign)
    found: dict[int, _Pairs] = {}
    for (annotator, item), given in answers.items():
        before = answers.get((annotator, controls.get(item, 0)))
        if not before or not given:
            continue
        pairs = found.setdefault(annotator, _Pairs())
        if kinds[item] == Item.Kind.REPEAT:
            pairs.repeated += [(before[name], given[name]) for name in given if name in before]
        elif (first := _mean(before)) is not None and (second := _mean(given)) is not None:
            pairs.original.append(first)
            pairs.degraded.append(second)
    people = Annotator.objects.in_bulk(found)
    results = [_result(people[pk], pairs, level) for pk, pairs in found.items()]
    return sorted(results, key=lambda result: result.annotator.number)


def _answers(campaign: Campaign) -> dict[tuple[int, int], Answers]:
    """Return the latest answers to controls and their originals, by annotator and item."""
    is_control = Q(item__original__isnull=False)
    concerned = Submission.objects.filter(
        is_control | Q(item__controls__isnull=False), item__campaign=campaign
    )
    latest: dict[tuple[int, int], int] = {}
    rows = concerned.order_by("revision").values_list("annotator", "item", "pk").distinct()
    for annotator, item, pk in rows:
        latest[annotator, item] = pk
    place = {pk: key for key, pk in latest.items()}
    answers: dict[tuple[int, int], Answers] = {key: {} for key in latest}
    asked = [question.aspect for question in campaign.rules.questions(campaign.config)]
    ratings = Rating.objects.filter(submission__in=concerned.values("pk"), aspect__in=asked)
    for submission, aspect, value, choice in ratings.values_list(
        "submission", "aspect", "value", "choice"
    ).order_by():
        if submission in place:
            answers[place[submission]][aspect] = choice if value is None else value
    return answers


def _mean(answers: Answers) -> float | None:
    numbers = [value for value in answers.values() if isinstance(value, float)]
    return sum(numbers) / len(numbers) if numbers else None


def _result(annotator: Annotator, pairs: _Pairs, level: float) -> ControlResult:
    distances = [
        abs(first - second)
        for first, second in pairs.repeated
        if isinstance(first, float) and isinstance(second, float)
    ]
    return ControlResult(
        annotator,
        pairs=len(pairs.original),
        test=control_test(pairs.original, pairs.degraded, level) if pairs.original else None,
        same=sum(first == second for first, second in pairs.repeated),
        repeats=len(pairs.repeated),
        difference=sum(distances) / len(distances) if distances else None,
    )
