"""The metrics that there are, with all that they declare of themselves."""

from typing import Any

from rest_framework import serializers
from rest_framework.generics import ListAPIView

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
