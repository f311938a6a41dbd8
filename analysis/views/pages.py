"""What the pages of all kinds of reports have in common."""

from collections.abc import Callable
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.charts.chart import table_rows
from analysis.data import matrices
from analysis.data.study_data import StudyData
from analysis.figures import figures
from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.form import FilterForm, fixed_choices, offer
from analysis.filter.question import QuestionError
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import Report, ReportKind, opened
from analysis.reports.service import report_or_job
from analysis.tables.of_reports import table_titles
from analysis.views.address import (
    VERSION,
    Address,
    check_question,
    command_line,
    read_address,
)
from analysis.views.waiting import waiting_context
from corpus.access import may_change, study_view
from corpus.models import Job, Study

FileAt = Callable[[str, str, str], str]
"""Name, format and theme (empty for the light one) of a file to its address."""
TABLE_FORMATS = (("CSV", "csv"), ("JSON", "json"), ("LaTeX", "tex"))
LONG = 120
"""Rows of a chart from which on its picture is folded away."""
CHART_FORMATS = (("SVG", "svg"), ("PDF", "pdf"), *TABLE_FORMATS, ("Vega-Lite", "vl.json"))


@require_safe
@study_view
def page_of_kind(request: HttpRequest, study: Study, kind: str) -> HttpResponse:
    """Show a report of one of the kinds."""
    return report_page(request, study, report_kind(kind))


def report_page(request: HttpRequest, study: Study, page: ReportKind[Any]) -> HttpResponse:
    """Show a report, the job that computes it, or what is wrong with the filter."""
    data = matrices.load(study)
    for_owners = page.for_owners(study) if may_change(request.user, study) else {}
    context: dict[str, Any] = {
        **for_owners,
        "study": study,
        "page": page,
        "url_name": f"study-{page.key}",
        "address": request.get_full_path(),
    }
    found: Report[Any] | Job | None = None
    error = ""
    try:
        address = read_address(request.GET)
        context["filtered_by"] = address.question
        found = answer(study, data, page.key, address, request)
        if not isinstance(found, Job):
            context |= page.present(found, address) | _around(study, page, found, address)
    except QuestionError as refused:
        error = str(refused)
    report = None if isinstance(found, Job) else found
    # What this report refuses is said above the form and not sent again with it.
    given = {
        name: values
        for name, values in request.GET.lists()
        if name != VERSION and (name in page.uses or not kinds_with(name))
    }
    fixed = {name: fixed_choices(name, known) for name, known in page.values.items()}
    offered = offer(data, **{**fixed, **page.offers(report)})
    context["form"] = FilterForm(page.fields, offered, given, error)
    if error:
        return render(request, "analysis/refused.html", context, status=400)
    if isinstance(found, Job):
        context |= waiting_context(request, found)
        return render(request, "analysis/waiting.html", context, status=202)
    return render(request, f"analysis/{page.key}.html", context)


def answer(
    study: Study, data: StudyData, kind: str, address: Address, request: HttpRequest
) -> Report[Any] | Job:
    """Return the report that an address asks for, or the job that computes it.

    Raises
    ------
    QuestionError
        If the question names something that the study does not have.
    """
    check_question(data, address.question)
    found = report_or_job(study, kind, address.question, cast(User, request.user))
    return found if isinstance(found, Job) else opened(found)


def _around(
    study: Study, page: ReportKind[Any], report: Report[Any], address: Address
) -> dict[str, Any]:
    query = address.question.to_query()
    version = {VERSION: str(report.stored["signature"])[:12]}

    def chart_at(name: str, file_format: str, theme: str) -> str:
        changes = version if file_format == "svg" else {}
        if theme:
            changes = changes | {"theme": theme}
        return file_address("report-chart", study, report, name, file_format, address, **changes)

    def table_at(name: str, file_format: str, theme: str) -> str:
        return file_address("report-table", study, report, name, file_format, address)

    return {
        "report": report.stored,
        "counts": report.stored["counts"],
        "charts": shown_charts(report, address, chart_at),
        "tables": shown_tables(report, table_at),
        "zip_at": f"{reverse('api-report', args=[study.slug, page.key])}?"
        + urlencode(query | {"format": ["csv"]}, doseq=True),
        "command": command_line(study.slug, page.key, query),
        "query": address.question_query,
    }


def shown_charts(report: Report[Any], address: Address, at: FileAt) -> list[dict[str, Any]]:
    """Return what `components/chart.html` needs for each chart, and the heading above it."""
    shown = []
    kind = report_kind(report.kind)
    for name, draw in figures(report, address.choices).items():
        chart = draw()
        entry = {
            "chart": chart,
            "section": kind.heading_of(name),
            "long": len(chart.rows) > LONG and not name.startswith(kind.flat),
            "table": table_rows(chart),
            "svg_url": at(name, "svg", ""),
            "svg_dark_url": at(name, "svg", "dark"),
            "spec_url": at(name, "vl.json", ""),
            "downloads": [(label, at(name, form, "")) for label, form in CHART_FORMATS],
        }
        shown.append(entry)
    return shown


def shown_tables(report: Report[Any], at: FileAt) -> list[dict[str, Any]]:
    """Return the downloads of a report's tables."""
    return [
        {
            "title": title,
            "downloads": [(label, at(name, form, "")) for label, form in TABLE_FORMATS],
        }
        for name, title in table_titles(report).items()
    ]


def file_address(
    url_name: str,
    study: Study,
    report: Report[Any],
    name: str,
    file_format: str,
    address: Address,
    **changes: str,
) -> str:
    """Return the address of a table or chart of a report as a file."""
    path = reverse(url_name, args=[study.slug, report.kind, name, file_format])
    query = address.query(**changes)
    return f"{path}?{query}" if query else path
