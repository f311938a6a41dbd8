"""The addresses that monitors ask, and what is counted for Prometheus."""

import ipaddress
import time
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.crypto import constant_time_compare
from django.utils.deprecation import MiddlewareMixin

from annotation.rating.watched import stored
from config.health.serving import SERVING, missing, readiness
from corpus.jobs.watched import ended
from corpus.later_functions import Later

PLAIN = "text/plain; charset=utf-8"


class WatchingMiddleware:
    """Answer `/healthz`, `/readyz` and `/metrics`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or pass the request on."""
        view = _ADDRESSES.get(request.path_info)
        if view is None:
            return self.get_response(request)
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        response = view(request)
        response["Cache-Control"] = "no-store"
        response["X-Content-Type-Options"] = "nosniff"
        return response


def healthz(request: HttpRequest) -> HttpResponse:
    """Say that this process answers."""
    return HttpResponse("ok\n", content_type=PLAIN)


def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether requests should be sent here: 200 or 503, with details for who may know them."""
    found = readiness()
    lacking = missing(found)
    status = 503 if lacking else 200
    if _is_here(request) or has_token(request):
        details = {
            each.name: {
                "required": each.is_required,
                "problem": "" if found[each.name].state == "ok" else found[each.name].words,
                "figures": found[each.name].figures,
            }
            for each in SERVING
            if each.name in found
        }
        return JsonResponse({"ready": not lacking, "checks": details}, status=status)
    words = f"not ready: {', '.join(lacking)}\n" if lacking else "ok\n"
    return HttpResponse(words, status=status, content_type=PLAIN)


def metrics(request: HttpRequest) -> HttpResponse:
    """Show figures to Prometheus; without a token in the settings there is no such address."""
    if not settings.METRICS_TOKEN:
        return HttpResponse("METRICS_TOKEN is not set\n", status=404, content_type=PLAIN)
    if not has_token(request):
        refusal = HttpResponse("a token is needed\n", status=401, content_type=PLAIN)
        refusal["WWW-Authenticate"] = "Bearer"
        return refusal
    from config.watching.metrics import exposition

    return exposition()


def has_token(request: HttpRequest) -> bool:
    """Whether a request has the token of those who watch the site."""
    sent = request.META.get("HTTP_AUTHORIZATION", "")
    token = settings.METRICS_TOKEN
    return bool(token) and constant_time_compare(sent, f"Bearer {token}")


def _is_here(request: HttpRequest) -> bool:
    """Whether a program of this machine asks, and for nobody else."""
    if "HTTP_X_FORWARDED_FOR" in request.META or "HTTP_FORWARDED" in request.META:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


_ADDRESSES = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics}


class CountingMiddleware:
    """Count each request and its time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        from config.watching.metrics import count_request

        self.get_response, self.count = get_response, count_request

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and count."""
        begun = time.perf_counter()
        response = self.get_response(request)
        self.count(request, response.status_code, time.perf_counter() - begun)
        return response


class DatabaseErrorMiddleware(MiddlewareMixin):
    """Count what the database refused; the last middleware, so that no other has answered it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        super().__init__(get_response)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Count, and leave the answer to others."""
        if isinstance(exception, DatabaseError):
            from config.watching.metrics import count_database_error

            count_database_error(exception)


def count_jobs() -> None:
    """Let workers count their jobs."""
    if settings.METRICS_TOKEN:
        ended.append(Later("config.watching.metrics", "count_job"))


def count_submissions() -> None:
    """Let rating pages count what they store."""
    if settings.METRICS_TOKEN:
        stored.append(Later("config.watching.metrics", "count_submission"))


def begin_anew() -> None:
    """Remove what processes of an earlier start have counted: Prometheus expects it to restart."""
    for file in settings.METRICS_DIR.glob("*_*.db"):
        file.unlink(missing_ok=True)
