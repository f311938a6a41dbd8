"""Parameter sweeps of a study: starting one, and what came out."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from analysis.models import Result
from analysis.sweeps.asked import MASKS, UNITS, Sweep, SweepError, checked_grid
from analysis.sweeps.service import ask_for_sweep, sweeps_of, usual_model
from corpus.api.jobs import NUMBER, JobSerializer, job_response
from corpus.api.paging import KeyPagination
from corpus.api.studies import REFUSED, SLUG, OfStudy
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.trials.styles import THRESHOLDS

SWEEP = OpenApiParameter("id", NUMBER, OpenApiParameter.PATH, description="Number of the sweep")


class SweepRequestSerializer(serializers.Serializer[Any]):
    """A metric under every combination of settings, beside human judgement of an aspect."""

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


class SweepSerializer(serializers.Serializer[Result]):
    """A sweep that was made."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    metric = serializers.CharField()
    aspect = serializers.CharField()
    settings = serializers.IntegerField(help_text="How many were compared.")
    made_at = serializers.DateTimeField()

    def to_representation(self, instance: Result) -> dict[str, Any]:
        """Return the facts of a stored sweep."""
        asked, place = instance.content["sweep"], [instance.study.slug, instance.pk]
        return {
            "id": instance.pk,
            "url": reverse("api-sweep", args=place, request=self.context["request"]),
            "metric": asked["metric"],
            "aspect": asked["aspect"],
            "settings": len(instance.content["rows"]),
            "made_at": instance.created_at,
        }


class SweepsView(OfStudy, ListAPIView[Result]):
    """List the sweeps of a study, in the order in which they were made."""

    tag = "reports"
    operation_ids = {"GET": "study_sweeps", "POST": "start_sweep"}
    serializer_class = SweepSerializer
    body_serializer_class = SweepRequestSerializer
    pagination_class = KeyPagination

    def get_queryset(self) -> QuerySet[Result]:
        """Return the stored sweeps of the study."""
        return sweeps_of(self.study).select_related("study")

    @extend_schema(responses={202: JobSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Start a sweep; the answer is the job, whose `result` names the sweep once it is done."""
        given = self.read_body()
        try:
            given["grid"] = checked_grid(given["metric"], given["grid"])
            sweep = Sweep(**{"model": usual_model(self.study), **given})
            job = ask_for_sweep(self.study, sweep, self.signed_in_user)
        except SweepError as error:
            raise ValidationError({"detail": str(error)}) from None
        return job_response(request, job, status.HTTP_202_ACCEPTED)


class SweepView(OfStudy):
    """One sweep."""

    tag = "reports"
    operation_ids = {"GET": "sweep"}
    parameters = (SLUG, SWEEP)

    @extend_schema(
        responses=OpenApiResponse(OpenApiTypes.OBJECT, "Every setting, and the honest choice.")
    )
    def get(self, request: Request, slug: str, pk: int) -> Response:
        """Return a sweep: the correlation of each setting, and that of choosing the best."""
        return Response(get_object_or_404(sweeps_of(self.study), pk=pk).content)
