"""The list of studies, one of them, and making a new one."""

from typing import Any, cast

from django.contrib.auth.models import User
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.paging import (
    NAMED_PAGE_PARAMETERS,
    page_after,
    page_of,
    page_response,
    read_limit,
    read_text,
)
from corpus.imports.service import RESERVED_SLUGS, create_study
from corpus.models import Study
from corpus.studies import studies_listed

SLUG = OpenApiParameter(
    "slug",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    OpenApiParameter.PATH,
    description="Study",
)
FORBIDDEN = {401: ErrorSerializer, 404: ErrorSerializer}
PARTS = (
    *("segments", "systems", "outputs", "ratings", "scores", "runs", "aspects"),
    *("imports", "exports", "reports"),
)


class StudySerializer(serializers.ModelSerializer[Study]):
    """A study, how much it holds, and where its parts are."""

    url = serializers.HyperlinkedIdentityField(view_name="api-study", lookup_field="slug")
    segments = serializers.IntegerField(source="segment_count")
    systems = serializers.IntegerField(source="system_count")
    outputs = serializers.IntegerField(source="output_count")
    changed_at = serializers.DateTimeField()
    parts = serializers.SerializerMethodField(help_text="Addresses of what the study holds.")

    class Meta:
        model = Study
        fields = (
            *("url", "slug", "title", "description", "language", "simulated", "revision"),
            *("segments", "systems", "outputs", "created_at", "changed_at", "parts"),
        )
        read_only_fields = fields

    @extend_schema_field({"type": "object", "additionalProperties": {"type": "string"}})
    def get_parts(self, study: Study) -> dict[str, str]:
        """Give each part's address by its name."""
        request = self.context["request"]
        return {part: reverse(f"api-{part}", args=[study.slug], request=request) for part in PARTS}


class NewStudySerializer(serializers.Serializer[Any]):
    """What a new study needs."""

    slug = serializers.SlugField(max_length=100, help_text="Stands in addresses; does not change.")
    title = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    language = serializers.CharField(
        max_length=35, required=False, default="en", help_text="A tag such as en or pt-BR."
    )

    def validate_slug(self, slug: str) -> str:
        """Refuse names that mean a page."""
        if slug in RESERVED_SLUGS:
            raise serializers.ValidationError(f"{slug!r} is the name of a page; choose another.")
        return slug


class StudiesView(APIView):
    """Studies."""

    @extend_schema(
        operation_id="studies",
        tags=["studies"],
        parameters=NAMED_PAGE_PARAMETERS,
        responses={200: page_of(StudySerializer), 400: ErrorSerializer, 401: ErrorSerializer},
    )
    def get(self, request: Request) -> Response:
        """List the studies that you may open, in order of their slugs."""
        limit, after = read_limit(request), read_text(request, "after")
        page = page_after(studies_listed(request.user), "slug", after, limit)
        rows = StudySerializer(page.rows, many=True, context={"request": request}).data
        return page_response(request, page, list(rows))

    @extend_schema(
        operation_id="create_study",
        tags=["studies"],
        request=NewStudySerializer,
        responses={
            201: StudySerializer,
            400: ErrorSerializer,
            401: ErrorSerializer,
            409: ErrorSerializer,
        },
    )
    def post(self, request: Request) -> Response:
        """Make an empty study, which you then own; 409 if the slug is taken."""
        sent = NewStudySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        values = dict(sent.validated_data)
        study = create_study(values.pop("slug"), cast(User, request.user), **values)
        content = _content(request, study.slug)
        return Response(content, status.HTTP_201_CREATED, headers={"Location": content["url"]})


class StudyView(APIView):
    """One study."""

    @extend_schema(
        operation_id="study",
        tags=["studies"],
        parameters=[SLUG],
        responses={200: StudySerializer, **FORBIDDEN},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return a study with the addresses of all that it holds."""
        study_for(request.user, slug)
        return Response(_content(request, slug))


def _content(request: Request, slug: str) -> Any:
    study = studies_listed(request.user).get(slug=slug)
    return StudySerializer(study, context={"request": request}).data
