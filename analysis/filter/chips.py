"""The conditions of a filter that are in force, each with the address without it."""

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from django.forms import BoundField

from analysis.filter.form import FilterForm


@dataclass(frozen=True)
class Chip:
    """A condition in words, and the query string of the page without it."""

    label: str
    words: str
    query: str


def chips(form: FilterForm) -> list[Chip]:
    """Return the conditions that no field in the open shows."""
    open_fields = {field.name for field in form.usual()}
    return [
        Chip(str(form[name].label), _words(form[name], value), urlencode(rest, doseq=True))
        for name in form.fields
        if name not in open_fields
        for value, rest in _without_each(form, name)
    ]


def _without_each(form: FilterForm, name: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    values = [value for value in form.given.get(name, []) if value]
    for value in values:
        yield value, form.given | {name: [other for other in values if other != value]}


def _words(field: BoundField, value: str) -> str:
    """Return a value as its list of choices names it."""
    choices = getattr(field.field, "choices", ())
    return str(next((words for known, words in choices if str(known) == value), value))
