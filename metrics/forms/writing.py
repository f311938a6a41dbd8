"""Forms of writers, made from what they declare: writing outputs, and fine-tuning a model."""

from typing import Any

from django import forms
from django.http import QueryDict

from corpus.models import Segment, Study
from corpus.pages.choices import offer
from corpus.texts.splits import Splits
from corpus.vocabulary.split_names import SPLITS
from metrics.forms.parameters import ParametersForm, parameter_field
from metrics.resources.writer_training import WriterTraining
from metrics.tuning.bases import offered
from metrics.tuning.tune import LORA, METHODS, PARAMETERS
from metrics.writers.writer import WriterSpec
from metrics.writing.requests import ALL, LEARN_FROM, LONGEST_NAME, WritingRequest

PARAMETER = "parameter"
ARROW = " → "


class WritingForm(ParametersForm):
    """Parameters of one writer, and which segments it shall write."""

    split = forms.ChoiceField(required=False, label="Segments")
    direction = forms.ChoiceField(required=False)
    limit = forms.IntegerField(
        required=False,
        min_value=1,
        label="At most",
        help_text="Write only so many segments, the first of each direction in turn. Ask again "
        "without a number for the rest.",
    )
    learn_from = forms.ChoiceField(required=False, label="Learn from")
    lexicon = forms.ChoiceField(required=False, label="Style lexicon")
    name = forms.CharField(
        required=False,
        max_length=LONGEST_NAME,
        label="Name of the system",
        help_text="Made from the writer and its parameters if empty.",
    )

    price_read = forms.FloatField(
        required=False,
        min_value=0,
        label="Price of a million tokens read",
        help_text="For the estimate only.",
    )
    price_written = forms.FloatField(
        required=False, min_value=0, label="Price of a million tokens written"
    )

    def __init__(self, study: Study, spec: WriterSpec, splits: Splits, data: Any = None) -> None:
        super().__init__(data)
        self._study, self._spec = study, spec
        self.add_parameters(PARAMETER, spec.parameters)
        counts = splits.counts()
        usual = "the test segments" if splits else "all segments: the study has no splits"
        found = [(name, f"{name} ({counts[name]:,})") for name in SPLITS if counts[name]]
        offer(self, "split", [("", usual), *([(ALL, "all"), *found] if splits else [])])
        directions = Segment.objects.filter(study=study).order_by("source_style", "target_style")
        pairs = directions.values_list("source_style", "target_style").distinct()
        self._directions = {ARROW.join(pair): pair for pair in pairs}
        offer(self, "direction", [("", "every direction"), *((n, n) for n in self._directions)])
        words = ("training segments", "all segments that it does not write")
        offer(self, "learn_from", zip(LEARN_FROM, words, strict=True))
        lexicons = [(name, name) for name in study.lexicons.values_list("name", flat=True)]
        offer(self, "lexicon", [("", "the only one" if len(lexicons) < 2 else "choose"), *lexicons])
        if not spec.needs & {"pairs", "texts"}:
            del self.fields["learn_from"]
        if "base_url" not in {parameter.name for parameter in spec.parameters}:
            del self.fields["price_read"], self.fields["price_written"]
        if "lexicon" not in spec.needs:
            del self.fields["lexicon"]
        if len(self._directions) < 2:
            del self.fields["direction"]

    @property
    def parameters(self) -> list[forms.BoundField]:
        """Fields of the writer's own parameters."""
        return self.fields_of(PARAMETER)

    @property
    def prices(self) -> tuple[float, float]:
        """Prices of a million tokens read and written; 0 where none was given."""
        values = self.cleaned_data
        return values.get("price_read") or 0.0, values.get("price_written") or 0.0

    def clean(self) -> dict[str, Any]:
        """Turn what was sent into a request."""
        values = self.cleaned_data
        parameters = self.checked(lambda: self._spec.read(self.given_to(PARAMETER)), PARAMETER)
        if parameters is None:
            return values
        source, target = self._directions.get(values.get("direction", ""), ("", ""))
        request = self.checked(
            lambda: WritingRequest(
                writer=self._spec.key,
                parameters=parameters,
                name=values.get("name", ""),
                split=values.get("split", ""),
                source_style=source,
                target_style=target,
                limit=values.get("limit") or 0,
                learn_from=values.get("learn_from") or "train",
                lexicon=values.get("lexicon", ""),
            )
        )
        if request is not None:
            self.request = request
        return values


_FIRST = ("base", "method", "epochs", "rate")
"""Settings that most trainings choose; the others are folded away."""


class TrainWriterForm(ParametersForm):
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

    def __init__(self, data: QueryDict | None = None, files: Any = None) -> None:
        super().__init__(data, files)
        for parameter in PARAMETERS:
            self.fields[parameter.name] = parameter_field(parameter)
        # Which models there are is known only now.
        help_text = self.fields["base"].help_text
        choices = [(name, name) for name in offered()]
        self.fields["base"] = forms.ChoiceField(choices=choices, help_text=help_text)
        self.fields["method"] = forms.ChoiceField(
            choices=list(METHODS.items()), initial=LORA, help_text=self.fields["method"].help_text
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
        self._request = WriterTraining(values["name"], settings, values["held_out"], values["seed"])
        self.checked(self._request.read)
        return values

    def request(self) -> WriterTraining:
        """Return what is asked for."""
        return self._request
