"""Jobs: how far one is, cancelling it, trying it again."""

from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from corpus.access.guard import job_for
from corpus.api.errors import Conflict, ErrorSerializer
from corpus.api.paging import LatestFirst
from corpus.api.studies import OfStudy
from corpus.exports.run import has_zip
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
        help_text="Address of the zip, from when an export is done until its zip is deleted."
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
        if job.study is None or not has_zip(job):
            return None
        request = self.context["request"]
        return reverse("api-export-download", args=[job.study.slug, job.pk], request=request)


NUMBER = {"type": "integer", "format": "int64", "minimum": 1}
JOB = OpenApiParameter("id", NUMBER, OpenApiParameter.PATH, description="Number of the job")
STEERING = {200: JobSerializer, 403: ErrorSerializer, 409: ErrorSerializer}


class _OneJob(GenericAPIView[Job]):
    parameters = (JOB,)
    serializer_class = JobSerializer

    def get_object(self) -> Job:
        """Return the job, which only some may steer."""
        return job_for(self.request.user, self.kwargs["pk"], steer=self.request.method == "POST")


class JobView(_OneJob, RetrieveAPIView[Job]):
    """Return a job that you asked for, or one of a study that you may open."""

    tag = "jobs"
    operation_ids = {"GET": "job"}


class CancelView(_OneJob):
    """Cancelling a job."""

    tag = "jobs"
    operation_ids = {"POST": "cancel_job"}

    @extend_schema(request=None, responses=STEERING)
    def post(self, request: Request, pk: int) -> Response:
        """Cancel a job that waits or runs; 409 if it had ended."""
        job = self.get_object()
        if not cancel(job):
            raise Conflict(f"This job had already ended: it is {job.get_state_display()}.")
        job.refresh_from_db()
        return job_response(request, job)


class ResumeView(_OneJob):
    """Trying a job again."""

    tag = "jobs"
    operation_ids = {"POST": "resume_job"}

    @extend_schema(request=None, responses=STEERING)
    def post(self, request: Request, pk: int) -> Response:
        """Try a failed or cancelled job again; 409 if it is neither, or another is in the way."""
        job = self.get_object()
        if not resume(job):
            raise Conflict("Only a failed or cancelled job can be tried again.")
        job.refresh_from_db()
        return job_response(request, job)


def job_response(request: Request, job: Job, code: int = status.HTTP_200_OK) -> Response:
    """Answer with a job; one that was just accepted also has its address in the headers."""
    content = JobSerializer(job, context={"request": request}).data
    headers = {"Location": content["url"]} if code == status.HTTP_202_ACCEPTED else None
    return Response(content, code, headers=headers)


class StudyJobsView(OfStudy, ListAPIView[Job]):
    """Jobs of one kind; owners ask for more."""

    kind: str
    serializer_class = JobSerializer
    pagination_class = LatestFirst

    def get_queryset(self) -> QuerySet[Job]:
        """Return the jobs of the study."""
        return Job.objects.filter(study=self.study, kind=self.kind).select_related("study")
