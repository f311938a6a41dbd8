"""The form of the page on which a writer is chosen, made from what the writer declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms

from corpus.models import Segment, Study
from corpus.pages.choices import offer
from corpus.texts.splits import Splits
from corpus.vocabulary.split_names import SPLITS
from metrics.forms.score import parameter_field
from metrics.scorers.spec import ParameterError
from metrics.writers.spec import WriterSpec
from metrics.writers.writer import WriterError
from metrics.writing.requests import ALL, LEARN_FROM, LONGEST_NAME, WritingRequest

PARAMETER = "parameter:"
ARROW = " → "


class WritingForm(forms.Form):
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
        for parameter in spec.parameters:
            self.fields[f"{PARAMETER}{parameter.name}"] = parameter_field(parameter)
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
        return [self[name] for name in self.fields if name.startswith(PARAMETER)]

    @property
    def prices(self) -> tuple[float, float]:
        """Prices of a million tokens read and written; 0 where none was given."""
        values = self.cleaned_data
        return values.get("price_read") or 0.0, values.get("price_written") or 0.0

    @property
    def others(self) -> Iterator[forms.BoundField]:
        """Fields that every writer has."""
        return (self[name] for name in self.fields if not name.startswith(PARAMETER))

    def clean(self) -> dict[str, Any]:
        """Turn what was sent into a request."""
        values = self.cleaned_data
        given = {
            name.removeprefix(PARAMETER): value
            for name, value in values.items()
            if name.startswith(PARAMETER) and value not in ("", None)
        }
        try:
            parameters = self._spec.read(given)
        except ParameterError as error:
            name = f"{PARAMETER}{str(error).partition(':')[0]}"
            self.add_error(name if name in self.fields else None, str(error))
            return values
        source, target = self._directions.get(values.get("direction", ""), ("", ""))
        try:
            self.request = WritingRequest(
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
        except WriterError as error:
            self.add_error(None, str(error))
        return values
