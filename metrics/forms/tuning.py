"""The form of fine-tuning a writer."""

from typing import Any

from django import forms
from django.http import QueryDict

from metrics.forms.score import parameter_field
from metrics.resources.writer_training import WriterTraining
from metrics.scorers.spec import ParameterError
from metrics.styles.labelled import TrainingError
from metrics.tuning.bases import offered
from metrics.tuning.tune import LORA, METHODS, PARAMETERS

_FIRST = ("base", "method", "epochs", "rate")
"""Settings that most trainings choose; the others are folded away."""


class TrainWriterForm(forms.Form):
    """A model to be fine-tuned on the study's pairs."""

    name = forms.CharField(
        max_length=100,
        help_text="You choose the model by this name when you write outputs. It cannot be changed.",
    )
    held_out = forms.FloatField(
        min_value=0.01,
        max_value=0.9,
        initial=0.1,
        label="Share for validation",
        help_text="Only where the study has no validation split: the share of the training sources "
        "that says when to stop.",
    )
    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1, initial=0)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data)
        for parameter in PARAMETERS:
            self.fields[parameter.name] = parameter_field(parameter)
        # Which models there are is known only now.
        help_text = self.fields["base"].help_text
        choices = [(name, name) for name in offered()]
        self.fields["base"] = forms.ChoiceField(choices=choices, help_text=help_text)
        self.fields["method"] = forms.ChoiceField(
            choices=list(METHODS.items()),
            initial=LORA,
            help_text=self.fields["method"].help_text,
        )

    @property
    def first(self) -> list[forms.BoundField]:
        """Fields that are shown at once."""
        return [self[name] for name in ("name", *_FIRST)]

    @property
    def more(self) -> list[forms.BoundField]:
        """Fields that are folded away."""
        return [self[name] for name in self.fields if name not in ("name", *_FIRST)]

    def clean(self) -> dict[str, Any]:
        """Read the settings."""
        values = super().clean() or self.cleaned_data
        if self.errors:
            return values
        given = {each.name: values[each.name] for each in PARAMETERS}
        settings = {name: value for name, value in given.items() if value not in (None, "")}
        self.request = WriterTraining(values["name"], settings, values["held_out"], values["seed"])
        try:
            self.request.read()
        except ParameterError as error:
            self.add_error(str(error).partition(":")[0], str(error))
        except TrainingError as error:
            self.add_error(None, str(error))
        return values
