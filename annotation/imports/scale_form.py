"""The form in which an owner says on which scale aspects were rated."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.forms import BoundField

from annotation.imports.declared_scales import Ends


class ScaleForm(forms.Form):
    """Lowest and highest score of each aspect without a scale; an aspect may be left empty."""

    def __init__(self, aspects: Mapping[str, Ends], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.aspects = aspects
        for aspect, (least, most) in aspects.items():
            rated = f"Ratings go from {least:g} to {most:g}."
            for end, words, help_text in (("low", "lowest", rated), ("high", "highest", "")):
                self.fields[f"{end}:{aspect}"] = forms.FloatField(
                    label=f"{aspect}: {words} score", required=False, help_text=help_text
                )

    @property
    def rows(self) -> list[tuple[str, BoundField, BoundField]]:
        """Each aspect with its two fields."""
        return [(each, self[f"low:{each}"], self[f"high:{each}"]) for each in self.aspects]

    def clean(self) -> dict[str, Any]:
        """Refuse a scale with one end."""
        for aspect in self.aspects:
            low, high = (self.cleaned_data.get(f"{end}:{aspect}") for end in ("low", "high"))
            if (low is None) != (high is None) and not self.has_error(f"low:{aspect}"):
                self.add_error(f"low:{aspect}", "Write both ends of the scale, or neither.")
        return self.cleaned_data

    @property
    def scales(self) -> dict[str, Ends]:
        """What was said, by aspect."""
        given = {
            aspect: (self.cleaned_data[f"low:{aspect}"], self.cleaned_data[f"high:{aspect}"])
            for aspect in self.aspects
        }
        return {aspect: ends for aspect, ends in given.items() if ends[0] is not None}
