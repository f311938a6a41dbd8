"""Jobs: how far one is, cancelling it, trying it again."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from corpus.access import job_for
from corpus.api.errors import Conflict, ErrorSerializer
from corpus.jobs.queue import cancel, resume
from corpus.models import Job


class ProgressSerializer(serializers.Serializer[Any]):
    """How far a job is; empty before it has begun and once it is done."""

    message = serializers.CharField(required=False)
    done = serializers.IntegerField(required=False)
    total = serializers.IntegerField(required=False, help_text="0 where it is not known.")


class JobSerializer(serializers.ModelSerializer[Job]):
    """A job and how it stands; `result` depends on its kind."""

    url = serializers.HyperlinkedIdentityField(view_name="api-job")
    study = serializers.SerializerMethodField()
    progress = ProgressSerializer()
    result = serializers.DictField(
        help_text="Of imports: tables, orientations of metrics and who says so, notes and files "
        "not read, or the problems found."
    )
    download = serializers.SerializerMethodField(
        help_text="Address of the zip, once an export is done."
    )

    class Meta:
        model = Job
        fields = (
            *("url", "id", "kind", "study", "state", "cancel_requested", "progress", "result"),
            *("error", "attempts", "created_at", "started_at", "finished_at", "download"),
        )
        read_only_fields = fields

    def get_study(self, job: Job) -> str | None:
        """Return the slug of the job's study."""
        return job.study.slug if job.study else None

    def get_download(self, job: Job) -> str | None:
        """Return where the zip of a finished export is."""
        if job.kind != "export" or job.state != Job.State.DONE or job.study is None:
            return None
        request = self.context["request"]
        return reverse("api-export-download", args=[job.study.slug, job.pk], request=request)


NUMBER = {"type": "integer", "format": "int64", "minimum": 1}
JOB = OpenApiParameter("id", NUMBER, OpenApiParameter.PATH, description="Number of the job")
RESPONSES = {200: JobSerializer, 401: ErrorSerializer, 404: ErrorSerializer}
STEERING = {**RESPONSES, 403: ErrorSerializer, 409: ErrorSerializer}


class JobView(APIView):
    """A job."""

    @extend_schema(operation_id="job", tags=["jobs"], parameters=[JOB], responses=RESPONSES)
    def get(self, request: Request, pk: int) -> Response:
        """Return a job that you asked for, or one of a study that you may open."""
        return job_response(request, job_for(request.user, pk))


class CancelView(APIView):
    """Cancelling a job."""

    @extend_schema(
        operation_id="cancel_job",
        tags=["jobs"],
        parameters=[JOB],
        request=None,
        responses=STEERING,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Cancel a job that waits or runs; 409 if it had ended."""
        job = job_for(request.user, pk, steer=True)
        if not cancel(job):
            raise Conflict(f"This job had ended already: it is {job.get_state_display()}.")
        job.refresh_from_db()
        return job_response(request, job)


class ResumeView(APIView):
    """Trying a job again."""

    @extend_schema(
        operation_id="resume_job",
        tags=["jobs"],
        parameters=[JOB],
        request=None,
        responses=STEERING,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Try a failed or cancelled job again; 409 if it is neither, or another is in the way."""
        job = job_for(request.user, pk, steer=True)
        if not resume(job):
            raise Conflict("Only a failed or cancelled job can be tried again.")
        job.refresh_from_db()
        return job_response(request, job)


def job_response(request: Request, job: Job, code: int = status.HTTP_200_OK) -> Response:
    """Answer with a job; one that was just accepted also has its address in the headers."""
    content = JobSerializer(job, context={"request": request}).data
    headers = {"Location": content["url"]} if code == status.HTTP_202_ACCEPTED else None
    return Response(content, code, headers=headers)
