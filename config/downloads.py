"""Lines of the log for everything that leaves the site by a request."""

import math
import time
from collections.abc import Callable
from datetime import timedelta
from threading import Lock

from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import ResolverMatch
from django.utils import timezone

from corpus.access.log import Action, log_access, network_mark
from corpus.models import AccessEntry, Job, Study

SHOWN = frozenset(("text/html", "application/json", "image/svg+xml", "text/plain"))
"""Kinds of content that pages show, unless they come as a file to be saved."""
HELP = frozenset(("help", "help-page", "help-search", "help-file"))
API = "api-"
NO_DATA = frozenset(("api-root", "api-docs", "api-schema", "api-job", "api-metrics", "api-studies"))
"""Addresses of the API that hand nothing of a study out but its name."""
NAMING = ("kind", "name", "file_format", "file", "pk")
"""Parts of an address that say what a file is; others may be secrets or names of people."""
SECONDS_OF_ONE_READING = 3600
MOST_READINGS = 10_000

_readings: dict[tuple[object, ...], float] = {}
_changing = Lock()


class DownloadsMiddleware:
    """Log what a request takes out of the site."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer; before anything is sent, the line is written."""
        response = self.get_response(request)
        match = request.resolver_match
        if match and (action := action_of(request, match, response)):
            _log(action, request, match, response)
        return response


def action_of(
    request: HttpRequest, match: ResolverMatch, response: HttpResponseBase
) -> Action | None:
    """Return how an answer takes data out of the site, None if it does not."""
    name = match.view_name
    if request.method == "HEAD" or response.status_code not in (200, 206) or name in HELP:
        return None
    if is_file(response):
        return Action.DOWNLOADED
    if name.startswith(API) and name not in NO_DATA and request.method == "GET":
        return Action.READ
    return None


def is_file(response: HttpResponseBase) -> bool:
    """Whether an answer is to be saved, rather than shown."""
    if response.get("Content-Disposition", "").startswith("attachment"):
        return True
    return response.get("Content-Type", "").partition(";")[0].strip() not in SHOWN


def _log(
    action: Action, request: HttpRequest, match: ResolverMatch, response: HttpResponseBase
) -> None:
    person = request.user if request.user.is_authenticated else None
    words = " ".join(
        [match.view_name.removeprefix(API).replace("-", " ")]
        + [str(match.kwargs[part]) for part in NAMING if part in match.kwargs]
    )
    study = _study_of(match)
    # A table is read in hundreds of pages, and a published one by many strangers.
    if action == Action.READ or person is None:
        by = person.pk if person else network_mark(request)
        # The address itself: another study's table is another reading.
        reading = (by, action, match.view_name, *map(str, match.kwargs.values()))
        # Addresses of strangers hold secrets, which no line has.
        lines = AccessEntry.objects.filter(action=action, detail=words, person=person, study=study)
        if _was_read(reading, lines if person and study else None):
            return
    length = response.get("Content-Length", "")
    content = None if response.streaming else getattr(response, "content", None)
    size = int(length) if length.isdecimal() else None if content is None else len(content)
    log_access(
        action,
        words,
        person=person,
        study=study,
        size=None if action == Action.READ else size,
        request=request,
    )


def _study_of(match: ResolverMatch) -> int | None:
    if "studies/<slug:slug>/" in match.route:
        return Study.objects.filter(slug=match.kwargs["slug"]).values_list("pk", flat=True).first()
    if match.route.startswith("exports/<number:pk>"):
        jobs = Job.objects.filter(pk=match.kwargs["pk"])
        return jobs.values_list("study", flat=True).first()
    return None


def _was_read(reading: tuple[object, ...], lines: QuerySet[AccessEntry] | None) -> bool:
    """Whether the same was logged within the hour, by this process or another; notes it if not."""
    now = time.monotonic()
    with _changing:
        if now - _readings.get(reading, -math.inf) < SECONDS_OF_ONE_READING:
            return True
        if len(_readings) >= MOST_READINGS:
            _readings.clear()
        _readings[reading] = now
    if lines is None:
        return False
    begun = timezone.now()
    hour = timedelta(seconds=SECONDS_OF_ONE_READING)
    if other := lines.filter(at__gt=begun - hour, at__lte=begun).first():
        _readings[reading] = now - (begun - other.at).total_seconds()
    return other is not None


def forget_readings() -> None:
    """Let everything be logged anew."""
    _readings.clear()
