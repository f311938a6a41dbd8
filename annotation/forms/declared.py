"""Fields as `fields.toml` declares them: kind, words and limits; a form adds the values."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django import forms

Fields = dict[str, forms.Field]
LONGEST_TEXT = 50_000
_DECLARED: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    Path(__file__).with_name("fields.toml").read_text(encoding="utf-8")
)


class _Number(forms.NumberInput):
    """A number that a browser lets be empty."""

    def use_required_attribute(self, initial: Any) -> bool:
        """Never: which of three numbers may be empty is for their owner to say."""
        return False


class OneOfThree(forms.IntegerField):
    """One of three numbers of which two are wanted, so that none is called optional."""

    widget = _Number

    def clean(self, value: Any) -> int | None:
        """Return the number; None where it is empty."""
        return None if value in self.empty_values else super().clean(value)


def _boxes(**given: Any) -> forms.Field:
    """Return several boxes, of which one at least is ticked where that is required."""
    return forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one."},
        **({"required": True} | given),
    )


_KINDS: Mapping[str, Callable[..., forms.Field]] = {
    "box": lambda **given: forms.BooleanField(required=False, **given),
    "boxes": _boxes,
    "choice": lambda **given: forms.ChoiceField(**({"required": False} | given)),
    "long": lambda rows, **given: long_text(rows, **given),
    "number": lambda **given: forms.FloatField(required=False, **given),
    "one_of_three": OneOfThree,
    "radio": lambda **given: forms.ChoiceField(widget=forms.RadioSelect, **given),
    "whole": lambda **given: forms.IntegerField(**({"required": False} | given)),
}
_NAMES = {"help": "help_text", "min": "min_value", "max": "max_value"}


def field(
    name: str,
    initial: Any = None,
    choices: Sequence[tuple[str, str]] | None = None,
    **words: str,
) -> forms.Field:
    """Return a declared field with its value, its choices, and what is put into its help."""
    given = {_NAMES.get(key, key): value for key, value in _DECLARED[name].items()}
    kind = given.pop("kind")
    if words:
        given["help_text"] = given["help_text"].format(**words)
    if choices is not None:
        given["choices"] = choices
    return _KINDS[kind](initial=bool(initial) if kind == "box" else initial, **given)


def fields(**initial: Any) -> Fields:
    """Return declared fields that need nothing but their values."""
    return {name: field(name, value) for name, value in initial.items()}


def long_text(rows: int, **given: Any) -> forms.CharField:
    """Return a field for a long text that may be empty."""
    return forms.CharField(
        required=False,
        max_length=LONGEST_TEXT,
        widget=forms.Textarea(attrs={"rows": rows}),
        **given,
    )
