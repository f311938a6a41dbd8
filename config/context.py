"""What every page needs to know about the site."""

from functools import cache, partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from config.help.topics import topic_address
from corpus.models import Job


def site(request: HttpRequest) -> dict[str, Any]:
    """Return the version, the help, the study that is shown, and how many jobs are active."""
    match = request.resolver_match
    shown = match.url_name if match else None
    in_study = match and match.route.startswith("studies/<slug:slug>/")
    return {
        "version": settings.VERSION,
        "help_address": reverse("help") + topic_address(shown),
        "search_study": match.kwargs["slug"] if match and in_study else "",
        # A template calls it, and has a number, which `pluralize` needs.
        "own_jobs": cache(partial(_own_jobs, request)),
    }


def _own_jobs(request: HttpRequest) -> int:
    return Job.objects.active().filter(created_by=request.user.pk).count()
