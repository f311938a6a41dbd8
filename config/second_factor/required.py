"""Who must have a second factor, and may do nothing else before."""

import re
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils.deprecation import MiddlewareMixin

from config.open_id import backend
from config.second_factor.waiting import has_second_factor

FREE = re.compile(r"second-factor|log(in|out)|privacy|(help|rate|join|sign-in)(-.*)?")
"""Pages that need no account, and those on which one is set up."""


def must_set_up(request: HttpRequest) -> bool:
    """Whether somebody who is signed in lacks a second factor that this site requires."""
    person = request.user
    if settings.REQUIRE_SECOND_FACTOR == "nobody" or not isinstance(person, User):
        return False
    if settings.REQUIRE_SECOND_FACTOR == "administrators" and not person.is_superuser:
        return False
    by_provider = request.session.get(BACKEND_SESSION_KEY) == backend.PATH
    return not by_provider and not has_second_factor(person)


class SecondFactorMiddleware(MiddlewareMixin):
    """Leads whoever must have a second factor to the page that sets one up."""

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Let a request through, or lead elsewhere."""
        if settings.REQUIRE_SECOND_FACTOR == "nobody":
            return None
        match = request.resolver_match
        if match is None or FREE.fullmatch(match.view_name or "") or not must_set_up(request):
            return None
        if match.route.startswith("api/"):
            words = "This site requires a second factor: set one up on the page Account."
            return JsonResponse({"detail": words}, status=403)
        return redirect("second-factor")
