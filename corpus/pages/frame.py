"""What pages have in common: who asks, what one of a study needs, the answer with a form."""

from collections.abc import Mapping
from typing import Any, cast

from django.contrib.auth.models import User
from django.forms import BaseForm
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
    """Render a page; the status says that a form of its has errors, or met another edit."""
    forms = [each for each in context.values() if isinstance(each, BaseForm)]
    status = 400 if any(each.errors for each in forms) else 200
    status = 409 if any(getattr(each, "met", None) for each in forms) else status
    return render(request, template, dict(context), status=status)
