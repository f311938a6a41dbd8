"""What a page answers when other transactions were in the way of a change each time."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation

from corpus.storage.write_turn import lost_to_others

SECONDS = 2


class BusyMiddleware:
    """Turn what was lost to other transactions into words, with status 503."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Leave the request alone."""
        return self.get_response(request)

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
