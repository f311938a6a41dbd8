"""What pages and commands say of an error that none of them foresaw."""

import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.translation import gettext

from config.watching.log_lines import number_of
from corpus.storage.faults import StorageFault, storage_fault


def server_error(request: HttpRequest) -> HttpResponse:
    """Say what is wrong with the server's storage if that is it, else that this is a defect."""
    fault = storage_fault(sys.exception())
    if fault:
        return _unstored(request, fault)
    from config.administration.defects import keep_defect  # Not needed by a start.

    keep_defect(request, sys.exception())
    # Without a request: what a page's frame knows may be what fails.
    page = render_to_string("500.html", {"number": number_of(request)})
    return HttpResponseServerError(page)


def last_words(error: Exception) -> str | None:
    """Return what a command says instead of a traceback; None of a defect."""
    if isinstance(error, ImproperlyConfigured):
        return str(error)
    fault = storage_fault(error)
    if fault is None:
        return None
    database, folder = settings.DATABASES["default"]["NAME"], settings.DATA_DIR
    return f"{fault.words} Database: {database}; data folder: {folder}. {fault.remedy}"


def _unstored(request: HttpRequest, fault: StorageFault) -> HttpResponse:
    response = _worded(request, fault)
    if fault.retry_after:
        response["Retry-After"] = str(fault.retry_after)
    return response


def _worded(request: HttpRequest, fault: StorageFault) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": fault.words, "problems": []}, status=fault.status)
    # The page's own script puts plain words beside what it keeps.
    with translation.override(getattr(request, "language", settings.LANGUAGE_CODE)):
        if request.headers.get("X-Requested-With") == "fetch":
            unstored = gettext("Your answer is not stored yet.")
            words = f"{gettext(fault.words)} {unstored}"
            plain = "text/plain; charset=utf-8"
            return HttpResponse(words, status=fault.status, content_type=plain)
        # Without a request: what a page's frame knows comes from the database.
        page = render_to_string("storage.html", {"fault": fault})
    return HttpResponse(page, status=fault.status)
