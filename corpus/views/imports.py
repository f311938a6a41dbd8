"""Uploading files into a study."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from corpus.access import study_view
from corpus.forms import OptionsForm, UploadForm
from corpus.imports.uploads import NotAnUpload, keep_upload
from corpus.models import Job, Study
from corpus.studies import running_import
from corpus.views.uploading import mapping_address, takes_files, upload_of


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def upload(request: HttpRequest, study: Study) -> HttpResponse:
    """Take files and go on to their mapping."""
    posted = request.method == "POST"
    form = UploadForm(request.POST, request.FILES) if posted else UploadForm()
    options = OptionsForm(request.POST) if posted else OptionsForm()
    if posted and (form.is_valid() & options.is_valid()):
        try:
            kept = keep_upload(form.cleaned_data["files"])
        except NotAnUpload as error:
            form.add_error("files", str(error))
        else:
            return redirect(mapping_address(study, kept, options))
    context = {
        "study": study,
        "heading": "Import",
        "tab": "study-import",
        "form": form,
        "options": options,
        "running": running_import(study),
        "waiting": _waiting(study),
        "limit": settings.UPLOAD_LIMIT_BYTES,
    }
    return render(request, "corpus/import.html", context, status=400 if posted else 200)


def _waiting(study: Study) -> list[tuple[Job, str]]:
    """Return imports that came to nothing and whose files are still here, latest first."""
    ended = study.jobs.filter(kind="import", state__in=["failed", "cancelled"])[:20]
    found: dict[str, Job] = {}
    for job in ended:
        if upload := upload_of(job):
            found.setdefault(upload, job)
    return [
        (job, reverse("study-import-mapping", args=[study.slug, upload]))
        for upload, job in found.items()
    ]
