"""The one guard between annotators and rating pages.

A browser that was opened with a link keeps a signed cookie: for which annotators, and by which
link. What the database says of this link holds for every request, which therefore needs neither
a stored session nor a query more.
"""

import uuid
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from annotation.models import Annotator
from annotation.protocols.language import language_of
from annotation.statements import find_annotator
from annotation.views.language import in_language, language_of_annotator

COOKIE = "rating"
SALT = "annotation.views.guard"
SECONDS_KEPT = 90 * 24 * 3600
MOST_KEPT = 60
View = Callable[..., HttpResponse]


def remember(
    request: HttpRequest, response: HttpResponse, annotators: Iterable[Annotator], mark: str
) -> None:
    """Let this browser rate as annotators, as long as the link with this mark works."""
    opened = dict.fromkeys((each.public_id.hex for each in annotators if each.public_id), mark)
    others = {who: by for who, by in marks(request).items() if who not in opened}
    kept = dict([*others.items(), *opened.items()][-MOST_KEPT:])
    response.set_cookie(
        COOKIE,
        signing.dumps(kept, salt=SALT, compress=True),
        max_age=SECONDS_KEPT,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def marks(request: HttpRequest) -> dict[str, str]:
    """Return which annotators this browser was opened for, each with the mark of the link."""
    try:
        kept: dict[str, str] = signing.loads(
            request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=SECONDS_KEPT
        )
    except signing.BadSignature:
        return {}
    return kept


def annotator_view(view: View) -> View:
    """Turn a view of (request, annotator) into one of (request, annotator's public id)."""

    @never_cache
    @wraps(view)
    def guarded(
        request: HttpRequest, annotator_id: uuid.UUID, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        mark = marks(request).get(annotator_id.hex)
        annotator = find_annotator(annotator_id, mark) if mark else None
        if annotator is None:
            with in_language(request, language_of_annotator(request, annotator_id)):
                return render(request, "annotation/no_entry.html", status=403)
        with in_language(request, language_of(annotator.campaign.config)):
            try:
                return view(request, annotator, *args, **kwargs)
            except Http404:
                context = {"annotator": annotator, "campaign": annotator.campaign}
                return render(request, "annotation/not_found.html", context, status=404)

    return guarded
