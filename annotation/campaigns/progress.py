"""How far a campaign is: by annotator and by system, with what stands out."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from django.db.models import Count, F, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Least
from django.utils import timezone

from annotation.models import Annotator, Campaign, Item, Rating, Submission

STOPPED_AFTER = dt.timedelta(days=1)
MOST_CONTESTED = 10
MOST_REASONS = 20


@dataclass
class AnnotatorProgress:
    """One annotator's part of a campaign."""

    annotator: Annotator
    seconds: float | None = None
    surplus: int = 0
    cannot: int = 0
    withdrawn: bool = False
    stopped: bool = False

    @property
    def percent(self) -> int | None:
        """How much of their list is done; of a shared queue nobody knows."""
        if self.annotator.campaign.design == Campaign.Design.QUEUE:
            return None
        wanted = max(self.annotator.assigned, self.annotator.submitted)
        return 100 * self.annotator.submitted // wanted if wanted else 0


@dataclass(frozen=True)
class SystemProgress:
    """How many ratings of a system's outputs are there."""

    name: str
    kind: str
    done: int
    wanted: int


@dataclass(frozen=True)
class Progress:
    """All of it.

    Parameters
    ----------
    done, wanted
        Ratings of items that count so far, and those asked for.
    seconds
        Median active time on a screen.
    """

    done: int
    wanted: int
    seconds: float | None
    surplus: int
    cannot: int
    withdrawn: int
    annotators: list[AnnotatorProgress] = field(default_factory=list)
    systems: list[SystemProgress] = field(default_factory=list)

    @property
    def percent(self) -> int:
        """How much of the campaign is done."""
        return 100 * self.done // self.wanted if self.wanted else 0


def progress(campaign: Campaign) -> Progress:
    """Count what is done, by as many queries for a large campaign as for a small one."""
    people = _by_annotator(campaign)
    every = _seconds(campaign)
    for row in people:
        row.seconds = _median(every.get(row.annotator.pk, ()))
    items = Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN)
    wanted = items.aggregate(wanted=Sum("wanted"))["wanted"] or 0
    return Progress(
        done=_counted(campaign).count(),
        wanted=wanted,
        seconds=_median([each for own in every.values() for each in own]),
        surplus=sum(row.surplus for row in people),
        cannot=sum(row.cannot for row in people),
        withdrawn=sum(row.withdrawn for row in people),
        annotators=people,
        systems=_by_system(campaign),
    )


def _counted(campaign: Campaign) -> QuerySet[Submission]:
    """First answers that fill a place; what is withdrawn is among them."""
    return Submission.objects.filter(
        item__campaign=campaign, item__kind=Item.Kind.PLAIN, surplus=False, revision=1
    ).order_by()


def _by_annotator(campaign: Campaign) -> list[AnnotatorProgress]:
    first = Submission.objects.filter(item__campaign=campaign, revision=1).order_by()
    counts = {
        annotator: (surplus, cannot)
        for annotator, surplus, cannot in first.values_list("annotator").annotate(
            surplus=Count("pk", filter=Q(surplus=True)), cannot=Count("pk", filter=~Q(reason=""))
        )
    }
    held = Q(withdrawals__isnull=False, withdrawals__until__isnull=True)
    people = campaign.annotators.annotate(held=Count("withdrawals", filter=held))
    long_ago = timezone.now() - STOPPED_AFTER
    rows = []
    for annotator in people.order_by("number", "pk"):
        annotator.campaign = campaign
        row = AnnotatorProgress(annotator, None, *counts.get(annotator.pk, (0, 0)))
        row.withdrawn = bool(annotator.held)
        seen = annotator.last_seen_at
        row.stopped = bool(
            campaign.state == Campaign.State.OPEN
            and seen is not None
            and seen < long_ago
            and annotator.submitted < annotator.assigned
        )
        rows.append(row)
    return rows


def _seconds(campaign: Campaign) -> dict[int, list[float]]:
    """Return the active seconds of every first answer to a screen, by annotator."""
    answers = Submission.objects.filter(
        item__campaign=campaign, item__lead=True, revision=1
    ).exclude(active_seconds=None)
    found: dict[int, list[float]] = {}
    for annotator, seconds in answers.order_by().values_list("annotator", "active_seconds"):
        if seconds is not None:
            found.setdefault(annotator, []).append(seconds)
    return found


def _median(values: Iterable[float]) -> float | None:
    given = list(values)
    return median(given) if given else None


def _by_system(campaign: Campaign) -> list[SystemProgress]:
    items = Item.objects.filter(campaign=campaign, kind=Item.Kind.PLAIN).order_by()
    wanted: dict[tuple[int, str, str], int] = {}
    done: dict[tuple[int, str, str], int] = {}
    for side in ("first", "second"):
        facts = [f"{side}__system__{name}" for name in ("ordinal", "name", "kind")]
        there = {f"{side}__isnull": False}
        for *key, count in items.filter(**there).values_list(*facts).annotate(n=Sum("wanted")):
            wanted[tuple(key)] = wanted.get(tuple(key), 0) + count
        of_items = [f"item__{fact}" for fact in facts]
        answers = _counted(campaign).filter(**{f"item__{name}": is_ for name, is_ in there.items()})
        for *key, count in answers.values_list(*of_items).annotate(n=Count("*")):
            done[tuple(key)] = done.get(tuple(key), 0) + count
    return [
        SystemProgress(key[1], key[2], done.get(key, 0), count)
        for key, count in sorted(wanted.items())
    ]


@dataclass(frozen=True)
class Contested:
    """An item about which annotators differ most."""

    item: Item
    aspect: str
    raters: int
    words: str


def contested(campaign: Campaign) -> list[Contested]:
    """Return the items with the widest answers, the widest first."""
    current = (
        Rating.objects.current_of(campaign.study)
        .filter(submission__item__campaign=campaign)
        .order_by()
        .values("submission__item", "aspect")
        .annotate(n=Count("*"))
        .filter(n__gt=1)
    )
    if not campaign.rules.layout.chooses:
        found = current.annotate(low=Min("value"), high=Max("value"))
        rows = found.annotate(spread=F("high") - F("low")).filter(spread__gt=0)
    else:
        found = current.annotate(
            low=Count("pk", filter=Q(choice="first")), high=Count("pk", filter=Q(choice="second"))
        )
        rows = found.annotate(spread=Least("low", "high")).filter(spread__gt=0)
    widest = list(rows.order_by("-spread", "submission__item", "aspect")[:MOST_CONTESTED])
    items = Item.objects.select_related(
        "first__segment", "first__system", "second__system"
    ).in_bulk([row["submission__item"] for row in widest])
    return [
        Contested(items[row["submission__item"]], row["aspect"], row["n"], _spread_words(row))
        for row in widest
    ]


def _spread_words(row: Mapping[str, Any]) -> str:
    if isinstance(row["low"], float):
        return f"from {row['low']:g} to {row['high']:g}"
    return f"{row['low']} for the first text, {row['high']} for the second"


def reasons(campaign: Campaign) -> list[Submission]:
    """Return the latest answers that say why something cannot be judged."""
    told = Submission.objects.filter(item__campaign=campaign).exclude(reason="")
    return list(
        told.select_related("annotator", "item__first__segment", "item__first__system").order_by(
            "-id"
        )[:MOST_REASONS]
    )
