"""What pages have in common: who asks, what one of a study needs, the answer with a form."""

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from corpus.models import Study


def actor(request: HttpRequest) -> User:
    """Return who asks; the guard has seen to it that somebody does."""
    return cast(User, request.user)


def study_frame(study: Study, tab: str, heading: str) -> dict[str, Any]:
    """Return what every page of a study needs: its place among the others, and its heading."""
    return {"study": study, "tab": tab, "heading": heading}


def page_with_form(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Render a page; its `form` says by the status that it has errors, or met another edit."""
    form = context.get("form")
    status = 400 if form is not None and form.errors else 200
    status = 409 if getattr(form, "met", None) else status
    return render(request, template, dict(context), status=status)
