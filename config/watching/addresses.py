"""The addresses that machines ask, answered before any other middleware.

A load balancer asks by an address of the machine and without HTTPS, so neither the check of host
names nor the redirect to HTTPS may come first. They need no session and set no cookie.
"""

import ipaddress
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.crypto import constant_time_compare

from config.health.serving import SERVING, missing, readiness

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
