"""What pages that take files have in common."""

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt, csrf_protect

from corpus.forms import OptionsForm
from corpus.imports.uploads import NotAnUpload, upload_path
from corpus.models import Job, Study

View = Callable[..., HttpResponse]
CHUNK = 1 << 20


def limited_upload(view: View) -> View:
    """Refuse a request that is larger than the site allows before it is written to disk.

    It must be the outermost decorator: the check of the CSRF token reads the whole request, so it
    is put off until the size is known.
    """
    protected = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def limited(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        length = request.META.get("CONTENT_LENGTH") or "0"
        # Beside the files there are the fields of the form, for which Django has its own limit.
        most = settings.UPLOAD_LIMIT_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if length.isdecimal() and int(length) > most:
            # A browser shows no answer before it has sent everything.
            while request.read(CHUNK):
                pass
            context = {"sent": int(length), "limit": settings.UPLOAD_LIMIT_BYTES}
            return render(request, "corpus/too_large.html", context, status=413)
        return protected(request, *args, **kwargs)

    return limited


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
