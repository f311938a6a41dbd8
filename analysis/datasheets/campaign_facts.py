"""What is counted of a campaign, for its datasheet and for a paragraph in a paper."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count

from analysis.monitoring import AspectAgreement, agreement_so_far
from annotation.campaigns.rater_kinds import kinds_in_words
from annotation.models import Annotator, Campaign, Item, Submission
from corpus.models import System

BLANK = "**[to be filled in]**"
DESIGNS = {
    Campaign.Design.BATCHES: "fixed batches of sources; everybody in a batch rates all its outputs",
    Campaign.Design.OVERLAP: "balanced random overlap of annotators",
    Campaign.Design.LATIN: "a Latin square: each source once per annotator, systems rotated",
    Campaign.Design.QUEUE: "a shared queue of the least-rated items",
}


@dataclass(frozen=True)
class Facts:
    """What is counted of a campaign once for the sheet and the paragraph.

    Attributes
    ----------
    items
        Items that are rated for systems.
    per_system
        Fewest and most items of one system.
    systems, humans
        Systems rated, and how many of them people wrote.
    annotators, submissions
        Human raters who judged at least once, and how often anybody judged.
    others
        Models, means and majorities that judged, in words.
    controls
        Control items by kind.
    practice
        Practice items.
    kept
        Submissions kept after a warning of a contradiction; None where no page could warn.
    seconds
        Median active time of a submission, where measured.
    agreement
        Of each aspect.
    """

    items: int
    per_system: tuple[int, int]
    systems: int
    humans: int
    annotators: int
    others: list[str]
    submissions: int
    controls: dict[str, int]
    practice: int
    kept: int | None
    seconds: float | None
    agreement: list[AspectAgreement]


def facts_of(campaign: Campaign) -> Facts:
    """Count what the sheet says of a campaign."""
    items = Item.objects.filter(campaign=campaign)
    kinds: dict[str, int] = {}
    for kind in items.order_by().values_list("kind", flat=True):
        kinds[kind] = kinds.get(kind, 0) + 1
    # A control is a whole screen, of one item or several.
    controls = items.filter(lead=True).exclude(kind__in=(Item.Kind.PLAIN, Item.Kind.PRACTICE))
    plain = items.filter(kind=Item.Kind.PLAIN, first__system__kind=System.Kind.SYSTEM)
    plain_pairs = items.filter(kind=Item.Kind.PLAIN, second__system__kind=System.Kind.SYSTEM)
    counts: dict[int, int] = {}
    for column, found in (("first", plain), ("second", plain_pairs)):
        for system in found.order_by().values_list(f"{column}__system", flat=True):
            counts[system] = counts.get(system, 0) + 1
    systems = list(System.objects.filter(pk__in=counts))
    submissions = Submission.objects.counted(campaign.study).filter(item__campaign=campaign)
    counted = Count("annotator", distinct=True)
    kinds_of_raters = submissions.order_by().values_list("annotator__kind", "annotator__raters")
    raters = list(kinds_of_raters.annotate(annotators=counted))
    asked = submissions.filter(warned__isnull=False)
    seconds = [s for s in submissions.values_list("active_seconds", flat=True) if s is not None]
    return Facts(
        items=kinds.get(Item.Kind.PLAIN, 0),
        per_system=(min(counts.values(), default=0), max(counts.values(), default=0)),
        systems=len(systems),
        humans=sum(system.is_human for system in systems),
        annotators=sum(n for kind, _, n in raters if kind == Annotator.Kind.PERSON),
        others=kinds_in_words(row for row in raters if row[0] != Annotator.Kind.PERSON),
        submissions=submissions.count(),
        controls=Counter(controls.values_list("kind", flat=True)),
        practice=kinds.get(Item.Kind.PRACTICE, 0),
        kept=asked.filter(warned=True).count() if asked.exists() else None,
        seconds=float(np.median(seconds)) if seconds else None,
        agreement=agreement_so_far(campaign),
    )


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence names them."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "nothing"
