"""What pages show of the job that they wait for, or that has to read a large study first."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.data.states import NotCompared, NotRead, only_at_hand
from analysis.reading_job import reading_job
from analysis.reports.catalogue import report_kind
from corpus.access.guard import job_for, may_steer, study_view
from corpus.models import Job, Study
from corpus.pages.frame import actor

if TYPE_CHECKING:
    from rest_framework.request import Request


def waiting_context(request: HttpRequest, job: Job) -> dict[str, Any]:
    """Return the job, and how it is cancelled by those who may."""
    steers = may_steer(request.user, job)
    return {
        "job": job,
        "cancel_url": reverse("job-cancel", args=[job.pk]) if steers else "",
        "steers": steers,
    }


@require_safe
@never_cache
@study_view
def report_waiting(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show how far the job of a report is, to a page that asks; or let it load what is ready."""
    # Only here: every start imports this module, and reports bring all statistics.
    from analysis.filter.question import Question
    from analysis.reports.snapshot import Snapshot

    job = job_for(request.user, pk)
    if job.study_id != study.pk or job.kind != "report":
        raise Http404(f"no report job {pk} of this study")
    kind = str(job.parameters["kind"])
    early = "early" in request.GET
    asked = Question.parse(job.parameters["question"])
    page = reverse(f"study-{kind}", args=[study.slug])
    # Sections may have been opened since the page was sent.
    htmx = getattr(request, "htmx", None)
    here = (htmx.current_url_abs_path if htmx else "") or ""
    context = waiting_context(request, job) | {
        "study": study,
        "page": report_kind(kind),
        "early": early,
        "address": here if here.partition("?")[0] == page else page,
        "ready": job.state in ("done", "failed")
        or (not early and job.is_active and Snapshot.of(study, kind, asked).has_early()),
    }
    return render(request, "analysis/waiting_status.html", context)


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
        user = actor(request)
        if isinstance(error, NotRead):
            job = reading_job(error.study, user, withdrawn=error.withdrawn)
            template = "analysis/reading.html"
        elif isinstance(error, NotCompared):
            # Only here: it brings statistics, which other requests do without.
            from analysis.choosing.candidates import comparing_job

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
