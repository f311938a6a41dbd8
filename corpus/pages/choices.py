"""What a choice field of a form offers, where that depends on a study."""

from collections.abc import Iterable

from django import forms


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, str]]) -> None:
    """Let a choice field offer values with their labels."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)  # noqa: S101
    field.choices = list(choices)
