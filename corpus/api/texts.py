"""Segments, systems and texts of a study, page by page."""

from collections import defaultdict
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from corpus.api.paging import ByOrdinal, read_text
from corpus.api.studies import SLUG, OfStudy
from corpus.models import Output, Segment, System


class SegmentSerializer(serializers.Serializer[Any]):
    """A segment with its source and its references."""

    ordinal = serializers.IntegerField()
    segment = serializers.CharField(source="key")
    source_style = serializers.CharField()
    target_style = serializers.CharField()
    attributes = serializers.DictField()
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    references = serializers.ListField(child=serializers.CharField())


class SystemSerializer(serializers.Serializer[Any]):
    """A system and what is declared of it; sources and references are systems of their own kind."""

    ordinal = serializers.IntegerField()
    system = serializers.CharField(source="name")
    kind = serializers.ChoiceField(choices=System.Kind.choices)
    attributes = serializers.DictField()


class OutputSerializer(serializers.Serializer[Any]):
    """One text; sources and references too, as texts of `(source)` and `(reference)`."""

    ordinal = serializers.IntegerField(help_text="Place in the order of the study's texts.")
    segment = serializers.CharField(source="segment.key")
    system = serializers.CharField(source="system.name")
    variant = serializers.IntegerField()
    text = serializers.CharField(
        source="known_text", allow_null=True, help_text="Null in a study without texts."
    )
    sha256 = serializers.CharField(help_text="Of the text; empty in a study without texts.")


class SegmentPages(ByOrdinal):
    """Pages of segments, each with its source and its references."""

    def paginate_queryset(self, queryset: Any, request: Any, view: Any = None) -> Any:
        """Return the segments of a page."""
        page: list[Segment] = super().paginate_queryset(queryset, request, view)
        texts: dict[tuple[int, str], list[str]] = defaultdict(list)
        kinds = [System.Kind.SOURCE, System.Kind.REFERENCE]
        of_page = Output.objects.filter(segment__in=page, system__kind__in=kinds)
        of_page = of_page.exclude(sha256="")
        for segment, kind, text in of_page.order_by("segment_id", "variant").values_list(
            "segment_id", "system__kind", "text"
        ):
            texts[segment, kind].append(text)
        for each in page:
            sources = texts[each.pk, System.Kind.SOURCE]
            each.source = sources[0] if sources else None  # type: ignore[attr-defined]
            each.references = texts[each.pk, System.Kind.REFERENCE]  # type: ignore[attr-defined]
        return page


class SegmentsView(OfStudy, ListAPIView[Segment]):
    """List segments with their sources and references, in the order of the study."""

    tag = "texts"
    operation_ids = {"GET": "study_segments"}
    serializer_class = SegmentSerializer
    pagination_class = SegmentPages

    def get_queryset(self) -> QuerySet[Segment]:
        """Return the segments of the study."""
        return self.study.segments.all()


class SystemsView(OfStudy, ListAPIView[System]):
    """List systems with their attributes, in the order of the study."""

    tag = "texts"
    operation_ids = {"GET": "study_systems"}
    serializer_class = SystemSerializer
    pagination_class = ByOrdinal

    def get_queryset(self) -> QuerySet[System]:
        """Return the systems of the study."""
        return self.study.systems.all()


class OutputsView(OfStudy, ListAPIView[Output]):
    """List texts, sources and references among them, in the order of the study."""

    tag = "texts"
    operation_ids = {"GET": "study_outputs"}
    parameters = (
        SLUG,
        OpenApiParameter("system", OpenApiTypes.STR, description="Texts of this system only."),
    )
    serializer_class = OutputSerializer
    pagination_class = ByOrdinal

    def get_queryset(self) -> QuerySet[Output]:
        """Return the texts of the study, or of one of its systems."""
        outputs = Output.objects.filter(study=self.study).select_related("segment", "system")
        if (system := read_text(self.request, "system")) is not None:
            outputs = outputs.filter(system__study=self.study, system__name=system)
        return outputs
