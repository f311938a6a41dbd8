"""Publications of a study: checking, asking for one, listing them, and fetching the zip."""

from typing import Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.models import Publication
from analysis.publishing.checks import WORDS
from analysis.publishing.options import MOST_GROUPED, Options, PublishingError
from analysis.publishing.personal_data import LONGEST_SEED, SMALLEST
from analysis.publishing.public_page import zip_path
from analysis.publishing.service import KIND, ask_for_publication, check, options_from
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import NUMBER, JobSerializer, StudyJobsView, job_response
from corpus.api.rendering import AnyAccept
from corpus.api.studies import REFUSED, SLUG, OfStudy

PUBLICATION = OpenApiParameter(
    "id", NUMBER, OpenApiParameter.PATH, description="`result.publication` of the job"
)


class AskedPublicationSerializer(serializers.Serializer[Any]):
    """How a study is to be published; without anything, as the page proposes."""

    accept = serializers.ListField(
        child=serializers.CharField(max_length=100),
        required=False,
        max_length=100,
        help_text="Names of the warnings that you confirm.",
    )
    reports = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**63 - 1),
        required=False,
        max_length=1000,
        help_text="Numbers of frozen reports; all without it.",
    )
    comments = serializers.BooleanField(required=False, help_text="Publish comments too.")
    smallest = serializers.IntegerField(
        required=False,
        min_value=2,
        max_value=MOST_GROUPED,
        help_text=f"Groups of fewer raters are small; {SMALLEST} by default.",
    )
    seed = serializers.CharField(
        required=False, max_length=LONGEST_SEED, help_text="Draws the names of raters; a secret."
    )
    date = serializers.DateField(required=False, help_text="Of publication; today by default.")


class CheckSerializer(serializers.Serializer[Any]):
    """A check of a publication."""

    name = serializers.CharField(help_text="By which a warning is confirmed.")
    title = serializers.CharField()
    verdict = serializers.ChoiceField(choices=list(WORDS))
    why = serializers.CharField()
    where = serializers.ListField(child=serializers.CharField(), help_text="The first places.")
    places = serializers.IntegerField(help_text="How many places there are.")
    advice = serializers.CharField()


class PublicationsView(StudyJobsView):
    """List the jobs that published a study, latest first."""

    tag = "publications"
    operation_ids = {"GET": "study_publications", "POST": "publish_study"}
    kind = KIND
    body_serializer_class = AskedPublicationSerializer

    @extend_schema(responses={202: JobSerializer, 400: ErrorSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Publish a study; the answer is the job, whose result has the publication's number.

        The job fails with every check that is in the way.
        """
        options = _options(self.read_body())
        job = ask_for_publication(self.study, options, self.signed_in_user)
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class PublicationChecksView(OfStudy):
    """The checks of a publication."""

    tag = "publications"
    operation_ids = {"POST": "check_publication"}
    body_serializer_class = AskedPublicationSerializer

    @extend_schema(
        responses={200: CheckSerializer(many=True), 400: ErrorSerializer, 403: ErrorSerializer}
    )
    def post(self, request: Request, slug: str) -> Response:
        """Check a study for publication; nothing is written."""
        try:
            checks = check(self.study, _options(self.read_body()), quickly=True)
        except PublishingError as error:
            raise ValidationError(str(error)) from None
        return Response(CheckSerializer(checks, many=True).data)


class PublicationView(OfStudy):
    """The zip of a publication."""

    tag = "publications"
    operation_ids = {"GET": "download_publication"}
    parameters = (SLUG, PUBLICATION)
    owner_methods = ("GET", "HEAD")
    content_negotiation_class = AnyAccept

    @extend_schema(
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The publication."),
            403: ErrorSerializer,
        }
    )
    def get(self, request: Request, slug: str, pk: int) -> FileResponse:
        """Send the zip, to owners only."""
        made = Publication.objects.filter(pk=pk, study=self.study).first()
        if made is None or not zip_path(made).is_file():
            raise NotFound(f"This study has no publication {pk}.")
        name = f"{slug}-publication.zip"
        return FileResponse(zip_path(made).open("rb"), as_attachment=True, filename=name)


def _options(values: dict[str, Any]) -> Options:
    if date := values.get("date"):
        values["date"] = date.isoformat()
    try:
        return options_from(values)
    except PublishingError as error:
        raise ValidationError(str(error)) from None
