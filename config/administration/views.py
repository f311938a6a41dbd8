"""The pages for administrators."""

from collections.abc import Callable, Iterator
from datetime import datetime, time, timedelta
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from config.administration.overview import FILES, KINDS, ask_to_examine, overview
from corpus.models import AccessEntry
from corpus.pages.frame import actor
from corpus.tabular.spreadsheets import spreadsheet_csv

LINES_PER_PAGE = 100
LINES_AT_A_TIME = 1000
COLUMNS = ("time", "action", "detail", "person", "name", "study", "short name", "bytes", "network")
WIDGET = forms.DateInput(attrs={"type": "date"})

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
    job = ask_to_examine(actor(request))
    words = 'The checks run as <a href="/jobs/{}/">job {}</a>. Reload this page when it is done.'
    messages.info(request, format_html(words, job.pk, job.pk))
    return redirect("administration")


class LogForm(forms.Form):
    """The filter of the log; what is wrong in it filters nothing and says so."""

    action = forms.ChoiceField(
        required=False, choices=[("", "any action"), *AccessEntry.Action.choices]
    )
    person = forms.CharField(required=False, max_length=150)
    study = forms.CharField(required=False, max_length=100, label="Short name of the study")
    first = forms.DateField(required=False, label="From", widget=WIDGET)
    last = forms.DateField(required=False, label="Until", widget=WIDGET)
    network = forms.CharField(required=False, max_length=8, label="Network")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_valid()

    @property
    def is_filtered(self) -> bool:
        """Whether anything is left out."""
        return any(self.cleaned_data.values())

    def chosen(self) -> QuerySet[AccessEntry]:
        """Return the lines, latest first."""
        asked = self.cleaned_data
        lines = AccessEntry.objects.select_related("person", "study")
        named = {"action": "action", "study": "study__slug", "network": "network"}
        lines = lines.filter(**{at: asked[name] for name, at in named.items() if asked.get(name)})
        if person := asked.get("person"):
            # Who is gone has no name any more, but a number.
            number = person.removeprefix("#")
            is_number = person.startswith("#") and number.isdecimal() and len(number) < 19
            chosen = {"person_id": int(number)} if is_number else {"person__username": person}
            lines = lines.filter(**chosen)
        if first := asked.get("first"):
            lines = lines.filter(at__gte=_midnight(first))
        if last := asked.get("last"):
            lines = lines.filter(at__lt=_midnight(last) + timedelta(days=1))
        return lines


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


def _midnight(day: Any) -> datetime:
    return datetime.combine(day, time(), tzinfo=timezone.get_current_timezone())
