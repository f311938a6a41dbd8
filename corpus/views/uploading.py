"""What pages that take files have in common."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from django.http import HttpResponse
from django.urls import reverse

from corpus.forms import OptionsForm
from corpus.imports.uploads import NotAnUpload, upload_path
from corpus.models import Job, Study

View = Callable[..., HttpResponse]


def takes_files(view: View) -> View:
    """Mark a page that takes files: requests to it may be as large as uploads may be."""
    view.takes_files = True  # type: ignore[attr-defined]
    return view


def mapping_address(study: Study, upload: str, options: OptionsForm) -> str:
    """Return the address of the mapping page, which carries the options of the import."""
    path = reverse("study-import-mapping", args=[study.slug, upload])
    query = urlencode(options.query())
    return f"{path}?{query}" if query else path


def upload_of(job: Job) -> str:
    """Return the upload that an import reads, if its files are still here."""
    path = Path(job.parameters.get("path", ""))
    for name in path.parts:
        try:
            if upload_path(name) == path:
                return name
        except NotAnUpload:
            continue
    return ""
