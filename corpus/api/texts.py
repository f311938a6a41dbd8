"""Segments, systems and texts of a study, page by page."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.paging import (
    PAGE_PARAMETERS,
    page_after,
    page_of,
    page_response,
    read_after,
    read_limit,
    read_text,
)
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.models import Output, System
from corpus.models.text import SOURCE_SYSTEM

RESPONSES = {**FORBIDDEN, 400: ErrorSerializer}


class SegmentSerializer(serializers.Serializer[Any]):
    """A segment with its source and its references."""

    ordinal = serializers.IntegerField()
    segment = serializers.CharField()
    source_style = serializers.CharField()
    target_style = serializers.CharField()
    attributes = serializers.DictField()
    source = serializers.CharField(allow_null=True)  # type: ignore[assignment]
    references = serializers.ListField(child=serializers.CharField())


class SystemSerializer(serializers.Serializer[Any]):
    """A system and what is declared of it; sources and references are systems of their own kind."""

    ordinal = serializers.IntegerField()
    system = serializers.CharField()
    kind = serializers.ChoiceField(choices=System.Kind.choices)
    attributes = serializers.DictField()


class OutputSerializer(serializers.Serializer[Any]):
    """One text; sources and references too, as texts of `(source)` and `(reference)`."""

    ordinal = serializers.IntegerField(help_text="Place in the order of the study's texts.")
    segment = serializers.CharField()
    system = serializers.CharField()
    variant = serializers.IntegerField()
    text = serializers.CharField()
    sha256 = serializers.CharField()


class SegmentsView(APIView):
    """Segments of a study."""

    @extend_schema(
        operation_id="study_segments",
        tags=["texts"],
        parameters=[SLUG, *PAGE_PARAMETERS],
        responses={200: page_of(SegmentSerializer), **RESPONSES},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List segments with their sources and references, in the order of the study."""
        study = study_for(request.user, slug)
        limit, after = read_limit(request), read_after(request)
        page = page_after(study.segments.all(), "ordinal", after, limit)
        texts: dict[int, tuple[dict[int, str], dict[int, str]]] = {}
        found = Output.objects.filter(
            segment__in=page.rows, system__kind__in=[System.Kind.SOURCE, System.Kind.REFERENCE]
        ).order_by("segment_id", "variant")
        for owner, system, variant, text in found.values_list(
            "segment_id", "system__name", "variant", "text"
        ):
            sources, references = texts.setdefault(owner, ({}, {}))
            (sources if system == SOURCE_SYSTEM else references)[variant] = text
        rows = []
        for segment in page.rows:
            sources, references = texts.get(segment.pk, ({}, {}))
            rows.append(
                {
                    "ordinal": segment.ordinal,
                    "segment": segment.key,
                    "source_style": segment.source_style,
                    "target_style": segment.target_style,
                    "attributes": segment.attributes,
                    "source": sources.get(1),
                    "references": list(references.values()),
                }
            )
        return page_response(request, page, rows)


class SystemsView(APIView):
    """Systems of a study."""

    @extend_schema(
        operation_id="study_systems",
        tags=["texts"],
        parameters=[SLUG, *PAGE_PARAMETERS],
        responses={200: page_of(SystemSerializer), **RESPONSES},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List systems with their attributes, in the order of the study."""
        study = study_for(request.user, slug)
        limit, after = read_limit(request), read_after(request)
        page = page_after(study.systems.all(), "ordinal", after, limit)
        rows = [
            {
                "ordinal": system.ordinal,
                "system": system.name,
                "kind": system.kind,
                "attributes": system.attributes,
            }
            for system in page.rows
        ]
        return page_response(request, page, rows)


class OutputsView(APIView):
    """Texts of a study."""

    @extend_schema(
        operation_id="study_outputs",
        tags=["texts"],
        parameters=[
            SLUG,
            OpenApiParameter("system", OpenApiTypes.STR, description="Texts of this system only."),
            *PAGE_PARAMETERS,
        ],
        responses={200: page_of(OutputSerializer), **RESPONSES},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List texts, sources and references among them, in the order of the study."""
        study = study_for(request.user, slug)
        limit, after = read_limit(request), read_after(request)
        outputs = Output.objects.filter(study=study).select_related("segment", "system")
        if (system := read_text(request, "system")) is not None:
            outputs = outputs.filter(system__study=study, system__name=system)
        page = page_after(outputs, "ordinal", after, limit)
        rows = [
            {
                "ordinal": output.ordinal,
                "segment": output.segment.key,
                "system": output.system.name,
                "variant": output.variant,
                "text": output.text,
                "sha256": output.sha256,
            }
            for output in page.rows
        ]
        return page_response(request, page, rows)
