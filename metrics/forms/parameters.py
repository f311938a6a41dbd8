"""Fields of what declares its parameters: metrics, writers, kinds of models."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django import forms

from metrics.scorers.spec import Parameter, ParameterError
from metrics.styles.labelled import TrainingError
from metrics.writers.writer import WriterError

Read = TypeVar("Read")


class ParametersForm(forms.Form):
    """A form whose fields of parameters are called ``<owner>:<parameter>``."""

    def add_parameters(
        self, owner: str, parameters: Iterable[Parameter], language: str = ""
    ) -> None:
        """Add the fields of an owner's parameters."""
        for parameter in parameters:
            self.fields[f"{owner}:{parameter.name}"] = parameter_field(parameter, language)

    def fields_of(self, owner: str) -> list[forms.BoundField]:
        """Return the fields of an owner."""
        return [self[name] for name in self.fields if name.startswith(f"{owner}:")]

    def given_to(self, owner: str) -> dict[str, Any]:
        """Return the values of an owner's fields, without those that were left empty."""
        return {
            name.removeprefix(f"{owner}:"): value
            for name, value in self.cleaned_data.items()
            if name.startswith(f"{owner}:") and value not in ("", None)
        }

    def checked(self, read: Callable[[], Read], owner: str = "") -> Read | None:
        """Return what is read; what is wrong with it is an error of its field, or of the form."""
        try:
            return read()
        except ParameterError as error:
            name = f"{owner}:" * bool(owner) + str(error).partition(":")[0]
            self.add_error(name if name in self.fields else None, str(error))
        except (TrainingError, WriterError) as error:
            self.add_error(None, str(error))
        return None

    @property
    def general(self) -> list[forms.BoundField]:
        """Fields that belong to no owner."""
        return [self[name] for name in self.fields if ":" not in name]


def parameter_field(parameter: Parameter, language: str = "") -> forms.Field:
    """Make the field of a parameter; the parameter itself says what it takes."""
    common: dict[str, Any] = {
        "required": False,
        "initial": parameter.usual(language),
        "label": parameter.name.replace("_", " "),
        "help_text": parameter.help,
    }
    if isinstance(parameter.default, bool):
        return forms.BooleanField(**common)
    if parameter.offered:
        choices = [(each, each or "none chosen") for each in parameter.offered]
        return forms.ChoiceField(choices=choices, **common)
    if isinstance(parameter.default, str):
        if "\n" in parameter.default:
            return forms.CharField(strip=False, widget=forms.Textarea, **common)
        return forms.CharField(**common)
    attributes = {"step": "1" if isinstance(parameter.default, int) else "any"}
    limits = {"min": parameter.minimum, "max": parameter.maximum}
    attributes |= {name: str(limit) for name, limit in limits.items() if limit is not None}
    return forms.CharField(widget=forms.NumberInput(attrs=attributes), **common)
