"""The answer to somebody who has too many jobs waiting, whichever page they asked on."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from corpus.jobs.fairness import TooManyJobs


class TooManyJobsMiddleware:
    """Turn `TooManyJobs` into a page with status 429."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say how many jobs wait and where they are cancelled."""
        if not isinstance(error, TooManyJobs):
            return None
        return render(request, "jobs/too_many.html", {"reason": str(error)}, status=429)
