"""Middleware and hooks that count for Prometheus; without `METRICS_TOKEN` there are none."""

import time
from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from annotation.rating.watched import stored
from corpus.jobs.watched import ended
from corpus.models import Job


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


class DatabaseErrorMiddleware:
    """Count what the database refused; the last middleware, so that no other has answered it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not settings.METRICS_TOKEN:
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Leave the request alone."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """Count, and leave the answer to others."""
        if isinstance(exception, DatabaseError):
            from config.watching.metrics import count_database_error

            count_database_error(exception)


def count_jobs() -> None:
    """Let workers count their jobs."""
    if settings.METRICS_TOKEN:
        ended.append(_count_job)


def count_submissions() -> None:
    """Let rating pages count what they store."""
    if settings.METRICS_TOKEN:
        stored.append(_count_submission)


def begin_anew() -> None:
    """Remove what processes of an earlier start have counted: Prometheus expects it to restart."""
    for file in settings.METRICS_DIR.glob("*_*.db"):
        file.unlink(missing_ok=True)


def _count_submission() -> None:
    from config.watching.metrics import count_submission

    count_submission()


def _count_job(job: Job, seconds: float) -> None:
    from config.watching.metrics import count_job

    count_job(job, seconds)
