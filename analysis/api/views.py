"""Reports as JSON, under the same filter as the pages."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis.api.tables import (
    OF_TABLES,
    PARAMETERS,
    REPORT_OR_TABLES,
    JsonUnlessAskedOtherwise,
    answered,
)
from analysis.data.narrowing import asked_data
from analysis.filter.field import FilterField
from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.question import DEFAULTS, FILTER_FIELDS, Question
from analysis.reports.catalogue import KINDS
from analysis.reports.page_address import check_kind, check_question
from analysis.reports.service import document, parts_of_document, report_or_job
from corpus.access.guard import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.models import Job, Study


def _parameter(name: str, declared: FilterField) -> OpenApiParameter:
    default = DEFAULTS[name]
    kinds: dict[type, Any] = {float: OpenApiTypes.NUMBER, int: OpenApiTypes.INT}
    return OpenApiParameter(
        name,
        OpenApiTypes.NUMBER if default is None else kinds.get(type(default), OpenApiTypes.STR),
        description=f"{declared.help} Used by: {', '.join(kinds_with(name))}.",
        enum=[type(default)(value) for value in declared.words] or None,
        many=isinstance(default, tuple),
        default=None if default in ("", ()) else default,
    )


FILTER = [_parameter(name, declared) for name, declared in FILTER_FIELDS.items()]
KIND = OpenApiParameter("kind", OpenApiTypes.STR, OpenApiParameter.PATH, enum=KINDS)


class WaitingSerializer(serializers.Serializer[Any]):
    """The jobs that compute what was asked for; ask again when they are done."""

    jobs = JobSerializer(many=True)


RESPONSES: dict[Any, Any] = {
    **REPORT_OR_TABLES,
    202: WaitingSerializer,
    400: ErrorSerializer,
    **FORBIDDEN,
    409: ErrorSerializer,
}


class ReportView(APIView):
    """One report of a study."""

    content_negotiation_class = JsonUnlessAskedOtherwise

    @extend_schema(
        operation_id="study_report",
        tags=["reports"],
        parameters=[SLUG, KIND, *FILTER, *PARAMETERS],
        responses=RESPONSES,
    )
    def get(self, request: Request, slug: str, kind: str) -> HttpResponseBase:
        """Return a report, or the job that computes it.

        The parameters are those of the report pages; without any, the report is that of the whole
        study. Each number carries its interval, n, p-value and signature; one that cannot be
        computed is of kind `undefined` and says why. With `format=csv` its tables come instead:
        the one that `table` names, or a zip of all of them.
        """
        study = study_for(request.user, slug)
        check_kind(kind)
        question = read_question(request, study)
        found = _found(study, kind, question, request)
        if isinstance(found, Job):
            return waiting(request, [found])
        return answered(request, found, slug, kind)


class DocumentView(APIView):
    """All reports of a study in one document."""

    content_negotiation_class = JsonUnlessAskedOtherwise

    @extend_schema(
        operation_id="study_reports",
        tags=["reports"],
        parameters=[SLUG, *FILTER, *PARAMETERS],
        responses=RESPONSES,
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """Return all results in one document: every report, correlations for each subgroup too."""
        study = study_for(request.user, slug)
        question = read_question(request, study)
        parts = parts_of_document(study, question)
        found = [_found(study, kind, asked, request) for kind, _, asked in parts]
        jobs = [one for one in found if isinstance(one, Job)]
        if jobs:
            return waiting(request, jobs)
        return answered(request, document(study, question), slug)


def read_question(request: Request, study: Study) -> Question:
    """Return the filter in a query string.

    Raises
    ------
    QuestionError
        If it names something that does not exist.
    """
    given = {name: v for name, v in request.query_params.lists() if name not in OF_TABLES}
    question = Question.parse(given)
    check_question(asked_data(study, question), question)
    return question


def _found(study: Study, kind: str, question: Question, request: Request) -> dict[str, Any] | Job:
    return report_or_job(study, kind, question, cast(User, request.user))


def waiting(request: Request, jobs: list[Job]) -> Response:
    """Say which jobs compute what was asked for; 409 with the first that has failed."""
    listed = JobSerializer(jobs, many=True, context={"request": request}).data
    for job in listed:
        if job["state"] == Job.State.FAILED:
            detail = f"This report could not be computed: {job['error']} Try the job again."
            content = {"detail": detail, "problems": [], "job": job["url"]}
            return Response(
                content, status.HTTP_409_CONFLICT, headers={"Location": str(job["url"])}
            )
    return Response(
        {"jobs": listed}, status.HTTP_202_ACCEPTED, headers={"Location": str(listed[0]["url"])}
    )
