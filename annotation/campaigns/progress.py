"""How far campaigns are: of a study at a glance; of one by annotator and by system."""

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db.models import Count, F, Max, Min, Q, Sum
from django.db.models.functions import Coalesce, Least
from django.utils import timezone
from numpy.typing import NDArray

from annotation.campaigns.rater_kinds import raters_in_words
from annotation.campaigns.tally import WANTED_AT_MOST, Tally, tally
from annotation.models import Annotator, Assignment, Campaign, CampaignSet, Item, Rating, Submission
from annotation.protocols.catalogue import PROTOCOLS
from corpus.models import Study


@dataclass(frozen=True)
class ListedCampaign:
    """A campaign with how far it is.

    Parameters
    ----------
    wanted, done
        Ratings of items that are asked for, and those that count so far; imported campaigns ask
        for none.
    raters
        In words, how many persons, models, means and majorities there are.
    started
        How many places for annotators have answered something.
    """

    campaign: Campaign
    wanted: int
    done: int
    raters: list[str]
    started: int

    @property
    def protocol(self) -> str:
        """The protocol by its title; one of an import need not be known here."""
        known = PROTOCOLS.get(self.campaign.protocol)
        return known.title if known else self.campaign.protocol

    @property
    def imported(self) -> bool:
        """Whether its ratings came in a table."""
        return self.campaign.origin == Campaign.Origin.IMPORTED

    @property
    def percent(self) -> int:
        """How much of it is done."""
        return 100 * self.done // self.wanted if self.wanted else 0


def campaigns_listed(study: Study, together: CampaignSet | None = None) -> list[ListedCampaign]:
    """Return campaigns, by as many queries for many as for few.

    Those of a study come latest first, with the tasks of a set in their order; those of a set in
    their order alone.
    """
    plain = Q(kind=Item.Kind.PLAIN)
    # What a start has written so far is not asked for yet.
    items = (
        Item.objects.filter(plain, campaign__study=study)
        .exclude(campaign__state=Campaign.State.DRAFT)
        .order_by()
    )
    wanted = dict(items.values_list("campaign").annotate(wanted=Sum(WANTED_AT_MOST)))
    counted = Submission.objects.counted(study)
    done = dict(counted.order_by().values_list("item__campaign").annotate(done=Count("*")))
    begun = Annotator.objects.filter(campaign__study=study, submitted__gt=0).order_by()
    started = dict(begun.values_list("campaign").annotate(started=Count("*")))
    raters = raters_in_words(study)
    return [
        ListedCampaign(
            campaign,
            wanted.get(campaign.pk) or 0,
            done.get(campaign.pk, 0),
            raters.get(campaign.pk, []),
            started.get(campaign.pk, 0),
        )
        for campaign in _in_order(study, together)
    ]


def _in_order(study: Study, together: CampaignSet | None) -> Iterable[Campaign]:
    if together is not None:
        return together.campaigns.order_by("position")
    latest = Coalesce(Max("set__campaigns"), "pk")
    campaigns = study.campaigns.select_related("set").annotate(latest=latest)
    return campaigns.order_by("-latest", "position")


STOPPED_AFTER = dt.timedelta(days=1)
MOST_CONTESTED = 10


@dataclass
class AnnotatorProgress:
    """One annotator's part of a campaign: plain item pages that are saved, of those given."""

    annotator: Annotator
    saved: int
    given: int
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
        return 100 * self.saved // self.given if self.given else 0


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
    """Count what is done; a second look reads only what came since the first."""
    counts = tally(campaign)
    people = _by_annotator(campaign, counts)
    every = [part for parts in counts.seconds.values() for part in parts]
    return Progress(
        done=int(counts.done.sum()),
        wanted=int(counts.wanted.sum()),
        seconds=_median(every),
        surplus=sum(row.surplus for row in people),
        cannot=sum(row.cannot for row in people),
        withdrawn=sum(row.withdrawn for row in people),
        annotators=people,
        systems=_by_system(campaign, counts),
    )


def _by_annotator(campaign: Campaign, counts: Tally) -> list[AnnotatorProgress]:
    held = Q(withdrawals__isnull=False, withdrawals__until__isnull=True)
    people = campaign.annotators.annotate(held=Count("withdrawals", filter=held))
    long_ago = timezone.now() - STOPPED_AFTER
    controls = _controls_given(campaign)
    rows = []
    for annotator in people.order_by("number", "pk"):
        annotator.campaign = campaign
        saved = counts.pages[annotator.pk]
        row = AnnotatorProgress(
            annotator,
            saved,
            max(saved, annotator.assigned - controls.get(annotator.pk, 0)),
            _median(counts.seconds.get(annotator.pk, ())),
            counts.surplus[annotator.pk],
            counts.cannot[annotator.pk],
            bool(annotator.held),
        )
        seen = annotator.last_seen_at
        row.stopped = bool(
            campaign.state == Campaign.State.OPEN
            and seen is not None
            and seen < long_ago
            and annotator.submitted < annotator.assigned
        )
        rows.append(row)
    return rows


def _controls_given(campaign: Campaign) -> dict[int, int]:
    """Return how many control pages are in each annotator's list."""
    if not campaign.selection.get("controls"):
        return {}
    controls = Item.objects.filter(campaign=campaign, original__isnull=False, lead=True)
    given = controls.exclude(assignments__state=Assignment.State.EXPIRED).order_by()
    return dict(given.values_list("assignments__annotator").annotate(given=Count("*")))


def _median(parts: Sequence[NDArray[np.float64]]) -> float | None:
    return float(np.median(np.concatenate(parts))) if parts else None


def _by_system(campaign: Campaign, counts: Tally) -> list[SystemProgress]:
    known = campaign.study.systems.in_bulk()
    rows = [(known[pk], done, wanted) for pk, done, wanted in counts.by_system()]
    return [
        SystemProgress(system.name, system.kind, done, wanted)
        for system, done, wanted in sorted(rows, key=lambda row: row[0].ordinal)
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
        Rating.objects.counted(campaign.study)
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
    told = Submission.objects.filter(pk__in=tally(campaign).reasons).order_by("-pk")
    return list(told.select_related("annotator", "item__first__segment", "item__first__system"))
