"""Sending files of a study, and what becomes of them."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from corpus.access.guard import study_view
from corpus.imports.drafts import Choices, keep_choices, plain_options
from corpus.imports.uploads import NotAnUpload, keep_upload, upload_files, upload_path
from corpus.models import Job, Study
from corpus.pages.forms import OptionsForm, UploadForm
from corpus.pages.frame import actor, page_with_form, study_frame
from corpus.studies.overview import running_import

View = Callable[..., HttpResponseBase]


def takes_files(view: View) -> View:
    """Mark a page that takes files: requests to it may be as large as uploads may be."""
    view.takes_files = True  # type: ignore[attr-defined]
    return view


def mapping_address(study: Study, upload: str) -> str:
    """Return the address of the mapping page."""
    return reverse("study-import-mapping", args=[study.slug, upload])


def begin_mapping(study: Study, upload: str, options: OptionsForm, user: User) -> str:
    """Keep the options with which files were uploaded; return where their columns are shown."""
    keep_choices(study, upload, user, Choices(options=plain_options(options.options)))
    return mapping_address(study, upload)


def job_upload(job: Job) -> str:
    """Return the upload that an import reads, if its files are still here."""
    path = Path(job.parameters.get("path", ""))
    for name in path.parts:
        try:
            if upload_path(name) == path:
                return name
        except NotAnUpload:
            continue
    return ""


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
            return redirect(begin_mapping(study, kept, options, actor(request)))
    context = study_frame(study, "study-import", "Import") | {
        "form": form,
        "options": options,
        "running": running_import(study),
        "waiting": _waiting(study),
        "limit": settings.UPLOAD_LIMIT_BYTES,
    }
    return page_with_form(request, "corpus/import.html", context)


@dataclass(frozen=True)
class _Waiting:
    """Uploaded files that are not imported yet."""

    files: list[str]
    address: str
    at: datetime
    user: str = ""
    job: Job | None = None


def _waiting(study: Study) -> list[_Waiting]:
    """Return uploads whose files are still here, those of each person's latest choices first."""
    found: dict[str, _Waiting] = {}
    ended = study.jobs.filter(kind="import", state__in=["failed", "cancelled"])[:20]
    jobs = {upload: job for job in reversed(ended) if (upload := job_upload(job))}
    for draft in study.import_drafts.select_related("user")[:50]:
        job = jobs.pop(draft.upload, None)
        if draft.upload not in found and (files := upload_files(draft.upload)):
            found[draft.upload] = _Waiting(
                files,
                mapping_address(study, draft.upload),
                draft.changed_at,
                draft.user.get_username(),
                job,
            )
    for upload, job in reversed(jobs.items()):
        address = mapping_address(study, upload)
        found[upload] = _Waiting(upload_files(upload), address, job.created_at, job=job)
    return list(found.values())
