"""Exports of a study: asking for one, and fetching the zip."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from corpus.access import study_for
from corpus.api.errors import Conflict, ErrorSerializer
from corpus.api.job_lists import latest_jobs
from corpus.api.jobs import NUMBER, JobSerializer, job_response
from corpus.api.paging import PAGE_PARAMETERS, page_of
from corpus.api.rendering import AnyAccept
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.exports.run import export_path
from corpus.exports.service import ask_for_export
from corpus.models import Job

EXPORT = OpenApiParameter(
    "id", NUMBER, OpenApiParameter.PATH, description="Number of the export's job"
)


class ExportSerializer(serializers.Serializer[Any]):
    """What kind of zip is wanted."""

    for_spreadsheets = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Safe to open in a spreadsheet; such a zip cannot be imported.",
    )


class ExportsView(APIView):
    """Exports of a study."""

    @extend_schema(
        operation_id="study_exports",
        tags=["exports"],
        parameters=[SLUG, *PAGE_PARAMETERS],
        responses={200: page_of(JobSerializer), 400: ErrorSerializer, **FORBIDDEN},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the exports of a study, latest first."""
        return latest_jobs(request, study_for(request.user, slug), "export")

    @extend_schema(
        operation_id="export_study",
        tags=["exports"],
        parameters=[SLUG],
        request=ExportSerializer,
        responses={
            202: JobSerializer,
            400: ErrorSerializer,
            **FORBIDDEN,
            403: ErrorSerializer,
            409: ErrorSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Export a study; the answer is the job, whose `download` is set once it is done."""
        study = study_for(request.user, slug, owner=True)
        sent = ExportSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        job = ask_for_export(study, cast(User, request.user), **sent.validated_data)
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class DownloadView(APIView):
    """The zip of an export."""

    content_negotiation_class = AnyAccept

    @extend_schema(
        operation_id="download_export",
        tags=["exports"],
        parameters=[SLUG, EXPORT],
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The study bundle."),
            **FORBIDDEN,
            403: ErrorSerializer,
            409: ErrorSerializer,
        },
    )
    def get(self, request: Request, slug: str, pk: int) -> FileResponse | Response:
        """Return the zip; 409 if the export has not ended well (yet)."""
        study = study_for(request.user, slug, owner=True)
        job = Job.objects.filter(study=study, kind="export", pk=pk).first()
        if job is None:
            raise NotFound(f"no export {pk} of this study")
        if job.state != Job.State.DONE:
            raise Conflict(f"This export is {job.get_state_display()}: there is no zip.")
        try:
            file = export_path(job).open("rb")
        except FileNotFoundError:
            raise NotFound("This zip is no longer there; export the study again.") from None
        name = job.result.get("file_name", f"{study.slug}.zip")
        return FileResponse(file, as_attachment=True, filename=name)
