"""Requests with characters that no database keeps are refused before any view sees them."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string

from corpus.storage.storable import NUL, unstorable, unstorable_field

REASON = "{} has {}, which cannot be stored. Nothing was changed. {}"


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
