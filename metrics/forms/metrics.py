"""The form of the metrics page."""

import math
from collections.abc import Sequence
from typing import Any

from django import forms

from corpus.pages.choices import offer
from metrics.catalogue import MetricFacts, declared_metric
from metrics.models import Metric

_NUMBER = forms.NumberInput(attrs={"step": "any"})


class MetricForm(forms.Form):
    """What is declared of one metric."""

    orientation = forms.ChoiceField(choices=Metric.Orientation.choices, label="direction")
    target = forms.FloatField(required=False, widget=_NUMBER, label="target value")
    speaks_of = forms.ChoiceField(required=False, label="speaks of")
    midpoint = forms.FloatField(required=False, widget=_NUMBER, label="midpoint")

    def __init__(self, metric: Metric, styles: Sequence[str], data: Any = None) -> None:
        stored = {name: getattr(metric, name) for name in self.base_fields}
        super().__init__(data, prefix=f"metric-{metric.pk}", initial=stored)
        self.metric = metric
        styles = list(dict.fromkeys([*styles, *filter(None, [metric.speaks_of])]))
        offer(self, "speaks_of", [("", "no single style"), *((style, style) for style in styles)])
        for name, field in self.fields.items():
            field.widget.attrs["aria-label"] = f"{metric.name}: {field.label}"
            if name in ("target", "midpoint"):
                field.widget.attrs["class"] = "short"

    def clean(self) -> dict[str, Any]:
        """Check what belongs together as an import does."""
        values = self.cleaned_data
        if self.errors:
            return values
        for name in ("target", "midpoint"):
            if values[name] is not None and not math.isfinite(values[name]):
                self.add_error(name, "Expected a finite number.")
        declaration = {name: value for name, value in values.items() if value not in ("", None)}
        try:
            self.facts: MetricFacts = declared_metric(declaration, self.metric.name)
        except ValueError as error:
            self.add_error(None, str(error))
        return values
