"""What the pages of all kinds of reports have in common."""

from collections.abc import Callable
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from analysis.charts.size import planned_size
from analysis.data import matrices
from analysis.figures import figures
from analysis.filter.fields_of_kinds import kinds_with
from analysis.filter.form import FilterForm, chips, fixed_choices, offer
from analysis.filter.question import QuestionError
from analysis.reports.catalogue import report_kind
from analysis.reports.kind import Report, ReportKind, opened
from analysis.reports.page_address import (
    EARLY,
    OPEN,
    VERSION,
    Address,
    command_line,
    opened_sections,
    read_address,
)
from analysis.reports.snapshot import Snapshot
from analysis.tables.marks import WORDS
from analysis.tables.of_reports import table_titles
from analysis.views.files import TABLE_FORMATS, chart_context, report_of
from analysis.views.waiting import waiting_context
from corpus.access.guard import may_change, study_view
from corpus.models import Job, Study

FileAt = Callable[[str, str, str], str]
"""Name, format and theme (empty for the light one) of a file to its address."""
LONG = 120
"""Rows of a chart from which on its picture is folded away."""


@require_safe
@gzip_page
@study_view
def page_of_kind(request: HttpRequest, study: Study, kind: str) -> HttpResponse:
    """Show a report, the job that computes it, or what is wrong with the filter."""
    page, data = report_kind(kind), matrices.load(study)
    owned = may_change(request.user, study)
    context: dict[str, Any] = {
        **(page.for_owners(study) if owned else {}),
        "opened": opened_sections(request.GET),
        "on_demand": True,
        "study": study,
        "owned": owned,
        "page": page,
        "url_name": f"study-{page.key}",
        "address": request.get_full_path(),
    }
    found: Report[Any] | Job | None = None
    report: Report[Any] | None = None
    error = ""
    try:
        address = read_address(request.GET)
        context["filtered_by"] = address.question
        snapshot = Snapshot.of(study, page.key, address.question)
        found = report_of(snapshot, request)
        if not isinstance(found, Job):
            report = found
            context |= page.shown(report, address) | _around(page, report, address)
        elif found.is_active and (early := snapshot.early()):
            report = opened(early)
            context |= _early(page, report, address)
    except QuestionError as refused:
        error = str(refused)
    # What this report refuses is said above the form and not sent again with it.
    given = {
        name: values
        for name, values in request.GET.lists()
        if name not in (VERSION, OPEN) and (name in page.uses or not kinds_with(name))
    }
    fixed = {name: fixed_choices(name, known) for name, known in page.values.items()}
    offered = offer(data, **{**fixed, **page.offers(report)})
    idle = page.idle(data)
    acting = tuple(name for name in page.fields if name not in idle or name in given)
    context["form"] = form = FilterForm(acting, offered, given, error)
    context["chips"] = chips(form)
    if error:
        return render(request, "analysis/refused.html", context, status=400)
    if isinstance(found, Job):
        template = "analysis/waiting.html" if report is None else f"analysis/{page.key}.html"
        return render(request, template, waiting_context(request, found) | context, status=202)
    return render(request, f"analysis/{page.key}.html", context)


def _early(page: ReportKind[Any], report: Report[Any], address: Address) -> dict[str, Any]:
    """Return the values of a report while a job computes the rest; no answer rests on them yet."""
    awaited = page.early.awaits(report.content) if page.early else ()
    charts = [
        chart | {"spec_url": "", "downloads": []}
        for chart in shown_charts(report, address, _charts_at(report, address, EARLY))
        if chart["start"] not in awaited
    ]
    shown = page.shown(report, address) | shown_pictures(charts)
    pictures = shown["pictures"] + [
        {"start": start, "awaited": page.sections[start]} for start in awaited
    ]
    return shown | {
        "early": True,
        "pictures": sorted(pictures, key=lambda entry: page.picture.index(entry["start"])),
        "summary": [],
        "report": report.stored,
        "counts": report.stored["counts"],
    }


def _charts_at(report: Report[Any], address: Address, part: str = "") -> FileAt:
    version = {VERSION: str(report.stored["signature"])[:12] + part}

    def chart_at(name: str, file_format: str, theme: str) -> str:
        changes = version if file_format == "svg" else {}
        if theme:
            changes = changes | {"theme": theme}
        return _file_at("report-chart", report, address, name, file_format, **changes)

    return chart_at


def _around(page: ReportKind[Any], report: Report[Any], address: Address) -> dict[str, Any]:
    query = address.question.to_query()
    return {
        "report": report.stored,
        "counts": report.stored["counts"],
        "marks": address.choices.marks,
        "marks_words": WORDS[address.choices.marks],
        **shown_pictures(shown_charts(report, address, _charts_at(report, address))),
        "tables": shown_tables(
            report, lambda name, form, theme: _file_at("report-table", report, address, name, form)
        ),
        "zip_at": f"{reverse('api-report', args=[report.study, page.key])}?"
        + urlencode(query | {"format": ["csv"]}, doseq=True),
        "command": command_line(report.study, page.key, query),
        "query": address.question_query,
    }


def shown_charts(report: Report[Any], address: Address, at: FileAt) -> list[dict[str, Any]]:
    """Return what `components/chart.html` needs for each chart, and the heading above it.

    They load when they come into view, into a place of about their size.
    """
    shown: list[dict[str, Any]] = []
    kind = report_kind(report.kind)
    for name, draw in figures(report, address.choices).items():
        chart = draw()
        start = kind.start_of(name)
        width, height = planned_size(chart)
        own = {
            "section": kind.sections[start],
            "long": len(chart.rows) > LONG and not name.startswith(kind.flat),
            "start": start,
            "answers": start in kind.picture,
            "width": width,
            "height": height,
        }
        shown.append(chart_context(chart, partial(at, name)) | own)
    return shown


def shown_pictures(charts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the charts of a page: those that carry the answer, and the others by section."""
    further = [entry for entry in charts if not entry["answers"]]
    return {
        "charts": charts,
        "pictures": [entry for entry in charts if entry["answers"]],
        "further": [(start, list(own)) for start, own in groupby(further, itemgetter("start"))],
    }


def shown_tables(report: Report[Any], at: FileAt) -> list[dict[str, Any]]:
    """Return the downloads of a report's tables."""
    return [
        {
            "title": title,
            "downloads": [(label, at(name, form, "")) for label, form in TABLE_FORMATS],
        }
        for name, title in table_titles(report).items()
    ]


def _file_at(
    view: str, report: Report[Any], address: Address, name: str, file_format: str, **changes: str
) -> str:
    """Return the address of a table or chart of a report as a file."""
    path = reverse(view, args=[report.study, report.kind, name, file_format])
    query = address.query(**changes)
    return f"{path}?{query}" if query else path
