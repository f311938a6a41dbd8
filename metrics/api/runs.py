"""Metrics that there are, and metric runs of a study: asking for them, and their state."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from corpus.api.jobs import JobSerializer
from corpus.api.paging import KeyPagination
from corpus.api.studies import REFUSED, OfStudy
from corpus.models import Job
from metrics.resources.attributors import METHODS
from metrics.runs.asking import ask_for_runs, default_requests
from metrics.runs.listing import listed_runs
from metrics.runs.requests import RunRequest
from metrics.runs.text_settings import KINDS, PRESETS
from metrics.scorers.registry import scorers
from metrics.scorers.spec import MetricSpec, Parameter

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string"}


class KindField(serializers.ChoiceField):
    """The kind of a value."""

    def to_representation(self, value: Any) -> str:
        """Name its type."""
        return _KINDS[type(value)]


class ParameterSerializer(serializers.Serializer[Parameter]):
    """One setting of a metric."""

    name = serializers.CharField()
    type = KindField(choices=sorted(_KINDS.values()), source="default")
    default = serializers.JSONField()
    help = serializers.CharField()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    choices = serializers.ListField(
        child=serializers.CharField(),
        help_text="The only values; for models and word vectors the names that the administrator "
        "has listed.",
    )

    def to_representation(self, instance: Parameter) -> dict[str, Any]:
        """Return the facts of a parameter, with the names that are listed now."""
        choices = list(filter(None, instance.offered))
        return super().to_representation(instance) | {"choices": choices}


class LibrarySerializer(serializers.Serializer[Any]):
    """A library that a metric computes with."""

    distribution = serializers.CharField()
    version = serializers.CharField(allow_null=True, help_text="Null where it is not installed.")


class MetricSerializer(serializers.Serializer[MetricSpec]):
    """A metric."""

    key = serializers.CharField(help_text="Names it in requests of runs.")
    title = serializers.CharField()
    aspect = serializers.CharField()
    orientation = serializers.CharField(help_text="`higher`, `lower`, `target`, `descriptive`.")
    target = serializers.FloatField(allow_null=True)
    formula = serializers.CharField()
    range = serializers.CharField()
    distrust = serializers.CharField(help_text="When not to trust it.")
    citation = serializers.CharField()
    numbers = serializers.ListField(
        source="fields",
        child=serializers.CharField(),
        help_text="Names of the numbers that an output gets.",
    )
    comparisons = serializers.ListField(
        child=serializers.CharField(allow_blank=True),
        help_text="With what outputs may be compared, the default first; empty: with nothing.",
    )
    needs = serializers.ListField(child=serializers.CharField())
    parameters = ParameterSerializer(many=True)
    libraries = LibrarySerializer(many=True)
    statistics = serializers.ListField(
        child=serializers.CharField(), help_text="Sufficient statistics kept for corpus scores."
    )
    takes_masked = serializers.BooleanField()
    is_distribution = serializers.BooleanField()
    is_default = serializers.BooleanField()
    revision = serializers.IntegerField()

    def to_representation(self, instance: MetricSpec) -> dict[str, Any]:
        """Return the facts of a metric, what it needs in the order of the alphabet."""
        return super().to_representation(instance) | {"needs": sorted(instance.needs)}


class MetricsView(ListAPIView[Any]):
    """List every metric that outputs can be scored by, with its parameters."""

    tag = "scores"
    operation_ids = {"GET": "metrics"}
    serializer_class = MetricSerializer

    def get_queryset(self) -> Any:
        """Return what the metrics declare."""
        return [scorer.spec for scorer in scorers().values()]


MOST_REQUESTS = 200


class TextSettingSerializer(serializers.Serializer[Any]):
    """What is done to every text before a metric sees it."""

    kind = serializers.ChoiceField(choices=KINDS, default="plain")
    lexicon = serializers.CharField(
        required=False, max_length=200, help_text="Style lexicon; the only one if not given."
    )
    threshold = serializers.FloatField(required=False, min_value=0, max_value=1e6)
    placeholder = serializers.CharField(required=False, max_length=40)
    by = serializers.ChoiceField(choices=["lexicon", "attribution"], required=False)
    model = serializers.CharField(
        required=False, max_length=100, help_text="Classifier of word attributions."
    )
    preset = serializers.ChoiceField(choices=[n for n in PRESETS if n], required=False)
    merge_words = serializers.BooleanField(required=False)
    rank_special = serializers.BooleanField(required=False)
    at_least_one = serializers.BooleanField(required=False)
    least_probability = serializers.FloatField(required=False, min_value=0, max_value=1)
    probability_of = serializers.ChoiceField(
        choices=["other-styles", "source-style"], required=False
    )
    method = serializers.ChoiceField(choices=METHODS, required=False)
    baseline = serializers.ChoiceField(choices=["keep-special", "pad-all"], required=False)


class RunRequestSerializer(serializers.Serializer[Any]):
    """One metric with one setting."""

    metric = serializers.CharField(max_length=200, help_text="Key of a metric, see `metrics/`.")
    parameters = serializers.DictField(
        required=False,
        help_text="Those that differ from the defaults of the study's language; text, number or "
        "boolean, by their names.",
    )
    against = serializers.CharField(
        required=False,
        max_length=50,
        help_text="`source`, `reference.2`, `reference` (a run for each) or `references` (all at "
        "once); what the metric prefers if not given.",
    )
    text = TextSettingSerializer(required=False)
    models = serializers.DictField(
        child=serializers.CharField(max_length=200),
        required=False,
        help_text="Trained models by what they are needed as: name or hash.",
    )


class RunRequestsSerializer(serializers.Serializer[Any]):
    """Runs that are wanted."""

    runs = serializers.ListField(
        child=RunRequestSerializer(),
        required=False,
        max_length=MOST_REQUESTS,
        help_text="If not given, the default metrics as they prefer it.",
    )


class RunSerializer(serializers.Serializer[Any]):
    """A metric run and how it stands."""

    id = serializers.IntegerField(source="run.pk")
    name = serializers.CharField(
        source="run.name",
        help_text="Its one name in the study: commands, filters and combinations take it.",
    )
    metric = serializers.CharField(source="run.metric.name")
    names = serializers.ListField(
        child=serializers.CharField(),
        help_text="What its numbers are called in reports, filters and combinations.",
    )
    signature = serializers.CharField(source="run.signature")
    origin = serializers.CharField(
        source="run.origin",
        help_text="`computed`, here or, with `imported_at`, as a file states; or `imported`.",
    )
    state = serializers.CharField(
        help_text="`finished`, `waiting`, `running`, `failed`, `cancelled`, `unfinished` (texts "
        "came later) or `imported`."
    )
    error = serializers.CharField(help_text="Why the last attempt stopped.")
    aspect = serializers.CharField(source="run.aspect")
    compared_to = serializers.CharField(source="run.compared_to")
    text_setting = serializers.CharField(source="run.text_setting")
    scored = serializers.IntegerField(
        source="texts", allow_null=True, help_text="Outputs; null if imported."
    )
    undefined = serializers.IntegerField(help_text="Of these without a score.")
    request = serializers.DictField(source="run.request", help_text="Empty for imported runs.")
    versions = serializers.DictField(source="run.versions", help_text="Of libraries and files.")
    created_at = serializers.DateTimeField(source="run.created_at", allow_null=True)
    imported_at = serializers.DateTimeField(
        source="run.imported_at",
        allow_null=True,
        help_text="When an import brought scores of it: `request`, `versions` and `signature` are "
        "then as the file states them.",
    )
    job = serializers.HyperlinkedRelatedField[Job](
        source="run.job",
        view_name="api-job",
        read_only=True,
        allow_null=True,
        help_text="That worked on it last.",
    )


class AskedSerializer(serializers.Serializer[Any]):
    """What became of a request."""

    found = RunSerializer(many=True, help_text="Finished before.")
    started = RunSerializer(many=True, help_text="To be computed by `jobs`.")
    refused = serializers.DictField(
        child=serializers.CharField(), help_text="Metrics that cannot be scored: why."
    )
    warnings = serializers.DictField(
        child=serializers.CharField(),
        help_text="Metrics whose words do not fit the study's language: why, and what to do.",
    )
    jobs = JobSerializer(many=True)


class RunPages(KeyPagination):
    """Pages of runs, and how each of them stands."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> Any:
        """Return the runs of a page."""
        page = super().paginate_queryset(queryset, request, view)
        listed = listed_runs(view.study, [run.pk for run in page])
        return sorted(listed, key=lambda each: each.run.pk)


