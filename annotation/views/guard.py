"""The one guard between annotators and rating pages."""

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from annotation.models import Annotator
from annotation.statements import find_annotator

SESSION_KEY = "annotators"
MOST_KEPT = 60
View = Callable[..., HttpResponse]


def remember(request: HttpRequest, annotator: Annotator) -> None:
    """Let this browser rate as an annotator; it may do so in several campaigns."""
    own = str(annotator.public_id)
    others = [each for each in request.session.get(SESSION_KEY, []) if each != own]
    request.session[SESSION_KEY] = [*others, own][-MOST_KEPT:]


def annotator_view(view: View) -> View:
    """Turn a view of (request, annotator) into one of (request, annotator's public id)."""

    @never_cache
    @wraps(view)
    def guarded(
        request: HttpRequest, annotator_id: uuid.UUID, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        annotator = None
        if str(annotator_id) in request.session.get(SESSION_KEY, []):
            annotator = find_annotator(annotator_id)
        if annotator is None:
            return render(request, "annotation/no_entry.html", status=403)
        try:
            return view(request, annotator, *args, **kwargs)
        except Http404:
            context = {"annotator": annotator, "campaign": annotator.campaign}
            return render(request, "annotation/not_found.html", context, status=404)

    return guarded
