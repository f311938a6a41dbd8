"""The segment browser: which segments are asked for, and all their texts."""

from dataclasses import dataclass, field
from itertools import islice

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KeyTransform

from corpus.models import Output, Segment, Study, System
from corpus.studies.overview import direction_name
from corpus.texts import phrases  # noqa: F401  (the lookup `has`)

MOST_VALUES_OFFERED = 30
MOST_ATTRIBUTES_READ = 2000


@dataclass(frozen=True)
class Attribute:
    """An attribute of segments, and its values where they are few enough to choose from."""

    name: str
    values: tuple[str, ...]


def segment_attributes(study: Study) -> list[Attribute]:
    """Return the attributes by which segments can be filtered, in order of their names.

    An attribute with more than `MOST_VALUES_OFFERED` values has none to choose from.
    """
    seen: dict[str, set[str]] = {}
    distinct = study.segments.order_by().values_list("attributes", flat=True).distinct()
    read = 0
    for attributes in islice(distinct.iterator(), MOST_ATTRIBUTES_READ):
        read += 1
        for name, value in attributes.items():
            seen.setdefault(name, set()).add(value)
    complete = read < MOST_ATTRIBUTES_READ
    return [
        Attribute(
            name, tuple(sorted(values)) if complete and len(values) <= MOST_VALUES_OFFERED else ()
        )
        for name, values in sorted(seen.items())
        # A database takes a whole number for a place in a list.
        if not name.lstrip("-").isdecimal()
    ]


@dataclass(frozen=True)
class SegmentFilter:
    """What the segment browser is asked to show."""

    direction: tuple[str, str] | None = None
    attributes: dict[str, str] = field(default_factory=dict)
    text: str = ""


def filtered_segments(study: Study, wanted: SegmentFilter) -> QuerySet[Segment]:
    """Return segments of a direction, with given attributes, whose key or a text has a phrase."""
    segments = study.segments.order_by("ordinal")
    if wanted.direction is not None:
        source, target = wanted.direction
        segments = segments.filter(source_style=source, target_style=target)
    for number, (name, value) in enumerate(wanted.attributes.items()):
        alias = f"attribute_{number}"
        segments = segments.alias(**{alias: KeyTransform(name, "attributes")})
        segments = segments.filter(**{alias: value})
    if wanted.text:
        texts = Output.objects.filter(segment=OuterRef("pk"), text__has=wanted.text)
        segments = segments.filter(Q(key__has=wanted.text) | Exists(texts))
    return segments


@dataclass
class SegmentTexts:
    """A segment with its source, its references and every system's outputs."""

    segment: Segment
    source: Output | None = None
    references: list[Output] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)

    @property
    def direction(self) -> str:
        """The direction of the segment in words."""
        return direction_name(self.segment.source_style, self.segment.target_style)


def segment_texts(segments: list[Segment]) -> list[SegmentTexts]:
    """Return all texts of some segments by one query."""
    found = {segment.pk: SegmentTexts(segment) for segment in segments}
    outputs = (
        Output.objects.filter(segment__in=segments)
        .select_related("system")
        .order_by("system__ordinal", "variant")
    )
    for output in outputs:
        texts = found[output.segment_id]
        if output.system.kind == System.Kind.SOURCE:
            texts.source = output
        elif output.system.kind == System.Kind.REFERENCE:
            texts.references.append(output)
        else:
            texts.outputs.append(output)
    return list(found.values())
