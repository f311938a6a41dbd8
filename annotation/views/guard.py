"""The one guard between annotators and rating pages, and the language of these pages.

A browser that was opened with a link keeps a signed cookie: for which annotators, and by which
link. What the database says of this link holds for every request, which therefore needs neither
a stored session nor a query more.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.conf import settings
from django.core import signing
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache

from annotation.models import Annotator, Campaign
from annotation.protocols.language import language_of
from annotation.statements import find_annotator
from corpus.access.invitations import token_sha256


@contextmanager
def in_language(request: HttpRequest, code: str) -> Iterator[None]:
    """Speak a language while a page is made, and where something fails, about the failure too."""
    request.language = code  # type: ignore[attr-defined]
    with translation.override(code):
        yield


def language_of_annotator(request: HttpRequest, public_id: uuid.UUID) -> str:
    """Return the language of who may not be let in any more."""
    return _language(request, Q(annotators__public_id=public_id))


def language_of_token(request: HttpRequest, token: str) -> str:
    """Return the language of a link, which may have ended."""
    sha256 = token_sha256(token)
    return _language(
        request,
        Q(annotators__token_sha256=sha256) | Q(set__participants__token_sha256=sha256),
    )


def language_of_code(request: HttpRequest, code: str) -> str:
    """Return the language of a campaign or set that people join by a code."""
    return _language(request, Q(invite_code=code) | Q(set__invite_code=code))


def _language(request: HttpRequest, condition: Q) -> str:
    """Return the language of the first campaign; the browser's where there is none to ask."""
    found = Campaign.objects.filter(condition).order_by("position", "pk").values("config").first()
    if found is None:
        return translation.get_language_from_request(request)
    return language_of(found["config"])


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
