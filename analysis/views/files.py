"""Tables and charts of reports as files, and another try at a failed report."""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST, require_safe

from analysis.charts.chart import Chart, table_rows
from analysis.charts.render import to_pdf, to_svg
from analysis.charts.theme import ThemeName, themed
from analysis.figures import figure_table, figures
from analysis.filter.question import QuestionError
from analysis.reports.kind import Report, opened
from analysis.reports.page_address import (
    EARLY,
    VERSION,
    Address,
    check_kind,
    check_question,
    read_address,
)
from analysis.reports.service import answer
from analysis.reports.snapshot import Snapshot
from analysis.tables.flat_table import FlatTable, csv_text, json_text
from analysis.tables.latex import latex_table
from analysis.tables.of_reports import flat_tables
from corpus.access.guard import job_for, study_view
from corpus.jobs.queue import JobActive, resume
from corpus.models import Job, Study
from corpus.pages.frame import actor

KEPT_SECONDS = 3600
TABLES: dict[str, tuple[str, Callable[[FlatTable], str]]] = {
    "csv": ("text/csv", csv_text),
    "json": ("application/json", json_text),
    "tex": ("application/x-tex", latex_table),
}
PICTURES = ("svg", "pdf", "vl.json")
TABLE_FORMATS = (("CSV", "csv"), ("JSON", "json"), ("LaTeX", "tex"))
CHART_FORMATS = (("SVG", "svg"), ("PDF", "pdf"), *TABLE_FORMATS, ("Vega-Lite", "vl.json"))
T = TypeVar("T")


@require_safe
@study_view
def table_file(
    request: HttpRequest, study: Study, kind: str, name: str, file_format: str
) -> HttpResponse:
    """Send a table of a report as CSV, JSON or LaTeX."""
    if file_format not in TABLES:
        raise Http404(f"no table as {file_format!r}; there are: {', '.join(TABLES)}")

    def make(report: Report[Any], address: Address) -> HttpResponse:
        tables = {table.name: table for table in flat_tables(report.stored, address.choices.marks)}
        return as_file(named(tables, "table", name), study.slug, kind, name, file_format)

    return _made(request, study, kind, make)


@require_safe
@study_view
def chart_file(
    request: HttpRequest, study: Study, kind: str, name: str, file_format: str
) -> HttpResponse:
    """Send a chart as SVG, PDF or Vega-Lite specification, or its numbers as a table."""

    def make(report: Report[Any], address: Address) -> HttpResponse:
        chart = named(figures(report, address.choices), "chart", name)()
        file = study.slug, kind, name, file_format
        return send_chart(request, chart, figure_table(chart, report.stored), file, address.theme)

    return _made(request, study, kind, make)


def _made(
    request: HttpRequest,
    study: Study,
    kind: str,
    make: Callable[[Report[Any], Address], HttpResponse],
) -> HttpResponse:
    """Answer from the report; in plain words where it is refused or not computed yet."""
    check_kind(kind)
    try:
        address = read_address(request.GET)
        snapshot = Snapshot.of(study, kind, address.question)
        found = report_of(snapshot, request)
        if isinstance(found, Job) and request.GET.get(VERSION, "").endswith(EARLY):
            early = snapshot.early()
            found = opened(early) if early else found
        if not isinstance(found, Job):
            return make(found, address)
    except QuestionError as error:
        return in_plain_words(str(error), 400)
    return not_yet(found, "computes this report")


def report_of(snapshot: Snapshot, request: HttpRequest) -> Report[Any] | Job:
    """Return the report that a page asks for, or the job that computes it.

    Raises
    ------
    QuestionError
        If the question names something that the study does not have.
    """
    check_question(snapshot.narrowed, snapshot.question)
    found = answer(snapshot, actor(request))
    return found if isinstance(found, Job) else opened(found)


def in_plain_words(text: str, status: int) -> HttpResponse:
    """Say to a program why it gets no file."""
    return HttpResponse(text, status=status, content_type="text/plain; charset=utf-8")


def not_yet(job: Job, makes: str) -> HttpResponse:
    """Say which job makes what a file shows."""
    return in_plain_words(f"Job {job.pk} {makes}; ask again when it is done.\n", 202)


ChartAt = Callable[[str, str], str]
"""Format and theme (empty for the light one) of a chart to its address."""


def chart_context(chart: Chart, at: ChartAt) -> dict[str, Any]:
    """Return what `components/chart.html` needs."""
    return {
        "chart": chart,
        "table": table_rows(chart),
        "svg_url": at("svg", ""),
        "svg_dark_url": at("svg", "dark"),
        "spec_url": at("vl.json", ""),
        "downloads": [(label, at(form, "")) for label, form in CHART_FORMATS],
    }


def in_theme(path: str, theme: str) -> str:
    """Return the address of a file in a theme."""
    return f"{path}?theme={theme}" if theme else path


def named(found: Mapping[str, T], what: str, name: str) -> T:
    """Return what has a name.

    Raises
    ------
    Http404
        If nothing has it, with the names that there are.
    """
    if name not in found:
        raise Http404(f"no {what} {name!r}; there are: {', '.join(found) or 'none'}")
    return found[name]


def as_file(table: FlatTable, slug: str, kind: str, name: str, file_format: str) -> HttpResponse:
    """Send a table in one of `TABLES`, named after study, report and table."""
    content_type, write = TABLES[file_format]
    response = HttpResponse(write(table), content_type=f"{content_type}; charset=utf-8")
    stem = "-".join(dict.fromkeys((slug, kind, name)))
    response["Content-Disposition"] = f'attachment; filename="{stem}.{file_format}"'
    return response


def send_chart(
    request: HttpRequest,
    chart: Chart,
    table: FlatTable,
    file: tuple[str, str, str, str],
    theme: ThemeName = "light",
) -> HttpResponse:
    """Send a chart in one of `PICTURES`, or its numbers in one of `TABLES`.

    Parameters
    ----------
    file
        Study, report, chart and format, of which the name of a table is made.
    theme
        Of the picture, where the address does not ask for the dark one.
    """
    file_format = file[-1]
    if file_format in TABLES:
        return as_file(table, *file)
    if request.GET.get("theme") == "dark":
        theme = "dark"
    if file_format == "svg":
        response = HttpResponse(to_svg(chart, theme), content_type="image/svg+xml")
    elif file_format == "pdf":
        response = HttpResponse(to_pdf(chart), content_type="application/pdf")
    elif file_format not in PICTURES:
        raise Http404(f"no chart as {file_format!r}")
    else:
        text = json.dumps(themed(chart.spec, theme), ensure_ascii=False)
        response = HttpResponse(text, content_type="application/json")
    if VERSION in request.GET:
        patch_cache_control(response, private=True, max_age=KEPT_SECONDS)
    return response


@require_POST
@study_view
def try_again(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Queue a failed job again and go back to the page that waits for it."""
    job = job_for(request.user, pk, steer=True)
    pages = {"report": f"study-{job.parameters.get('kind')}", "text-map": "study-map"}
    pages |= {"read-study": "study", "compare-outputs": "study-choose-segments"}
    if job.study_id != study.pk or job.kind not in pages:
        raise Http404(f"no report job {pk} of this study")
    try:
        resume(job)
    except JobActive as active:
        messages.info(request, str(active))
    page = reverse(pages[job.kind], args=[study.slug])
    back = request.POST.get("back", "")
    if not url_has_allowed_host_and_scheme(back, None) or not back.startswith(page):
        back = page
    return redirect(back)
