"""Parameter sweeps of a study: starting one, and what came out."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from analysis.models import Result
from analysis.sweeps.asked import MASKS, UNITS, Sweep, SweepError, checked_grid
from analysis.sweeps.service import ask_for_sweep, sweeps_of, usual_model
from corpus.access import study_for
from corpus.api.errors import ErrorSerializer
from corpus.api.jobs import JobSerializer, job_response
from corpus.api.paging import PAGE_PARAMETERS, Page, page_of, page_response, read_after, read_limit
from corpus.api.studies import FORBIDDEN, SLUG
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.trials.styles import THRESHOLDS

SWEEP = OpenApiParameter(
    "id",
    {"type": "integer", "format": "int64", "minimum": 1},
    OpenApiParameter.PATH,
    description="Number of the sweep",
)


class SweepRequestSerializer(serializers.Serializer[Any]):
    """A metric under every combination of settings, beside people's judgement of an aspect."""

    metric = serializers.CharField(max_length=200, help_text="Key of a metric, see `metrics/`.")
    aspect = serializers.CharField(max_length=100, help_text="What people judged.")
    scores = serializers.ChoiceField(choices=["raw", "z"], default="raw")
    against = serializers.CharField(
        required=False,
        default="",
        max_length=50,
        help_text="`source`, `reference.2` or `references`; what the metric prefers if not given.",
    )
    model = serializers.CharField(
        required=False,
        max_length=100,
        allow_blank=True,
        help_text="Classifier whose attributions say what is masked; the first fine-tuned one if "
        "not given, none if empty.",
    )
    thresholds = serializers.ListField(
        child=serializers.FloatField(min_value=0, max_value=1),
        default=list(THRESHOLDS),
        max_length=20,
    )
    masks = serializers.ListField(
        child=serializers.ChoiceField(choices=list(MASKS)), default=list(MASKS), max_length=2
    )
    units = serializers.ListField(
        child=serializers.ChoiceField(choices=list(UNITS)), default=list(UNITS), max_length=2
    )
    rules = serializers.ListField(
        child=serializers.ChoiceField(choices=list(RULES)),
        default=[AT_LEAST_ONE],
        min_length=1,
        max_length=2,
        help_text="Which words are masked where one alone exceeds the threshold.",
    )
    grid = serializers.DictField(
        child=serializers.ListField(max_length=60),
        default=dict,
        help_text="Parameters of the metric to the values that are tried.",
    )


class SweepSerializer(serializers.Serializer[Any]):
    """A sweep that was made."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    metric = serializers.CharField()
    aspect = serializers.CharField()
    settings = serializers.IntegerField(help_text="How many were compared.")
    made_at = serializers.DateTimeField()


class SweepsView(APIView):
    """Sweeps of a study."""

    @extend_schema(
        operation_id="study_sweeps",
        tags=["reports"],
        parameters=[SLUG, *PAGE_PARAMETERS],
        responses={200: page_of(SweepSerializer), 400: ErrorSerializer, **FORBIDDEN},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the sweeps of a study, in the order in which they were made."""
        study = study_for(request.user, slug)
        limit, after = read_limit(request), read_after(request) or 0
        found = list(sweeps_of(study).filter(pk__gt=after).order_by("pk")[: limit + 1])
        more = found[limit - 1].pk if len(found) > limit else None
        rows = [_listed(request, slug, result) for result in found[:limit]]
        return page_response(request, Page(rows, more))

    @extend_schema(
        operation_id="start_sweep",
        tags=["reports"],
        parameters=[SLUG],
        request=SweepRequestSerializer,
        responses={
            202: JobSerializer,
            400: ErrorSerializer,
            **FORBIDDEN,
            403: ErrorSerializer,
            409: ErrorSerializer,
        },
    )
    def post(self, request: Request, slug: str) -> Response:
        """Start a sweep; the answer is the job, whose `result` names the sweep once it is done."""
        study = study_for(request.user, slug, owner=True)
        sent = SweepRequestSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        given = sent.validated_data
        try:
            given["grid"] = checked_grid(given["metric"], given["grid"])
            sweep = Sweep(**{"model": usual_model(study), **given})
            job = ask_for_sweep(study, sweep, cast(User, request.user))
        except SweepError as error:
            raise ValidationError({"detail": str(error)}) from None
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class SweepView(APIView):
    """One sweep."""

    @extend_schema(
        operation_id="sweep",
        tags=["reports"],
        parameters=[SLUG, SWEEP],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "Every setting, and the honest choice."),
            **FORBIDDEN,
        },
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a sweep: the correlation of each setting, and that of choosing the best."""
        study = study_for(request.user, slug)
        return Response(get_object_or_404(sweeps_of(study), pk=pk).content)


def _listed(request: Request, slug: str, result: Result) -> dict[str, Any]:
    asked = result.content["sweep"]
    return {
        "id": result.pk,
        "url": reverse("api-sweep", args=[slug, result.pk], request=request),
        "metric": asked["metric"],
        "aspect": asked["aspect"],
        "settings": len(result.content["rows"]),
        "made_at": result.created_at,
    }
