"""The metrics that there are, with all that they declare of themselves."""

from typing import Any

from rest_framework import serializers
from rest_framework.generics import ListAPIView

from corpus.api.rows import MadeRowSerializer
from metrics.scorers.registry import scorers
from metrics.scorers.spec import MetricSpec, Parameter

_KINDS = {bool: "boolean", int: "integer", float: "number", str: "string"}


class ParameterSerializer(serializers.Serializer[Any]):
    """One setting of a metric."""

    name = serializers.CharField()
    type = serializers.ChoiceField(choices=["boolean", "integer", "number", "string"])
    default = serializers.JSONField()
    help = serializers.CharField()
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    choices = serializers.ListField(
        child=serializers.CharField(),
        help_text="The only values; for models and word vectors the names that the administrator "
        "has listed.",
    )


class LibrarySerializer(serializers.Serializer[Any]):
    """A library that a metric computes with."""

    distribution = serializers.CharField()
    version = serializers.CharField(allow_null=True, help_text="Null where it is not installed.")


class MetricSerializer(MadeRowSerializer):
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
        child=serializers.CharField(), help_text="Names of the numbers that an output gets."
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


class MetricsView(ListAPIView[Any]):
    """List every metric that outputs can be scored by, with its parameters."""

    tag = "scores"
    operation_ids = {"GET": "metrics"}
    serializer_class = MetricSerializer

    def get_queryset(self) -> Any:
        """Return what the metrics declare."""
        return [_described(scorer.spec) for scorer in scorers().values()]


def _described(spec: MetricSpec) -> dict[str, Any]:
    """Return what a metric declares."""
    facts = (
        *("key", "title", "aspect", "orientation", "target", "formula", "range", "distrust"),
        *("citation", "takes_masked", "is_distribution", "is_default", "revision"),
    )
    return {name: getattr(spec, name) for name in facts} | {
        "numbers": list(spec.fields),
        "comparisons": list(spec.comparisons),
        "needs": sorted(spec.needs),
        "statistics": list(spec.statistics),
        "parameters": [_parameter(each) for each in spec.parameters],
        "libraries": [
            {"distribution": each.distribution, "version": each.version()}
            for each in spec.libraries
        ],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    facts = ("name", "default", "help", "minimum", "maximum")
    return {name: getattr(parameter, name) for name in facts} | {
        "type": _KINDS[type(parameter.default)],
        "choices": list(filter(None, parameter.offered)),
    }
