"""What neither files nor catalogue say: scales of aspects, and which way of a metric is better."""

import math
from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db import transaction

from corpus.imports.declarations import check_declarations, merged
from corpus.models import AuditEntry, Study
from corpus.tabular.problems import TableError

ORIENTATIONS = ("higher", "lower", "descriptive")


class DeclarationForm(forms.Form):
    """Scales and metrics, one a line."""

    scales = forms.CharField(
        required=False,
        max_length=5000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line: aspect, lowest score, highest score, such as style 1 5. Scores "
        "outside the scale are refused. Of categories: aspect, a colon, and the words with commas "
        "between them, such as relation: part, cause, other.",
    )
    metrics = forms.CharField(
        required=False,
        max_length=20000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line: metric, then higher, lower or descriptive: my-metric lower. "
        "Needed for metrics that are new in this study. More can be stated on the metrics page.",
    )

    def clean_scales(self) -> dict[str, Any]:
        """Read the scales, and the categories among them."""
        said: dict[str, Any] = {"scales": {}, "categories": {}}
        for line in _lines(self.cleaned_data["scales"]):
            name, colon, words = line.partition(":")
            if colon and "," in words:
                said["categories"][name.strip()] = [word.strip() for word in words.split(",")]
            else:
                aspect, *ends = line.rsplit(None, 2)
                try:
                    said["scales"][aspect.rstrip(":")] = low, high = [float(end) for end in ends]
                except ValueError:
                    low = high = math.nan
                if not (aspect.rstrip(":") and math.isfinite(low) and math.isfinite(high)):
                    raise forms.ValidationError(
                        f"{line!r}: expected an aspect, its lowest and its highest score."
                    )
            _check(said, line)
        return said

    def clean_metrics(self) -> dict[str, dict[str, str]]:
        """Read the orientations."""
        metrics = {}
        for line in _lines(self.cleaned_data["metrics"]):
            name, _, orientation = line.rpartition(" ")
            name = name.strip().rstrip(":")
            if not name or orientation not in ORIENTATIONS:
                raise forms.ValidationError(
                    f"{line!r}: expected a metric and one of {', '.join(ORIENTATIONS)}."
                )
            metrics[name] = {"orientation": orientation}
            _check({"metrics": metrics}, line)
        return metrics

    @property
    def declared(self) -> dict[str, Any]:
        """What was said, as ``study.json`` would say it."""
        declared = self.cleaned_data["scales"] | {"metrics": self.cleaned_data["metrics"]}
        return {name: value for name, value in declared.items() if value}


def declare(study: Study, declared: dict[str, Any], actor: User) -> None:
    """Store declarations beside those that a study has, with a record of the change."""
    if not declared:
        return
    with transaction.atomic():
        study = Study.objects.select_for_update().get(pk=study.pk)
        before, after = study.declarations, merged(study.declarations, declared)
        if after == before:
            return
        study.declarations = after
        study.revision += 1
        study.save(update_fields=["declarations", "revision"])
        AuditEntry.record(study, actor, "declare", before=before, after=after)


def _lines(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.splitlines()))


def _check(declared: dict[str, Any], line: str) -> None:
    try:
        check_declarations(declared)
    except TableError as error:
        expected = error.problems[0].expected
        raise forms.ValidationError(f"{line!r}: expected {expected}.") from None
