"""The list of studies, one of them, and making a new one."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from corpus.access.guard import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.paging import BySlug
from corpus.imports.service import create_study
from corpus.models import Study
from corpus.studies.overview import studies_listed

SLUG = OpenApiParameter(
    "slug",
    {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
    OpenApiParameter.PATH,
    description="Study",
)
FORBIDDEN = {401: ErrorSerializer, 404: ErrorSerializer}
REFUSED = {403: ErrorSerializer, 409: ErrorSerializer}
"""What else may come of a request that only owners may make."""
PARTS = (
    *("segments", "systems", "outputs", "ratings", "scores", "runs", "aspects"),
    *("style-models", "writer-models", "writings", "imports", "exports", "publications", "reports"),
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
            *("url", "slug", "title", "description", "language", "simulated"),
            *("without_texts", "revision"),
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


class BodyView(GenericAPIView[Any]):
    """A view that may take something, by a serializer of its own."""

    body_serializer_class: type[serializers.BaseSerializer[Any]] | None = None

    def get_serializer_class(self) -> type[serializers.BaseSerializer[Any]]:
        """Return the serializer of what is sent, else that of what is answered."""
        if self.body_serializer_class and self.request.method in ("POST", "PATCH"):
            return self.body_serializer_class
        return super().get_serializer_class()

    def read_body(self) -> dict[str, Any]:
        """Return what was sent; `ValidationError` if it makes no sense."""
        sent = self.get_serializer(data=self.request.data)
        sent.is_valid(raise_exception=True)
        return dict(sent.validated_data)

    @property
    def signed_in_user(self) -> User:
        """Who asks, signed in."""
        return cast(User, self.request.user)


class OfStudy(BodyView):
    """A view of the study that the address names; who may not see it finds nothing."""

    parameters: tuple[OpenApiParameter, ...] = (SLUG,)
    owner_methods: tuple[str, ...] = ("POST", "PATCH")
    """Methods that members who only read may not use."""
    study: Study

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Find the study before anything else is looked at."""
        super().initial(request, *args, **kwargs)
        is_owners = request.method in self.owner_methods
        self.study = study_for(request.user, self.kwargs["slug"], owner=is_owners)


class StudiesView(BodyView, ListAPIView[Study]):
    """List the studies that you may open, in order of their slugs."""

    tag = "studies"
    operation_ids = {"GET": "studies", "POST": "create_study"}
    serializer_class = StudySerializer
    body_serializer_class = NewStudySerializer
    pagination_class = BySlug

    def get_queryset(self) -> QuerySet[Study]:
        """Return the studies with their counts."""
        return studies_listed(self.request.user)

    @extend_schema(responses={201: StudySerializer, 409: ErrorSerializer})
    def post(self, request: Request) -> Response:
        """Make an empty study, which you then own; 409 if the slug is taken."""
        values = self.read_body()
        study = create_study(values.pop("slug"), self.signed_in_user, **values)
        made = self.get_queryset().get(pk=study.pk)
        content = StudySerializer(made, context=self.get_serializer_context()).data
        return Response(content, status.HTTP_201_CREATED, headers={"Location": content["url"]})


class StudyView(OfStudy, RetrieveAPIView[Study]):
    """Return a study with the addresses of all that it holds."""

    tag = "studies"
    operation_ids = {"GET": "study"}
    serializer_class = StudySerializer

    def get_object(self) -> Study:
        """Return the study with its counts."""
        return studies_listed(self.request.user).get(pk=self.study.pk)
