"""Which of a campaign's raters are human, models, or several together: shown and corrected."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count

from annotation.campaigns.deletion import reports_changed
from annotation.campaigns.service import record
from annotation.models import Annotator, Campaign
from corpus.models import Study

Kind = Annotator.Kind
KIND_TITLES = {
    Kind.PERSON: "human rater",
    Kind.PLACE: "unnamed rater",
    Kind.MODEL: "model",
    Kind.MEAN: "mean of several",
    Kind.MEDIAN: "median of several",
    Kind.MAJORITY: "majority of several",
    Kind.UNSTATED: "not stated",
}

PLURALS = {"mean": "means", "median": "medians", "majority": "majorities"}


@dataclass(frozen=True)
class RaterRow:
    """One rater with the number of answers and the kinds that may be chosen."""

    annotator: Annotator
    answers: int

    @property
    def kind(self) -> str:
        """The kind in words."""
        return rater_words(self.annotator.kind, self.annotator.raters, 1)


def raters_of(campaign: Campaign) -> list[RaterRow]:
    """Return a campaign's raters in the order in which they came, with their answers counted."""
    found = campaign.annotators.annotate(answers=Count("submissions")).order_by("number", "pk")
    return [RaterRow(annotator, annotator.answers) for annotator in found]


def kinds_allowed(campaign: Campaign) -> dict[str, str]:
    """Return what a rater can be: a campaign that is run here knows each of its annotators."""
    live = campaign.origin == Campaign.Origin.LIVE
    kinds = (Kind.PERSON, Kind.MODEL) if live else tuple(Kind)
    return {kind.value: KIND_TITLES[kind] for kind in kinds}


def change_kinds(campaign: Campaign, wanted: Mapping[int, str], actor: User) -> list[str]:
    """Store other kinds of raters, each with an audit entry; return the pseudonyms changed.

    Parameters
    ----------
    campaign, actor
    wanted
        Primary key of an annotator to one of `kinds_allowed`.
    """
    changed = []
    with transaction.atomic():
        found = (
            campaign.annotators.select_for_update(no_key=True).filter(pk__in=wanted).order_by("pk")
        )
        for annotator in found:
            before, after = annotator.kind, wanted[annotator.pk]
            if before == after:
                continue
            annotator.kind = after
            annotator.save(update_fields=["kind"])
            about = annotator.pseudonym
            kinds = ({"kind": before}, {"kind": after})
            record(campaign, actor, "change kind of rater", about, *kinds)
            changed.append(about)
        if changed:
            reports_changed(campaign.study_id)
    return changed


def rater_words(kind: str, raters: int | None, annotators: int) -> str:
    """Say how many raters of one kind there are.

    Examples
    --------
    >>> rater_words("person", None, 3), rater_words("model", None, 1)
    ('3 human raters', '1 model')
    >>> rater_words("mean", 3, 1), rater_words("mean", 3, 2)
    ('mean of 3 raters', '2 means of 3 raters')
    >>> rater_words("place", None, 3)
    '3 unnamed raters, numbered for each output'
    """
    many = annotators != 1
    if kind in (Kind.PERSON, Kind.MODEL):
        return f"{annotators} {KIND_TITLES[Kind(kind)]}{'s' if many else ''}"
    if kind == Kind.PLACE:
        title = f"{KIND_TITLES[Kind.PLACE]}{'s' if many else ''}"
        return f"{annotators} {title}, numbered for each output"
    if kind == Kind.UNSTATED:
        return "not stated"
    name = PLURALS[kind] if many else kind
    words = f"{name} of {raters} raters" if raters else f"{name} of raters, number not stated"
    return f"{annotators} {words}" if many else words


def raters_in_words(study: Study) -> dict[int, list[str]]:
    """Say of each campaign of a study, by primary key, who judged: human raters first."""
    rows = (
        Annotator.objects.filter(campaign__study=study)
        .order_by()
        .values_list("campaign", "kind", "raters")
        .annotate(annotators=Count("*"))
    )
    counted: dict[int, list[tuple[str, int | None, int]]] = {}
    for campaign, *row in rows:
        counted.setdefault(campaign, []).append(tuple(row))
    return {campaign: kinds_in_words(found) for campaign, found in counted.items()}


def kinds_in_words(rows: Iterable[tuple[str, int | None, int]]) -> list[str]:
    """Say who judged, given kind, raters behind each, and how many there are.

    Examples
    --------
    >>> kinds_in_words([("mean", 3, 1), ("person", None, 67)])
    ['67 human raters', 'mean of 3 raters']
    """
    order = {kind.value: place for place, kind in enumerate(Kind)}
    counted: Counter[tuple[str, int | None]] = Counter()
    for kind, raters, annotators in rows:
        alone = kind in (Kind.PERSON, Kind.PLACE, Kind.MODEL)
        counted[kind, None if alone else raters] += annotators
    ordered = sorted(counted, key=lambda key: (order[key[0]], key[1] or 0))
    return [rater_words(*key, counted[key]) for key in ordered]
