"""What pages that take files have in common."""

from collections.abc import Callable
from pathlib import Path

from django.contrib.auth.models import User
from django.http.response import HttpResponseBase
from django.urls import reverse

from corpus.imports.drafts import Choices, keep_choices, plain_options
from corpus.imports.uploads import NotAnUpload, upload_path
from corpus.models import Job, Study
from corpus.pages.forms import OptionsForm

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
