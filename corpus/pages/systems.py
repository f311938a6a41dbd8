"""The systems of a study: the list, and the forms that change them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.datastructures import MultiValueDict
from django.views.decorators.http import require_http_methods

from corpus.access.guard import may_change, study_view
from corpus.imports.options import ImportOptions, OptionsError
from corpus.models import Study, System
from corpus.pages.frame import actor, study_frame
from corpus.studies.system_attributes import (
    Attributes,
    attribute_names,
    change_attributes,
    read_names,
)

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


@require_http_methods(["GET", "HEAD", "POST"])
@study_view
def systems(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the systems; to owners as a form, filled from a pattern of names on request."""
    owned = may_change(request.user, study)
    listed = list(study.systems.filter(kind=System.Kind.SYSTEM))
    if request.method == "POST":
        if not owned:
            raise PermissionDenied("only an owner of this study may do this")
        return _save(request, study, listed)
    context = study_frame(study, "study-systems", "Systems") | {"owned": owned}
    changes: Mapping[int, Mapping[str, Any]] = {}
    further: list[str] = []
    if owned:
        context["pattern"] = pattern = PatternForm(
            request.GET if "pattern" in request.GET else None
        )
        context["added"] = added = NewAttributeForm(request.GET if "name" in request.GET else None)
        if pattern.is_valid():
            found = read_names(listed, pattern.cleaned_data["pattern"])
            context["found"] = found
            changes, further = found.attributes, found.names
        if added.is_valid():
            further = [*further, added.cleaned_data["name"]]
    names = attribute_names(listed, further)
    context |= {"names": names, "rows": _rows(listed, names, changes)}
    return render(request, "corpus/systems.html", context)


def _save(request: HttpRequest, study: Study, listed: Sequence[System]) -> HttpResponse:
    form = SystemsForm(listed, request.POST)
    if form.is_valid():
        changed = change_attributes(study, form.wanted, actor(request))
        messages.success(request, _changed_words(changed))
        return redirect("study-systems", study.slug)
    names = attribute_names(listed, form.names)
    context = study_frame(study, "study-systems", "Systems") | {
        "owned": True,
        "pattern": PatternForm(),
        "added": NewAttributeForm(),
        "errors": form.errors,
        "names": names,
        "rows": _rows(listed, names, form.wanted),
    }
    return render(request, "corpus/systems.html", context, status=400)


def _rows(
    listed: Sequence[System], names: Sequence[str], changes: Mapping[int, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Return what the table shows: stored attributes with those that are about to change."""
    rows = []
    for system in listed:
        shown = {**system.attributes, **changes.get(system.pk, {})}
        cells = [
            {
                "name": name,
                "value": shown.get(name) if shown.get(name) is not None else "",
                "changed": shown.get(name) not in (system.attributes.get(name), ""),
            }
            for name in names
        ]
        human = {True: "yes", False: "no"}.get(shown.get("human", ""), "")
        rows.append({"system": system, "human": human, "cells": cells})
    return rows


def _changed_words(changed: Sequence[str]) -> str:
    if not changed:
        return "Nothing had changed."
    if len(changed) > 5:
        return f"{len(changed)} systems were changed."
    return f"Changed: {', '.join(changed)}."
