"""The largest body of a request, on every address, held before any of it is read."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat

CHUNK = 1 << 20
NO_LENGTH = "The request came in chunks and did not state its size. Send it with a Content-Length."
COMPRESS = (
    "Compress tables with gzip, send one zip, or send the files in several imports. Who runs the "
    "site can raise the limit (UPLOAD_LIMIT_MB) or import a folder with manage.py import_study."
)


class BodyLimitMiddleware:
    """Refuse bodies that are too large for who sends them and where, or of no stated size.

    Visitors and annotators may send ``ANONYMOUS_LIMIT_BYTES``; who is signed in, as much as a form
    may hold (``DATA_UPLOAD_MAX_MEMORY_SIZE``); to views that say ``takes_files``,
    ``UPLOAD_LIMIT_BYTES`` besides. A new address is therefore limited unless it says so.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on: what it may send depends on the view."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Answer 413 to a body that is too large, and 411 to one of unknown size."""
        if "HTTP_TRANSFER_ENCODING" in request.META:
            return _too_large(request, view, 411, NO_LENGTH, "")
        length = request.META.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isdecimal() else 0
        if size <= settings.ANONYMOUS_LIMIT_BYTES:
            return None
        signed_in = _is_signed_in(request, view)
        limit, most, advice = _limit(view, signed_in)
        if size <= most:
            return None
        if signed_in:
            # A browser shows no answer before it has sent everything.
            while request.read(CHUNK):
                pass
        reason = f"You sent {filesizeformat(size)}; {limit}. Nothing was kept."
        return _too_large(request, view, 413, reason, advice)


def _limit(view: Any, signed_in: bool) -> tuple[str, int, str]:
    """Return the limit in words, in bytes, and what to do about it."""
    if not signed_in:
        most = settings.ANONYMOUS_LIMIT_BYTES
        words = f"this site takes up to {filesizeformat(most)} at once without signing in"
        return words, most, "Sign in to send more."
    fields = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    if not _of_view(view, "takes_files"):
        words = f"this address takes up to {filesizeformat(fields)} at once"
        return words, fields, "Files go to the pages that ask for files."
    words = f"this site takes up to {filesizeformat(settings.UPLOAD_LIMIT_BYTES)} at once"
    return words, settings.UPLOAD_LIMIT_BYTES + fields, COMPRESS


def _of_view(view: Any, name: str) -> Any:
    """Return what a view, or the class that it was made of, says of itself."""
    return getattr(view, name, None) or getattr(getattr(view, "cls", None), name, None)


def _is_signed_in(request: HttpRequest, view: Any) -> bool:
    """Tell by session or, for a view of the API, by what else it accepts, such as a token."""
    if request.user.is_authenticated:
        return True
    accepted = _of_view(view, "authentication_classes")
    if not accepted:
        return False
    # Only here: the view has brought REST framework, other requests do without.
    from config.accounts.token_authentication import is_let_in

    return is_let_in(request, accepted)


def _too_large(
    request: HttpRequest, view: Any, status: int, reason: str, advice: str
) -> HttpResponse:
    """Say it in the shape of the API or on a page."""
    if _of_view(view, "authentication_classes") is not None:
        detail = " ".join(filter(None, (reason, advice)))
        return JsonResponse({"detail": detail, "problems": []}, status=status)
    context = {"reason": reason, "advice": advice}
    return render(request, "too_large.html", context, status=status)
