"""The form of a sweep."""

from collections.abc import Sequence
from typing import Any

from django import forms

from analysis.sweeps.asked import MASKS, UNITS, Sweep, SweepError, read_grid
from corpus.models import Study
from corpus.pages.choices import offer
from metrics.attribution.masking import AT_LEAST_ONE, RULES
from metrics.resources.attributors import is_attributable
from metrics.resources.trained_models import models_of
from metrics.runs.requests import Planner
from metrics.scorers.registry import scorers
from metrics.trials.styles import THRESHOLDS

_OWN_CHOICE = ("", "what the metric prefers")


def _several(label: str, choices: Sequence[tuple[str, str]], **options: Any) -> Any:
    return forms.MultipleChoiceField(
        label=label,
        choices=choices,
        required=False,
        initial=[key for key, _ in choices],
        widget=forms.CheckboxSelectMultiple,
        **options,
    )


class SweepForm(forms.Form):
    """A metric, what human raters judged, and the settings to try."""

    metric = forms.ChoiceField(initial="cps")
    aspect = forms.ChoiceField(help_text="People's judgement that the metric shall match.")
    scores = forms.ChoiceField(
        label="Human scores",
        choices=[("raw", "as they were given"), ("z", "z-scores of each annotator")],
    )
    against = forms.ChoiceField(label="Compared with", required=False)
    model = forms.ChoiceField(
        label="Style words by the attributions of",
        required=False,
        help_text="One that is not cross-fitted: a fine-tuned transformer by gradients, others by "
        "leaving out single words.",
    )
    thresholds = _several("Thresholds", [(f"{each:g}", f"{each:g}") for each in THRESHOLDS])
    masks = _several("Style words", list(MASKS.items()))
    units = _several("Masked are", list(UNITS.items()))
    rules = _several(
        "Where one word exceeds the threshold",
        list(RULES.items()),
        help_text="The first is the published rule.",
    )
    grid = forms.CharField(
        required=False,
        label="Parameters of the metric",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One a line, such as: case = lower, keep. Every combination is tried.",
    )

    def __init__(self, study: Study, aspects: Sequence[str], data: Any = None) -> None:
        super().__init__(data)
        specs = (each.spec for each in scorers().values())
        # Combined scores have no texts to change.
        offered = [s for s in specs if not s.is_distribution and "scores" not in s.needs]
        offer(self, "metric", [(spec.key, f"{spec.title} ({spec.key})") for spec in offered])
        offer(self, "aspect", [(aspect, aspect) for aspect in aspects])
        self.fields["aspect"].initial = "content"
        self.fields["rules"].initial = [AT_LEAST_ONE]
        references = range(1, Planner(study).references + 1)
        against = [(f"reference.{number}", f"reference {number}") for number in references]
        several = [("references", "all references at once")] if references else []
        offer(self, "against", [_OWN_CHOICE, ("source", "the source"), *against, *several])
        models = [model.name for model in models_of(study) if is_attributable(model)]
        names = list(dict.fromkeys(models))
        offer(self, "model", [*((name, name) for name in names), ("", "none: plain texts only")])
        self.fields["model"].initial = next(iter(names), "")

    def clean(self) -> dict[str, Any]:
        """Turn what was sent into a sweep."""
        values = self.cleaned_data
        if self.errors:
            return values
        try:
            grid = read_grid(values["metric"], values["grid"])
        except SweepError as error:
            self.add_error("grid", str(error))
            return values
        read = {
            "thresholds": [float(each) for each in values["thresholds"]],
            "grid": grid,
            "rules": values["rules"] or [AT_LEAST_ONE],
        }
        self.sweep = Sweep(**values | read)
        try:
            self.sweep.settings()
        except SweepError as error:
            self.add_error(None, f"{error}.".capitalize())
        return values