class RunsView(OfStudy, ListAPIView[Any]):
    """List the metric runs of a study, in the order in which they were made."""

    tag = "scores"
    operation_ids = {"GET": "study_runs", "POST": "ask_for_runs"}
    serializer_class = RunSerializer
    body_serializer_class = RunRequestsSerializer
    pagination_class = RunPages

    def get_queryset(self) -> Any:
        """Return the runs of the study."""
        return self.study.runs.only("pk")

    @extend_schema(responses={200: AskedSerializer, 202: AskedSerializer, **REFUSED})
    def post(self, request: Request, slug: str) -> Response:
        """Score a study's outputs; 202 with the jobs, 200 if everything was finished before.

        What can be scored is, and what cannot is named with the reason; 400 if nothing can.
        """
        wanted = self.read_body().get("runs")
        requests = [RunRequest(**each) for each in wanted] if wanted else default_requests()
        asked, jobs = ask_for_runs(self.study, requests, self.signed_in_user)
        if asked.refused and not (asked.found or asked.started):
            raise ValidationError({name: [why] for name, why in asked.refused.items()})
        listed = {each.run.pk: each for each in listed_runs(self.study)}
        content = {
            "found": [listed[run.pk] for run in asked.found],
            "started": [listed[run.pk] for run in asked.started],
            "refused": asked.refused,
            "warnings": asked.warnings,
            "jobs": jobs,
        }
        answer = AskedSerializer(content, context=self.get_serializer_context())
        return Response(answer.data, status.HTTP_202_ACCEPTED if jobs else status.HTTP_200_OK)
