"""What a page shows of the job that it waits for, and how it learns of what is ready."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.reports.catalogue import report_kind
from corpus.access.guard import job_for, may_steer, study_view
from corpus.models import Job, Study


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
