"""Forms of the systems page."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.datastructures import MultiValueDict

from corpus.imports.options import ImportOptions, OptionsError
from corpus.models import System
from corpus.studies.system_attributes import Attributes

LONGEST_ATTRIBUTE = 200
HUMAN_CHOICES = {"": None, "yes": True, "no": False}


class PatternForm(forms.Form):
    """How attributes stand in the names of systems."""

    pattern = forms.CharField(
        label="Pattern of names",
        max_length=200,
        help_text="Attributes in the order of the name, such as {model}-{parameter}-{value}.",
    )

    def clean_pattern(self) -> str:
        """Check the pattern as an import does."""
        pattern: str = self.cleaned_data["pattern"]
        try:
            ImportOptions(system_pattern=pattern)
        except OptionsError as error:
            raise forms.ValidationError(str(error)) from None
        return pattern


class NewAttributeForm(forms.Form):
    """A further attribute of systems."""

    name = forms.CharField(
        label="Another attribute",
        max_length=50,
        help_text="Adds a column for another attribute of systems, such as size or year.",
    )

    def clean_name(self) -> str:
        """Refuse what has a column of its own."""
        name: str = self.cleaned_data["name"]
        if name in ("human", "system"):
            raise forms.ValidationError(f"A column for {name!r} already exists.")
        return name


class SystemsForm:
    """The editable table of systems: per system one list of values, in the order of the names.

    Parameters
    ----------
    systems
        What the table shows.
    data
        What was sent: ``attribute`` (the names, once each), and per primary key ``human-…`` and
        ``values-…``. A system that was not sent stays as it is.
    """

    def __init__(self, systems: Sequence[System], data: MultiValueDict[str, str]) -> None:
        self.errors: list[str] = []
        self.wanted: dict[int, Attributes] = {}
        self.names = [name.strip() for name in data.getlist("attribute")]
        if len(set(self.names)) < len(self.names) or {"human", ""} & set(self.names):
            self.errors.append("Each attribute must have a name of its own.")
            return
        for system in systems:
            if f"human-{system.pk}" not in data:
                continue
            values = data.getlist(f"values-{system.pk}")
            if len(values) != len(self.names):
                self.errors.append(
                    "The table arrived incomplete. Nothing was saved: correct it and save again."
                )
                return
            texts = dict(zip(self.names, values, strict=True))
            self.wanted[system.pk] = {
                **self._attributes(system, texts),
                "human": self._human(system, data.get(f"human-{system.pk}", "")),
            }

    def is_valid(self) -> bool:
        """Whether everything that was sent can be stored."""
        return not self.errors

    def _attributes(self, system: System, texts: Mapping[str, str]) -> dict[str, Any]:
        result: dict[str, Any] = {}
        for name, text in texts.items():
            text = text.strip()
            if len(text) > LONGEST_ATTRIBUTE or "\0" in text:
                self.errors.append(
                    f"{system.name}: {name} has {len(text)} characters; expected at most "
                    f"{LONGEST_ATTRIBUTE}, none of them NUL."
                )
            stored = system.attributes.get(name)
            # A number that was not touched stays a number.
            result[name] = stored if stored is not None and text == str(stored) else text
        return result

    def _human(self, system: System, choice: str) -> bool | None:
        if choice not in HUMAN_CHOICES:
            self.errors.append(f"{system.name}: human is {choice!r}; expected yes, no or nothing.")
        return HUMAN_CHOICES.get(choice)
