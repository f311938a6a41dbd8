"""What any page answers for a large study that has not been read since it changed."""

from collections.abc import Callable
from typing import cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse

from analysis.data.states import NotRead, only_at_hand
from analysis.reading_job import reading_job
from corpus.access import may_steer
from corpus.api.jobs import JobSerializer
from corpus.models import Job


class ReadingMiddleware:
    """Let no page read a large study: it shows the job that does instead, with status 202."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer from what is at hand."""
        with only_at_hand():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say which job reads the study."""
        if not isinstance(error, NotRead):
            return None
        user = cast(User, request.user)
        job = reading_job(error.study, user, withdrawn=error.withdrawn)
        if request.path.startswith("/api/"):
            listed = JobSerializer([job], many=True, context={"request": request}).data
            status = 409 if job.state == Job.State.FAILED else 202
            headers = {"Location": listed[0]["url"]}
            return JsonResponse({"jobs": listed}, status=status, headers=headers)
        steers = may_steer(user, job)
        context = {
            "study": error.study,
            "job": job,
            "steers": steers,
            "cancel_url": reverse("job-cancel", args=[job.pk]) if steers else "",
            "address": request.get_full_path(),
        }
        return render(request, "analysis/reading.html", context, status=202)
