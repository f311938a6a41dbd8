"""The pages for administrators."""

from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.administration.examining import ask_to_examine
from config.administration.gathering import FILES, KINDS, overview
from config.administration.log_form import LogForm
from corpus.models import AccessEntry
from corpus.tabular.spreadsheets import spreadsheet_csv

LINES_PER_PAGE = 100
LINES_AT_A_TIME = 1000
COLUMNS = ("time", "action", "detail", "person", "name", "study", "short name", "bytes", "network")

View = Callable[..., HttpResponseBase]


def administrators_only(view: View) -> View:
    """Answer everybody else as if there were no such page."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_superuser:
            raise Http404("no page that you may open")
        return view(request, *args, **kwargs)

    return guarded


@require_safe
@never_cache
@administrators_only
def administration(request: HttpRequest) -> HttpResponse:
    """Show how the site is."""
    context = {**overview(), "database_kinds": KINDS, "file_kinds": FILES}
    return render(request, "administration/overview.html", context)


@require_POST
@administrators_only
def examine(request: HttpRequest) -> HttpResponse:
    """Have storage measured and the doctor's checks run."""
    job = ask_to_examine(cast(User, request.user))
    words = 'The checks run as <a href="/jobs/{}/">job {}</a>. Reload this page when it is done.'
    messages.info(request, format_html(words, job.pk, job.pk))
    return redirect("administration")


@require_safe
@never_cache
@administrators_only
def log_page(request: HttpRequest) -> HttpResponse:
    """Show the log of sign-ins and exports, latest first."""
    form = LogForm(request.GET)
    lines = form.chosen()
    page = Paginator(lines, LINES_PER_PAGE).get_page(request.GET.get("page"))
    context = {"form": form, "page_obj": page, "is_filtered": form.is_filtered}
    return render(request, "administration/log.html", context)


@require_safe
@administrators_only
def log_file(request: HttpRequest) -> StreamingHttpResponse:
    """Send the chosen lines of the log as CSV."""
    rows = _csv(LogForm(request.GET).chosen().iterator(LINES_AT_A_TIME))
    response = StreamingHttpResponse(rows, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="sign-ins-and-exports.csv"'
    return response


def _csv(lines: Iterator[AccessEntry]) -> Iterator[str]:
    yield spreadsheet_csv([COLUMNS])
    for each in lines:
        row = (
            *(each.at.isoformat(timespec="seconds"), each.action, each.detail),
            *(each.person_id, each.person and each.person.get_username()),
            *(each.study_id, each.study and each.study.slug, each.size, each.network),
        )
        yield spreadsheet_csv([row])
