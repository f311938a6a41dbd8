"""What a study holds, from every room: counts, campaigns, and how they came here."""

from dataclasses import dataclass
from typing import Any

from django.core.cache import caches
from django.db.models import Count, Exists, OuterRef, Q

from analysis.data.states import short_hash
from annotation.campaigns.rater_kinds import raters_in_words
from annotation.models import Annotator, Campaign, Rating, Submission
from annotation.people.of_study import person_key
from annotation.protocols.catalogue import PROTOCOLS
from corpus.models import Study, System
from corpus.studies.overview import directions

RatedAspects = dict[int, dict[str, int]]
"""Current ratings by campaign and aspect."""


@dataclass(frozen=True)
class Holdings:
    """How much a study holds; counting a million ratings takes a second."""

    sources: int
    references: int
    outputs: int
    systems: int
    reference_systems: int
    annotators: int
    runs: int
    directions: list[dict[str, Any]]
    rated: RatedAspects

    @property
    def ratings(self) -> int:
        """Current ratings of all campaigns."""
        return sum(sum(aspects.values()) for aspects in self.rated.values())


def holdings(study: Study, state: str) -> Holdings:
    """Return what a study holds, counted once for each state."""
    key = f"holdings:{study.pk}:{short_hash(state)}"
    found = caches["local"].get(key)
    if not isinstance(found, Holdings):
        found = _counted(study)
        caches["local"].set(key, found, None)
    return found


def _counted(study: Study) -> Holdings:
    kind = System.Kind
    texts = study.outputs.aggregate(
        outputs=Count("pk", filter=Q(system__kind=kind.SYSTEM)),
        references=Count("pk", filter=Q(system__kind=kind.REFERENCE)),
        sources=Count("pk", filter=Q(system__kind=kind.SOURCE)),
    )
    systems = study.systems.aggregate(
        systems=Count("pk", filter=Q(kind=kind.SYSTEM)),
        reference_systems=Count("pk", filter=Q(kind=kind.REFERENCE)),
    )
    rated: RatedAspects = {}
    current = Rating.objects.counted(study).order_by()
    for campaign, aspect, ratings in current.values_list(
        "submission__item__campaign", "aspect"
    ).annotate(ratings=Count("*")):
        rated.setdefault(campaign, {})[aspect] = ratings
    return Holdings(
        **texts,
        **systems,
        annotators=_annotators(study),
        runs=study.runs.count(),
        directions=directions(study),
        rated=rated,
    )


def _annotators(study: Study) -> int:
    """Count who rated, people who rate in several campaigns once."""
    people = Annotator.objects.filter(campaign__study=study, kind=Annotator.Kind.PERSON)
    counted = Submission.objects.counted(study).filter(annotator=OuterRef("pk"))
    rating = people.filter(Exists(counted))
    known = rating.values_list("campaign__origin", "campaign__set", "campaign", "pseudonym")
    return len({person_key(*row) for row in known.iterator()})


def campaigns_held(study: Study, rated: RatedAspects) -> list[dict[str, Any]]:
    """Describe each campaign: protocol, aspects with scales, raters, current ratings."""
    raters = raters_in_words(study)
    return [
        {
            "slug": campaign.slug,
            "protocol": _protocol_title(campaign),
            "imported": campaign.origin == Campaign.Origin.IMPORTED,
            "aspects": _aspects(campaign, rated.get(campaign.pk, {})),
            "raters": raters.get(campaign.pk, []),
            "ratings": sum(rated.get(campaign.pk, {}).values()),
        }
        for campaign in study.campaigns.all()
    ]


def _protocol_title(campaign: Campaign) -> str:
    known = PROTOCOLS.get(campaign.protocol)
    return known.title if known else campaign.protocol


def _aspects(campaign: Campaign, rated: dict[str, int]) -> list[dict[str, Any]]:
    scales = campaign.config.get("scales", {})
    return [
        {"name": name, "scale": scales.get(name), "ratings": rated.get(name, 0)}
        for name in dict.fromkeys([*scales, *sorted(rated)])
    ]
