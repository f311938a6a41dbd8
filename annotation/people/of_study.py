"""Everybody who rates in a study: annotators of its campaigns, and raters of imported tables."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import cast

import numpy as np
from django.db.models import Count, Q

from annotation.campaigns.rater_kinds import rater_words
from annotation.controls.results import control_results
from annotation.models import Annotator, Campaign, Item, Rating, Submission
from corpus.models import Study

Kind = Annotator.Kind


@dataclass
class StudyRater:
    """An annotator or rater, in all campaigns of a study.

    Parameters
    ----------
    tasks
        One annotator in each campaign.
    aspects
        Current ratings by aspect.
    times
        Active seconds on each screen, where known.
    passed, decided
        Tests of control items that were passed, of those that decide.
    """

    tasks: list[Annotator]
    aspects: dict[str, int] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    passed: int = 0
    decided: int = 0

    @property
    def name(self) -> str:
        """The pseudonym."""
        return str(self.tasks[0])

    @property
    def kind(self) -> str:
        """Whether it is a human rater, a model, or several together."""
        return rater_words(self.tasks[0].kind, self.tasks[0].raters, 1).removeprefix("1 ")

    @property
    def ratings(self) -> int:
        """Current ratings of all aspects."""
        return sum(self.aspects.values())

    @property
    def seconds(self) -> float | None:
        """The median of the active seconds on a screen."""
        return float(np.median(self.times)) if self.times else None

    @property
    def is_withdrawn(self) -> bool:
        """Whether their work does not count in a campaign."""
        return any(task.held for task in self.tasks)  # type: ignore[attr-defined]


def raters_of_study(study: Study) -> list[StudyRater]:
    """Return everybody, human raters first, in as many queries for many as for few.

    Control items take some queries more for each campaign that has any.
    """
    held = Q(withdrawals__isnull=False, withdrawals__until__isnull=True)
    annotators = (
        Annotator.objects.filter(campaign__study=study)
        .select_related("campaign__set", "participant")
        .annotate(held=Count("withdrawals", filter=held))
        .order_by("campaign", "number", "pk")
    )
    people: dict[Hashable, StudyRater] = {}
    by_annotator: dict[int, StudyRater] = {}
    for annotator in annotators:
        campaign = annotator.campaign
        key = person_key(campaign.origin, campaign.set_id, campaign.pk, annotator.pseudonym)
        person = people.setdefault((key, annotator.kind, annotator.raters), StudyRater([]))
        person.tasks.append(annotator)
        by_annotator[annotator.pk] = person
    _count_ratings(study, by_annotator)
    _collect_times(study, by_annotator)
    _count_controls(study, by_annotator)
    order = {kind.value: place for place, kind in enumerate(Kind)}
    return sorted(people.values(), key=lambda person: order[person.tasks[0].kind])


def person_key(origin: str, together: int | None, campaign: int, pseudonym: str) -> Hashable:
    """Name a person by what they have in common in all their campaigns.

    An imported name is the same person everywhere in a study. Of campaigns that are run here, those
    of a set have the same people.

    Parameters
    ----------
    origin
        Whether the campaign was imported.
    together
        Key of its set, if it is in one.
    campaign
        Its key.
    pseudonym
    """
    if origin == Campaign.Origin.IMPORTED:
        return origin, pseudonym
    return origin, together, together or campaign, pseudonym


def _count_ratings(study: Study, people: dict[int, StudyRater]) -> None:
    current = Rating.objects.counted(study).order_by()
    rows = current.values_list("submission__annotator", "aspect").annotate(ratings=Count("*"))
    for annotator, aspect, ratings in rows.order_by("aspect"):
        counted = people[annotator].aspects
        counted[aspect] = counted.get(aspect, 0) + ratings


def _collect_times(study: Study, people: dict[int, StudyRater]) -> None:
    """Collect the times of first answers to plain screens, each at its leading item."""
    timed = Submission.objects.filter(
        item__campaign__study=study,
        item__kind=Item.Kind.PLAIN,
        item__lead=True,
        revision=1,
        active_seconds__isnull=False,
    )
    for annotator, seconds in timed.order_by().values_list("annotator", "active_seconds"):
        people[annotator].times.append(cast(float, seconds))


def _count_controls(study: Study, people: dict[int, StudyRater]) -> None:
    for campaign in _with_controls(study):
        for result in control_results(campaign):
            person = people[result.annotator.pk]
            tests = [tested.test for _, tested in result.tests if tested.test is not None]
            person.decided += len(tests)
            person.passed += sum(test.passed for test in tests)


def _with_controls(study: Study) -> Iterable[Campaign]:
    controls = Item.objects.filter(campaign__study=study, original__isnull=False)
    return study.campaigns.filter(pk__in=controls.values("campaign"))
