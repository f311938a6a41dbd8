"""Aspects of a study, and what its campaigns registered before their first rating, for programs."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.data.picking import declared_as
from analysis.data.vocabulary import Vocabulary, vocabulary
from analysis.preregistration.service import checked_of_study
from corpus.api.errors import ErrorSerializer
from corpus.api.studies import OfStudy
from corpus.studies.reading_names import change_readings
from corpus.vocabulary.aspects import FAMILIES, check_declared


class NameSerializer(serializers.Serializer[Any]):
    """A name of an aspect and what it is read as."""

    name = serializers.CharField()
    aspect = serializers.CharField(help_text="Aspect of the registry, or the name itself.")
    family = serializers.ChoiceField(choices=FAMILIES)
    rule = serializers.CharField(help_text="`declared`, `key`, `synonym` or `unknown`.")
    declared = serializers.DictField(
        allow_null=True, help_text='`{"aspect": …}` or `{"family": …}`; null if nothing is.'
    )
    ratings = serializers.IntegerField()
    metrics = serializers.ListField(child=serializers.CharField())


class WaySerializer(serializers.Serializer[Any]):
    """Ratings of one campaign under one name, and the measure that reports call them."""

    measure = serializers.CharField()
    name = serializers.CharField()
    campaign = serializers.CharField()
    protocol = serializers.CharField()
    answers = serializers.CharField(help_text="`scale` or `choices`.")
    scale = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    shown = serializers.CharField(help_text="`masked`, `plain` or empty.")
    raters = serializers.CharField()
    ratings = serializers.IntegerField()


class PairSerializer(serializers.Serializer[Any]):
    """Two campaigns that asked about one aspect."""

    campaign = serializers.CharField()
    declared = serializers.BooleanField(
        help_text="Whether the study declares that they asked the same in the same way."
    )
    why_not = serializers.CharField(help_text="Why they are not pooled all the same, or empty.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """Add the other campaign: its name is a word of Python."""
        return super().get_fields() | {"with": serializers.CharField()}


class MeasuringSerializer(serializers.Serializer[Any]):
    """A metric and what it measures."""

    metric = serializers.CharField()
    named_aspect = serializers.CharField(help_text="As its table or definition names it.")
    runs = serializers.IntegerField()
    aspect = serializers.CharField(help_text="What that name is read as.")
    family = serializers.CharField(help_text="Empty where nothing says it.")
    rule = serializers.CharField(
        help_text="`definition`, `table`, `declared`, `distribution`, `name`, `description` or "
        "`unknown`."
    )
    can_be_declared = serializers.BooleanField(help_text="Whether a family may be declared.")


class AspectsSerializer(serializers.Serializer[Any]):
    """The names of a study, its ratings by measure, pairs of campaigns, and its metrics."""

    names = NameSerializer(many=True)
    ratings = WaySerializer(many=True)
    pooled = PairSerializer(many=True)
    metrics = MeasuringSerializer(many=True)


class ReadingsSerializer(serializers.Serializer[Any]):
    """What names are to be read as; those that are not named stay as they are."""

    names = serializers.DictField(
        required=False,
        child=serializers.DictField(child=serializers.CharField(), allow_null=True),
        help_text='Name to `{"aspect": key}`, to `{"family": family}` for an aspect of its own, or '
        "to null to take back what was declared.",
    )
    metrics = serializers.DictField(
        required=False,
        child=serializers.ChoiceField(choices=FAMILIES, allow_null=True),
        help_text="Metric to the family that it measures, or to null.",
    )
    pooled = serializers.DictField(
        required=False,
        child=serializers.CharField(allow_null=True),
        help_text="Campaign to another one that asked the same in the same way, or to null.",
    )


class AspectsView(OfStudy):
    """Aspects of a study."""

    tag = "studies"
    operation_ids = {"GET": "study_aspects", "PATCH": "change_study_aspects"}
    serializer_class = AspectsSerializer
    body_serializer_class = ReadingsSerializer

    def get(self, request: Request, slug: str) -> Response:
        """Say what every name of an aspect is read as, and what every metric measures."""
        return Response(vocabulary(self.study).to_dict())

    @extend_schema(responses={200: AspectsSerializer, 403: ErrorSerializer})
    def patch(self, request: Request, slug: str) -> Response:
        """Change what names are read as, what metrics measure, and which campaigns are pooled.

        Reports use it from then on. Everything is stored or nothing.
        """
        changes = _read(request.data, vocabulary(self.study))
        change_readings(self.study, *changes, self.signed_in_user)
        self.study.refresh_from_db()
        return self.get(request, slug)


def _read(sent: Any, words: Vocabulary) -> tuple[dict[str, Any], dict[str, str], dict[str, str]]:
    """Read a change, refusing names that the study does not use and readings that there are not."""
    known = ("names", "metrics", "pooled")
    if not isinstance(sent, Mapping) or set(sent) - set(known):
        raise ValidationError({"detail": f"expected an object with some of {', '.join(known)}"})
    parts = [sent.get(name, {}) for name in known]
    if not all(isinstance(part, Mapping) for part in parts):
        raise ValidationError({"detail": f"{', '.join(known)}: expected an object each"})
    names, families, pooled = parts
    used = {row.name for row in words.names}
    for name, entry in names.items():
        if name not in used:
            raise ValidationError({"names": f"{name!r} is not among {_listed(used)}"})
        if entry is not None and (expected := check_declared(name, entry)):
            raise ValidationError({"names": f"{name!r}: expected {expected}"})
    rows = {row.metric: row for row in words.metrics}
    for metric, family in families.items():
        if metric not in rows:
            raise ValidationError({"metrics": f"{metric!r} is not among {_listed(rows)}"})
        if not rows[metric].can_be_declared:
            reason = "its table or its definition says what it measures"
            raise ValidationError({"metrics": f"{metric!r}: {reason}"})
        if family is not None and family not in FAMILIES:
            expected = f"one of {', '.join(FAMILIES)}"
            raise ValidationError({"metrics": f"{metric!r}: expected {expected}"})
    _check_pooled(pooled, words)
    return (
        dict(names),
        {declared_as(metric): each or "" for metric, each in families.items()},
        {campaign: other or "" for campaign, other in pooled.items()},
    )


def _check_pooled(pooled: Mapping[str, Any], words: Vocabulary) -> None:
    """Refuse to pool campaigns that are not there, or that did not ask the same."""
    pairs = {frozenset((pair.campaign, pair.other)): pair for pair in words.pairs}
    rated = {way.campaign for way in words.ways}
    for campaign, other in pooled.items():
        for slug in (campaign, *([] if other is None else [other])):
            if not isinstance(slug, str) or slug not in rated:
                raise ValidationError({"pooled": f"{slug!r} is not among {_listed(rated)}"})
        if other is None:
            continue
        pair = pairs.get(frozenset((campaign, other)))
        if pair is None or pair.why_not:
            reason = pair.why_not if pair else "they have no aspect in common"
            raise ValidationError({"pooled": f"{campaign} and {other} cannot be pooled: {reason}"})


def _listed(names: Any) -> str:
    return ", ".join(sorted(names)) or "the names of this study, of which there is none"


class PreregistrationSerializer(serializers.Serializer[Any]):
    """One version of a campaign's plan, and what a look at it finds."""

    campaign = serializers.CharField(source="kept.campaign", help_text="Its short name.")
    version = serializers.IntegerField(source="kept.version", help_text="The last one counts.")
    registered_at = serializers.DateTimeField(source="kept.registered_at")
    sha256 = serializers.CharField(
        source="kept.sha256",
        help_text="Of `content` as JSON with sorted keys, no spaces, in UTF-8.",
    )
    public = serializers.BooleanField(source="kept.public", help_text="Whether anybody reads it.")
    is_intact = serializers.BooleanField(help_text="Whether the content still has its hash.")
    imported_at = serializers.DateTimeField(
        source="kept.imported_at",
        allow_null=True,
        help_text="When an import brought it: the file states its time, this server did not see "
        "it. Null if it was registered here.",
    )
    is_before_ratings = serializers.BooleanField(
        allow_null=True,
        help_text="Whether it is older than the first rating; null if plan or ratings were "
        "imported, so that this server cannot know.",
    )
    deviations = serializers.ListField(
        child=serializers.CharField(),
        help_text="In which parts the campaign's design is no longer the registered one.",
    )
    content = serializers.DictField(source="kept.content", help_text="All that was registered.")


class PreregistrationsView(OfStudy):
    """Preregistrations of a study."""

    tag = "campaigns"
    operation_ids = {"GET": "study_preregistrations"}

    @extend_schema(responses={200: PreregistrationSerializer(many=True)})
    def get(self, request: Request, slug: str) -> Response:
        """List every version of every campaign's plan, those of a campaign in their order."""
        found = checked_of_study(self.study)
        return Response(PreregistrationSerializer(found, many=True).data)
