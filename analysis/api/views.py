"""Reports as JSON, under the same filter as the pages."""

from dataclasses import fields
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from analysis import matrices
from analysis.api.tables import (
    OF_TABLES,
    PARAMETERS,
    REPORT_OR_TABLES,
    JsonUnlessAskedOtherwise,
    answered,
)
from analysis.fields_of_kinds import kinds_with
from analysis.question import CHOICES, Question, QuestionError
from analysis.reports.service import KINDS, document, parts_of_document, report_or_job
from analysis.views.address import check_question
from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer
from corpus.api.studies import FORBIDDEN, SLUG
from corpus.models import Job, Study

_HELP = {
    "aspect": "What was rated: a measure by name, or an aspect; every one without it.",
    "campaign": "Slug of the campaign whose ratings count; all without it.",
    "protocol": "Protocol of the ratings that count; all without it.",
    "shown": "Only ratings of texts whose style words were masked, or were not.",
    "raters": "Kind of the raters that count; without it all but language models.",
    "about": "`question:answer` that annotators gave about themselves; may be repeated.",
    "metric": "Names of metrics, `*` for any part; may be repeated.",
    "compared_to": "`source`, `reference`, …; `none` for metrics without it.",
    "text_setting": "Setting of the texts that a metric saw; `none` for metrics without it.",
    "direction": "`source style-to-target style`, as in `informal-to-formal`.",
    "systems": "Names of systems, `*` for any part; may be repeated.",
    "leave_out": "Names of systems to leave out; may be repeated.",
    "humans": "Whether human-written systems enter correlations and agreement.",
    "withdrawn": "Whether the work of annotators that was withdrawn enters.",
    "where": "`attribute:value` that segments or systems must have; may be repeated.",
    "level": "Level of the correlation.",
    "statistic": "Which correlation.",
    "grouping": "Grouping of segment-level correlations.",
    "scores": "Human scores: raw, z per annotator, or ranks within annotator.",
    "ddof": "Degrees of freedom taken off in z-scores, 0 or 1.",
    "orientation": "Whether metric scores are turned so that higher is better.",
    "min_gap": "Smallest gap between people that makes a pair count, tau-like.",
    "metric_ties": "What a tie of the metric is, tau-like.",
    "average": "Whether tau-like is averaged over segments or pairs are pooled.",
    "batch": "Segment attribute that divides the agreement report into batches.",
    "candidates": "Metrics to take: those of the aspect's family, or all.",
    "aggregate": "What a metric says of a system in the report of systems by metrics: its corpus "
    "score where it has one, or the mean of its outputs.",
    "tested": "Metric by which that report compares systems, as it names it; the first if none.",
    "test": "Test on which a comparison rests; `wilcoxon` for systems, `williams` for metrics.",
    "swap": "What the permutation test of two metrics swaps.",
    "resample": "What a bootstrap draws; metrics are compared on segments or systems only.",
    "interval": "How the interval of a correlation is made.",
    "correction": "How the p-values of a comparison are adjusted for their number.",
    "margin": "Largest difference that counts as none in a comparison; 0 for no such margin.",
    "by": "What divides the study into strata: `direction`, `batch`, `length`, `system-subset`, "
    "or an attribute of segments or systems.",
    "sets": "Whether the N best systems stay the same in every draw or are ranked anew.",
    "goal": "What a new study is planned for.",
    "half_width": "Half-width that the planned interval shall have; 0 for half of this study's.",
    "power": "Power to tell two metrics apart.",
    "panel": "Raters of every output of the planned study; 0 for as many as this study has.",
    "first": "Correlation of the first metric with noise-free scores.",
    "second": "Correlation of the second metric with noise-free scores.",
    "between": "Correlation of the two metrics.",
    "resamples": "Draws of bootstraps and permutation tests, 100 to 10,000 by default of the site.",
    "seed": "Seed of bootstraps and permutation tests.",
}


def _parameter(name: str, default: Any) -> OpenApiParameter:
    kinds: dict[type, Any] = {float: OpenApiTypes.NUMBER, int: OpenApiTypes.INT}
    return OpenApiParameter(
        name,
        OpenApiTypes.NUMBER if default is None else kinds.get(type(default), OpenApiTypes.STR),
        description=f"{_HELP[name]} Used by: {', '.join(kinds_with(name))}.",
        enum=(0, 1) if name == "ddof" else CHOICES.get(name),
        many=isinstance(default, tuple),
        default=None if default in ("", ()) else default,
    )


FILTER = [_parameter(field.name, field.default) for field in fields(Question)]
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
        if kind not in KINDS:
            raise NotFound(f"no report {kind!r}; there are: {', '.join(KINDS)}")
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
        try:
            parts = parts_of_document(study, question)
        except QuestionError as error:
            raise ValidationError({"detail": str(error)}) from None
        found = [_found(study, kind, asked, request) for kind, _, asked in parts]
        jobs = [one for one in found if isinstance(one, Job)]
        if jobs:
            return waiting(request, jobs)
        return answered(request, document(study, question), slug)


def read_question(request: Request, study: Study) -> Question:
    """Return the filter in a query string.

    Raises
    ------
    ValidationError
        If it names something that does not exist.
    """
    given = {name: v for name, v in request.query_params.lists() if name not in OF_TABLES}
    try:
        question = Question.parse(given)
        check_question(matrices.load(study), question)
    except QuestionError as error:
        raise ValidationError({"detail": str(error)}) from None
    return question


def _found(study: Study, kind: str, question: Question, request: Request) -> dict[str, Any] | Job:
    try:
        return report_or_job(study, kind, question, cast(User, request.user))
    except QuestionError as error:
        raise ValidationError({"detail": str(error)}) from None


def waiting(request: Request, jobs: list[Job]) -> Response:
    """Say which jobs compute what was asked for; 409 with the first that has failed."""
    listed = JobSerializer(jobs, many=True, context={"request": request}).data
    for job in listed:
        if job["state"] == Job.State.FAILED:
            detail = f"This report could not be computed: {job['error']} Try the job again."
            content = {"detail": detail, "problems": [], "job": job["url"]}
            return Response(content, status.HTTP_409_CONFLICT, headers={"Location": job["url"]})
    return Response(
        {"jobs": listed}, status.HTTP_202_ACCEPTED, headers={"Location": listed[0]["url"]}
    )
