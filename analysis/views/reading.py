"""What any page answers for a large study that has not been read since it changed."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from analysis.data.states import NotRead, only_at_hand
from analysis.reading_job import reading_job
from analysis.views.waiting import waiting_context

if TYPE_CHECKING:
    from rest_framework.request import Request


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
            # Only here: the view has brought REST framework, other requests do without.
            from analysis.api.views import waiting

            told = waiting(cast("Request", request), [job])
            headers = {"Location": told["Location"]}
            return JsonResponse(told.data, status=told.status_code, headers=headers)
        context = {"study": error.study, "address": request.get_full_path()}
        context |= waiting_context(request, job)
        return render(request, "analysis/reading.html", context, status=202)
