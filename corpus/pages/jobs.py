"""Pages of jobs, and what a page answers when somebody has too many."""

from collections.abc import Callable

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from corpus.access.guard import job_for, jobs_visible_to, may_change, may_steer
from corpus.exports.run import has_zip
from corpus.jobs.fairness import TooManyJobs
from corpus.jobs.queue import JobActive, cancel, cancel_all, resume
from corpus.models import Job
from corpus.pages.imports import job_upload, mapping_address
from corpus.studies.overview import result_words

JOBS_PER_PAGE = 50
THEN_FINDINGS = "then=findings"
"""In the address of a job: once it is done, go on to what was found in the study."""


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


@require_safe
@login_required
def job_list(request: HttpRequest) -> HttpResponse:
    """List the jobs that a person asked for, and those of their studies, latest first."""
    jobs = jobs_visible_to(request.user).select_related("study", "created_by")
    page = Paginator(jobs, JOBS_PER_PAGE).get_page(request.GET.get("page"))
    rows = [(job, job.is_active and may_steer(request.user, job)) for job in page]
    waiting = Job.objects.filter(created_by=request.user.pk, state="queued").count()
    context = {
        "page_obj": page,
        "rows": rows,
        "can_cancel": any(steers for _, steers in rows),
        "waiting": waiting,
    }
    return render(request, "jobs/list.html", context)


@require_safe
@never_cache
@vary_on_headers("HX-Request")
@login_required
def job_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one job; its progress alone to htmx, and a reload once the job has ended."""
    job = job_for(request.user, pk)
    if request.GET.urlencode() == THEN_FINDINGS and job.state == Job.State.DONE and job.study:
        messages.success(request, _done_in_words(job))
        return redirect("study", job.study.slug)
    steers = may_steer(request.user, job)
    context = {
        "job": job,
        "label": _label(job),
        "cancel_url": reverse("job-cancel", args=[job.pk]) if steers else "",
        "correct": _correct(request, job) if job.state in ("failed", "cancelled") else "",
        "has_zip": has_zip(job),
        "days_of_zips": settings.EXPORT_DAYS,
        "resumable": steers and job.state in ("failed", "cancelled"),
    }
    if not getattr(request, "htmx", False):
        return render(request, "jobs/job.html", context)
    response = render(request, "components/progress.html", context)
    if not job.is_active:
        response["HX-Refresh"] = "true"
    return response


@require_POST
@login_required
def cancel_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel a job that waits or runs."""
    if not cancel(job_for(request.user, pk, steer=True)):
        messages.info(request, "This job had already ended.")
    return redirect("job", pk)


@require_POST
@login_required
def cancel_jobs(request: HttpRequest) -> HttpResponse:
    """Cancel the jobs that are ticked, or all that wait and that this person asked for."""
    if "waiting" in request.POST:
        chosen = Job.objects.filter(created_by=request.user.pk, state="queued")
    else:
        numbers = {int(n) for n in request.POST.getlist("job") if n.isdecimal() and len(n) < 19}
        visible = jobs_visible_to(request.user).select_related("study").filter(pk__in=numbers)
        mine = [job.pk for job in visible if may_steer(request.user, job)]
        chosen = Job.objects.filter(pk__in=mine)
    count = cancel_all(chosen)
    messages.info(request, f"{count} job{'' if count == 1 else 's'} cancelled.")
    return redirect("job-list")


@require_POST
@login_required
def resume_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Try a failed or cancelled job again."""
    try:
        if not resume(job_for(request.user, pk, steer=True)):
            messages.info(request, "Only a failed or cancelled job can be tried again.")
    except JobActive as active:
        messages.error(request, f"Not tried again: {active}.")
    return redirect("job", pk)


def _correct(request: HttpRequest, job: Job) -> str:
    """Return where the columns of an import are corrected, if its files are still here."""
    if job.kind != "import" or job.study is None or not may_change(request.user, job.study):
        return ""
    upload = job_upload(job)
    return mapping_address(job.study, upload) if upload else ""


def _done_in_words(job: Job) -> str:
    notes = len(job.result.get("notes", ()))
    noted = f" {notes} note{'' if notes == 1 else 's'}: see the import" if notes else " See more"
    return f"The import is done: {result_words(job)}.{noted} under What this study holds."


def _label(job: Job) -> str:
    of_study = f" of {job.study}" if job.study else ""
    return f"{job.kind.capitalize()}{of_study}"
