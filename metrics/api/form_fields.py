"""Fields of the API that are those of a form, declared there once."""

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from django import forms
from rest_framework import serializers

LARGEST_NUMBER = 2**31 - 1


class FormSerializer(serializers.Serializer[Any]):
    """Takes some fields of a form, and those that a subclass declares."""

    form: ClassVar[type[forms.Form]]
    names: ClassVar[Sequence[str]]

    def get_fields(self) -> dict[str, Any]:
        """Return the form's fields, then the others."""
        declared = self.form.base_fields
        return {name: api_field(declared[name]) for name in self.names} | super().get_fields()


def api_field(field: forms.Field) -> Any:
    """Return a field that takes what one of a form takes."""
    common: dict[str, Any] = {"help_text": field.help_text or field.label or None}
    if field.initial is not None and not isinstance(field, forms.BooleanField):
        common["default"] = field.initial
    elif not field.required:
        common["required"] = False
    if isinstance(field, forms.BooleanField):
        return serializers.BooleanField(default=False, help_text=common["help_text"])
    if isinstance(field, forms.ChoiceField):
        return serializers.ChoiceField(
            choices=[value for value, _ in cast(Any, field).choices], **common
        )
    if isinstance(field, forms.IntegerField):
        limits: dict[str, Any] = {"min_value": field.min_value, "max_value": field.max_value}
        if isinstance(field, forms.FloatField):
            return serializers.FloatField(**limits, **common)
        limits["max_value"] = limits["max_value"] or LARGEST_NUMBER
        return serializers.IntegerField(**limits, **common)
    if isinstance(field, forms.FileField):
        return serializers.FileField(**common)
    assert isinstance(field, forms.CharField)  # noqa: S101  (no form has other fields)
    return serializers.CharField(max_length=field.max_length or 200, **common)
