"""The page on which an export of a study is asked for, and fetching it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from corpus.access.guard import job_for, study_for, study_view
from corpus.exports.named import writable_formats
from corpus.exports.run import ask_for_export, export_path
from corpus.jobs.queue import JobActive
from corpus.models import Job, Study
from corpus.pages.frame import actor, study_frame


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def export(request: HttpRequest, study: Study) -> HttpResponse:
    """Show what a study can be exported as; start an export, or show the one that has not ended."""
    if request.method != "POST":
        context = study_frame(study, "study-export", "Export") | {
            "writable": writable_formats(),
        }
        return render(request, "corpus/export.html", context)
    for_spreadsheets = request.POST.get("for") == "spreadsheets"
    name = request.POST.get("as", "")
    if name and name not in writable_formats():
        raise Http404(f"no study can be written as {name}")
    try:
        job = ask_for_export(
            study,
            actor(request),
            for_spreadsheets=for_spreadsheets,
            format=name,
            select=request.POST.get("select", "").strip()[:100] if name else "",
        )
    except JobActive as active:
        job = active.job
        messages.info(request, "This export already exists; here it is.")
    return redirect("job", job.pk)


@require_safe
@login_required
def download(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Send the zip of an export to an owner of its study."""
    job = job_for(request.user, pk)
    if job.kind != "export" or job.study is None:
        raise Http404(f"job {pk} is no export of a study")
    study_for(request.user, job.study.slug, owner=True)
    try:
        file = export_path(job).open("rb") if job.state == Job.State.DONE else None
    except FileNotFoundError:
        file = None
    if file is None:
        messages.error(request, "This zip no longer exists; export the study again.")
        return redirect("study-export", job.study.slug)
    name = job.result.get("file_name", f"{job.study.slug}.zip")
    return FileResponse(file, as_attachment=True, filename=name)
