"""Exports of a study: asking for one, and fetching the zip."""

from typing import Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.errors import Conflict
from corpus.api.jobs import NUMBER, JobSerializer, StudyJobsView, job_response
from corpus.api.rendering import AnyAccept
from corpus.api.studies import REFUSED, SLUG, OfStudy
from corpus.exports.named import writable_formats
from corpus.exports.run import ask_for_export, export_path
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
    format = serializers.CharField(
        required=False,
        max_length=100,
        help_text="A named format instead of the study bundle, such as mt-metrics-eval-v2.",
    )
    select = serializers.CharField(
        required=False,
        max_length=100,
        help_text="What the study is called in a format that holds several: a language pair, "
        "such as en-de or wmt23/en-de.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a choice without a format that it is one of."""
        if attrs.get("select") and not attrs.get("format"):
            raise serializers.ValidationError({"select": "Name the format, too."})
        return attrs

    def validate_format(self, name: str) -> str:
        """Refuse a format in which no study can be written."""
        known = writable_formats()
        if name not in known:
            raise serializers.ValidationError(f"{name!r} is none of: {', '.join(known)}")
        return name


class ExportsView(StudyJobsView):
    """List the exports of a study, latest first."""

    tag = "exports"
    operation_ids = {"GET": "study_exports", "POST": "export_study"}
    kind = "export"
    body_serializer_class = ExportSerializer

    @extend_schema(responses={202: JobSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Export a study; the answer is the job, whose `download` is set once it is done."""
        job = ask_for_export(self.study, self.signed_in_user, **self.read_body())
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class DownloadView(OfStudy):
    """The zip of an export."""

    tag = "exports"
    operation_ids = {"GET": "download_export"}
    parameters = (SLUG, EXPORT)
    owner_methods = ("GET", "HEAD")
    content_negotiation_class = AnyAccept

    @extend_schema(
        responses={
            (200, "application/zip"): OpenApiResponse(OpenApiTypes.BINARY, "The study bundle."),
            **REFUSED,
        }
    )
    def get(self, request: Request, slug: str, pk: int) -> FileResponse:
        """Return the zip; 409 if the export has not ended well (yet)."""
        job = Job.objects.filter(study=self.study, kind="export", pk=pk).first()
        if job is None:
            raise NotFound(f"no export {pk} of this study")
        if job.state != Job.State.DONE:
            raise Conflict(f"This export is {job.get_state_display()}: there is no zip.")
        try:
            file = export_path(job).open("rb")
        except FileNotFoundError:
            raise NotFound("This zip no longer exists; export the study again.") from None
        name = job.result.get("file_name", f"{slug}.zip")
        return FileResponse(file, as_attachment=True, filename=name)
