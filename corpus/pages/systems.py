"""The systems of a study and what is declared of them."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.access.guard import may_change, study_view
from corpus.models import Study, System
from corpus.pages.system_forms import NewAttributeForm, PatternForm, SystemsForm
from corpus.studies.system_attributes import attribute_names, change_attributes, read_names

PAGE = {"heading": "Systems", "tab": "study-systems"}


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
    context: dict[str, Any] = {"study": study, "owned": owned} | PAGE
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
        changed = change_attributes(study, form.wanted, cast(User, request.user))
        messages.success(request, _changed_words(changed))
        return redirect("study-systems", study.slug)
    names = attribute_names(listed, form.names)
    context = {
        "study": study,
        "owned": True,
        **PAGE,
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
