"""Which systems a campaign rates where its owner does not choose: no baselines, no copies."""

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Subquery

from corpus.models import Output, Study, System

BASELINE = "baseline"
"""The attribute of systems that were made for comparison, with what they are."""


@dataclass(frozen=True)
class OfferedSystem:
    """A system that can be rated.

    `why_not` says why it is not rated unless it is chosen; empty where it is.
    """

    pk: int
    name: str
    why_not: str


def offered_systems(study: Study) -> list[OfferedSystem]:
    """Return the systems of a study in its order.

    Copies are systems of which every output is its source; a look ends at the first other one.
    """
    source = Output.objects.filter(
        segment=OuterRef("segment"), system__kind=System.Kind.SOURCE, variant=1
    )
    other = (
        Output.objects.filter(system=OuterRef("pk"))
        .alias(source=Subquery(source.values("text")[:1]))
        .exclude(source__isnull=False, source=F("text"))
    )
    systems = study.systems.filter(kind=System.Kind.SYSTEM).annotate(changes=Exists(other))
    return [
        OfferedSystem(system.pk, system.name, _why_not(system))
        for system in systems.order_by("ordinal")
    ]


def rated_by_default(study: Study) -> list[int]:
    """Return the systems that are rated where none is chosen, by primary key.

    All of them where every one is a baseline or a copy.
    """
    offered = offered_systems(study)
    return [each.pk for each in offered if not each.why_not] or [each.pk for each in offered]


def _why_not(system: System) -> str:
    if BASELINE in system.attributes:
        return f"baseline: {system.attributes[BASELINE]}"
    return "" if system.changes else "copies its sources"  # type: ignore[attr-defined]
