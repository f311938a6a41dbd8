"""What a study holds, how far it is, and the one thing to do next."""

from collections.abc import Iterator
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


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


@dataclass(frozen=True)
class Step:
    """A part of a study that may be there or not yet."""

    title: str
    url_name: str
    done: bool


@dataclass(frozen=True)
class NextStep:
    """What to do next: a button, and another way to the same end."""

    title: str
    url_name: str
    other: str = ""
    other_url_name: str = ""


def steps(held: Holdings) -> tuple[Step, ...]:
    """Return the three parts of a study in order."""
    return (
        Step("Texts", "study-segments", held.outputs > 0),
        Step("Ratings", "study-campaigns", held.ratings > 0),
        Step("Scores", "study-metrics", held.runs > 0),
    )


def next_step(study: Study, held: Holdings, *, campaigns: bool, owned: bool) -> NextStep:
    """Return the one thing to do next; once all is there, to read all reports."""
    if not owned:
        return NextStep("Read all reports", "study-reports")
    if not held.outputs and held.sources and not study.without_texts:
        return NextStep("Import texts", "study-import", "Write outputs", "study-write")
    if not held.outputs:
        return NextStep("Import texts", "study-import")
    if not held.ratings and campaigns:
        return NextStep("Follow the campaigns", "study-campaigns", "Import ratings", "study-import")
    if not held.ratings and study.without_texts:
        return NextStep("Import ratings", "study-import")
    if not held.ratings:
        return NextStep("Start a campaign", "campaign-new", "Import ratings", "study-import")
    if not held.runs and study.without_texts:
        return NextStep("Import scores", "study-import")
    if not held.runs:
        return NextStep("Score the outputs", "study-score", "Import scores", "study-import")
    return NextStep("Read all reports", "study-reports")


def line(held: Holdings) -> str:
    """Say in one line what a study holds.

    Examples
    --------
    >>> line(Holdings(80, 80, 640, 8, 1, 8, 36, [{}, {}], {1: {"content": 4320}}))
    '80 sources in two directions · 8 systems and a reference · 4,320 ratings by 8 annotators · \
36 metric runs'
    """
    return " · ".join(_parts(held))


def _parts(held: Holdings) -> Iterator[str]:
    if not held.outputs and not held.sources:
        yield "no texts yet"
        return
    ways = len(held.directions)
    yield _many(held.sources, "source") + (f" in {_word(ways)} directions" if ways > 1 else "")
    references = ""
    if held.reference_systems:
        one = held.reference_systems == 1
        references = (
            " and a reference" if one else f" and {_word(held.reference_systems)} references"
        )
    yield _many(held.systems, "system") + references
    rated = _many(held.ratings, "rating")
    if held.ratings and held.annotators:
        rated += f" by {_many(held.annotators, 'annotator')}"
    yield rated if held.ratings else "no ratings yet"
    yield _many(held.runs, "metric run") if held.runs else "no metric scores yet"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _word(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)
