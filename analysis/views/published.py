"""The page of a publication, for anybody who has its address, and its files."""

from typing import TypeVar

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from analysis.models import Publication
from analysis.publishing.public_page import DOWNLOADS, file_of, page_context, zip_path
from corpus.access.log import client_address
from corpus.access.rate_limits import in_words, take

R = TypeVar("R", bound=HttpResponseBase)


@require_http_methods(["GET", "HEAD"])
@never_cache
def published(request: HttpRequest, address: str) -> HttpResponse:
    """Show a publication to whoever has its address."""
    made = _open(address)
    return _private(render(request, "analysis/published.html", page_context(made)), made)


@require_safe
def published_file(request: HttpRequest, address: str, file: str) -> HttpResponseBase:
    """Send one file of a publication."""
    made = _open(address)
    if (refused := _too_many(request)) is not None:
        return refused
    content = file_of(made, file)
    if content is None:
        raise Http404(f"no file {file!r} in this publication")
    name = file.rpartition("/")[2]
    return _private(FileResponse(content, as_attachment=True, filename=name), made)


@require_safe
def published_zip(request: HttpRequest, address: str) -> HttpResponseBase:
    """Send the zip of a publication, unless its page leaves texts out."""
    made = _open(address)
    if not made.with_texts:
        raise Http404("this publication has no zip")
    if (refused := _too_many(request)) is not None:
        return refused
    try:
        file = zip_path(made).open("rb")
    except FileNotFoundError:
        raise Http404("this publication has no zip") from None
    slug = made.record["content"]["slug"]
    return _private(FileResponse(file, as_attachment=True, filename=f"{slug}.zip"), made)


def _open(address: str) -> Publication:
    """Return the publication with a page at an address, unless its study is to be deleted."""
    return get_object_or_404(Publication, address=address, study__deletion_asked_at=None)


def _too_many(request: HttpRequest) -> HttpResponse | None:
    wait = take((DOWNLOADS, f"publications for {client_address(request)}"))
    if not wait:
        return None
    words = f"Too many downloads. Please try again in {in_words(wait)}.\n"
    reply = HttpResponse(words, status=429, content_type="text/plain; charset=utf-8")
    reply["Retry-After"] = str(int(wait) + 1)
    return reply


def _private(reply: R, made: Publication) -> R:
    """Keep an address from being passed on, and from search engines unless they are welcome."""
    reply["Referrer-Policy"] = "no-referrer"
    if not made.may_be_indexed:
        reply["X-Robots-Tag"] = "noindex"
    return reply
