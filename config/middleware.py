"""What every request and answer of the site is held to."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from corpus.storage.storable import NUL, unstorable, unstorable_field
from corpus.storage.write_turn import lost_to_others

CHUNK = 1 << 20
NO_LENGTH = "The request came in chunks and did not state its size. Send it with a Content-Length."
COMPRESS = (
    "Compress tables with gzip, send one zip, or send the files in several imports. Who runs the "
    "site can raise the limit (UPLOAD_LIMIT_MB) or import a folder with manage.py import_study."
)
REASON = "{} has {}, which cannot be stored. Nothing was changed. {}"
PRIVATE = "private, no-store"
SECONDS = 2


class BodyLimitMiddleware(MiddlewareMixin):
    """Refuse bodies that are too large for who sends them and where, or of no stated size.

    Visitors and annotators may send ``ANONYMOUS_LIMIT_BYTES``; who is signed in, as much as a form
    may hold (``DATA_UPLOAD_MAX_MEMORY_SIZE``); to views that say ``takes_files``,
    ``UPLOAD_LIMIT_BYTES`` besides. A new address is therefore limited unless it says so.
    """

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
    from config.accounts.tokens import is_let_in

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


class StorableRequestsMiddleware:
    """Answer 400 to NUL and halves of surrogate pairs in addresses, headers, cookies and forms.

    It stands behind the check of the CSRF token, which reads forms. Bodies of the API are read by
    its own parsers (`corpus.api.bodies`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Look at the address, the headers and the cookies."""
        query = request.META.get("QUERY_STRING", "")
        if "%00" in query or "\0" in query or "\0" in request.path_info:
            return _refusal(request, "The address", NUL, "Check the address.")
        sent = [value for name, value in request.META.items() if name.startswith("HTTP_")]
        # Only a quoted cookie can hide a character, behind a backslash.
        if "\\" in request.META.get("HTTP_COOKIE", ""):
            sent += request.COOKIES.values()
        if fault := unstorable("".join(sent)):
            return _refusal(request, "A header or cookie", fault, "Delete this site's cookies.")
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Look at a form, unless the view reads the body in its own way."""
        if request.method != "POST" or getattr(view, "csrf_exempt", False):
            return None
        name, fault = unstorable_field(request.POST, request.FILES)
        advice = "Go back, remove it, and send the form again."
        return _refusal(request, f"The field {name}", fault, advice) if fault else None


def _refusal(request: HttpRequest, where: str, fault: str, advice: str) -> HttpResponse:
    """Say it in the shape of the API, for the script of a page, or on a page."""
    reason = REASON.format(where, fault, advice)
    if request.path_info.startswith("/api/"):
        return JsonResponse({"detail": reason, "problems": []}, status=400)
    if request.headers.get("X-Requested-With") == "fetch":
        return HttpResponse(reason, status=400, content_type="text/plain; charset=utf-8")
    # Without a request: nobody is known yet.
    return HttpResponse(render_to_string("400.html", {"reason": reason}), status=400)


class ContentPolicyMiddleware:
    """Send the one policy of the site, unless a view has sent another.

    What somebody is shown who signed in, or came with a token, is kept by no cache and by no
    browser: on a shared machine the button Back shows nothing after signing out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Add the headers."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        if settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers:
            response.headers.setdefault("Cache-Control", PRIVATE)
        return response


class BusyMiddleware(MiddlewareMixin):
    """Turn what was lost to other transactions into words, with status 503."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer for a view that met deadlocks or a locked database to the last try."""
        if not lost_to_others(exception):
            return None
        response: HttpResponse
        if request.path.startswith("/api/"):
            words = "The server is busy; nothing was stored. Send the request again."
            response = JsonResponse({"detail": words}, status=503)
        else:
            with translation.override(getattr(request, "language", settings.LANGUAGE_CODE)):
                response = render(request, "503.html", status=503)
        response["Retry-After"] = str(SECONDS)
        return response
