"""What is counted of a campaign, and what was registered, for its sheets and a paragraph."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from django.db.models import Count

from analysis.monitoring import AspectAgreement, agreement_so_far
from analysis.preregistration.service import checked, report_title, versions_of
from annotation.campaigns.rater_kinds import kinds_in_words
from annotation.designs.stopping import rule_of
from annotation.models import Annotator, Campaign, Item, Submission
from corpus.models import System
from corpus.vocabulary.publication_details import STATED

BLANK = "**[to be filled in]**"
DESIGNS = {
    Campaign.Design.BATCHES: "fixed batches of sources; everybody in a batch rates all its outputs",
    Campaign.Design.OVERLAP: "balanced random overlap of annotators",
    Campaign.Design.LATIN: "a Latin square: each source once per annotator, systems rotated",
    Campaign.Design.QUEUE: "a shared queue of the least-rated items",
}

_WHEN = {
    True: ", before the first rating",
    False: ", after the first rating",
    None: "; its ratings were imported, so that it is not known which came first",
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
    kinds = Counter(items.order_by().values_list("kind", flat=True))
    # A control is a whole screen, of one item or several.
    controls = items.filter(lead=True).exclude(kind__in=(Item.Kind.PLAIN, Item.Kind.PRACTICE))
    plain = items.filter(kind=Item.Kind.PLAIN, first__system__kind=System.Kind.SYSTEM)
    plain_pairs = items.filter(kind=Item.Kind.PLAIN, second__system__kind=System.Kind.SYSTEM)
    counts = Counter(plain.order_by().values_list("first__system", flat=True))
    counts.update(plain_pairs.order_by().values_list("second__system", flat=True))
    systems = list(System.objects.filter(pk__in=counts))
    submissions = Submission.objects.counted(campaign.study).filter(item__campaign=campaign)
    counted = Count("annotator", distinct=True)
    kinds_of_raters = submissions.order_by().values_list("annotator__kind", "annotator__raters")
    raters = list(kinds_of_raters.annotate(annotators=counted))
    asked = submissions.filter(warned__isnull=False)
    seconds = [s for s in submissions.values_list("active_seconds", flat=True) if s is not None]
    return Facts(
        items=kinds[Item.Kind.PLAIN],
        per_system=(min(counts.values(), default=0), max(counts.values(), default=0)),
        systems=len(systems),
        humans=sum(system.is_human for system in systems),
        annotators=sum(n for kind, _, n in raters if kind == Annotator.Kind.PERSON),
        others=kinds_in_words(row for row in raters if row[0] != Annotator.Kind.PERSON),
        submissions=submissions.count(),
        controls=Counter(controls.values_list("kind", flat=True)),
        practice=kinds[Item.Kind.PRACTICE],
        kept=asked.filter(warned=True).count() if asked.exists() else None,
        seconds=float(np.median(seconds)) if seconds else None,
        agreement=agreement_so_far(campaign),
    )


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence names them."""
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]])) if parts else "nothing"


def registration_sentence(campaign: Campaign) -> str:
    """Return a sentence on the preregistration; empty where there is none."""
    last = versions_of(campaign).last()
    if last is None:
        return ""
    found, content = checked(last, campaign), last.content
    primary = report_title(content["primary"]["kind"]).lower()
    facts = f"version {last.version}, SHA-256 {last.sha256}"
    text = (
        f"Question, design, primary analysis (the report on {primary}) and stopping rule were "
        f"registered on {content['registered_at'][:10]}"
    )
    if last.is_imported:
        text += f" ({STATED}; {facts})."
    else:
        text += f"{_WHEN[found.is_before_ratings]} ({facts})."
    if found.deviations:
        text += f" The design deviates from it: {'; '.join(found.deviations)}."
    return text


def stopping_sentence(campaign: Campaign) -> str:
    """Return a sentence on the stopping rule; empty where there is none."""
    rule = rule_of(campaign.selection)
    if rule is None:
        return ""
    names = dict(System.objects.filter(study=campaign.study).values_list("pk", "name"))
    text = (
        "A stopping rule was stated beforehand: ratings are enough when "
        f"{rule.in_words(names)}, by {rule.method.replace('-', ' ')} confidence sequences that "
        "hold at every look with 95 % probability over all comparisons (Bonferroni); segments "
        "came in random order"
    )
    text += ", and only systems that were not settled got more ratings." if rule.adaptive else "."
    met = campaign.stopping.get("met")
    if met:
        return f"{text} It was met after {met['segments']} segments."
    return f"{text} It has not been met."
