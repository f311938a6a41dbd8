"""In which language a page for annotators is written: that of their campaign."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Q
from django.http import HttpRequest
from django.utils import translation

from annotation.models import Campaign
from annotation.protocols.language import language_of
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
