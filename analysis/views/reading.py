"""What any page answers whose question is refused, or whose large study has to be read first."""

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from analysis.data.states import NotCompared, NotRead, only_at_hand
from analysis.reading_job import reading_job
from analysis.views.waiting import waiting_context

if TYPE_CHECKING:
    from rest_framework.request import Request


class ReadingMiddleware:
    """Let no page do what takes long: it shows the job that does it instead, with status 202."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer from what is at hand."""
        with only_at_hand():
            return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Say why a question is refused, or which job reads the study or compares its outputs."""
        # Only here: most requests ask nothing of a study's numbers.
        from analysis.filter.question import QuestionError

        if isinstance(error, QuestionError):
            if request.path.startswith("/api/"):
                return JsonResponse({"detail": str(error), "problems": []}, status=400)
            return render(request, "400.html", {"reason": str(error)}, status=400)
        user = cast(User, request.user)
        if isinstance(error, NotRead):
            job = reading_job(error.study, user, withdrawn=error.withdrawn)
            template = "analysis/reading.html"
        elif isinstance(error, NotCompared):
            # Only here: it brings statistics, which other requests do without.
            from analysis.choosing.comparing import comparing_job

            job, template = comparing_job(error, user), "analysis/comparing.html"
        else:
            return None
        if request.path.startswith("/api/"):
            # Only here: the view has brought REST framework, other requests do without.
            from analysis.api.reports import waiting

            told = waiting(cast("Request", request), [job])
            headers = {"Location": told["Location"]}
            return JsonResponse(told.data, status=told.status_code, headers=headers)
        context = {"study": error.study, "address": request.get_full_path()}
        context |= waiting_context(request, job)
        return render(request, template, context, status=202)
