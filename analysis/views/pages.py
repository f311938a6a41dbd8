"""What the pages of all kinds of reports have in common."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from analysis import matrices
from analysis.charts.chart import table_rows
from analysis.fields_of_kinds import FIELDS, kinds_with
from analysis.figures import figures
from analysis.forms import FilterForm, Pairs, offer
from analysis.matrices import StudyData
from analysis.question import QuestionError
from analysis.reports.service import report_or_job
from analysis.tables import table_titles
from analysis.views.address import (
    VERSION,
    Address,
    check_question,
    command_line,
    read_address,
)
from corpus.access import may_steer
from corpus.models import Job, Study

Report = Mapping[str, Any]
FileAt = Callable[[str, str, str], str]
"""Name, format and theme (empty for the light one) of a file to its address."""
TABLE_FORMATS = (("CSV", "csv"), ("JSON", "json"), ("LaTeX", "tex"))
SECTIONS = {
    "agreement": "Agreement as bars",
    "heat-map": "Metrics and aspects",
    "variance-shares": "Shares as bars",
    "plan": "What each size reaches",
    "strata": "In each stratum",
    "top-last": "Among the best and among the worst systems",
    "system-scatter": "Systems, by people and by metric",
    "score-scatter": "Outputs, by people and by metric",
    "calibration": "What a score means",
    "trade-off": "What style costs",
    "rater-matrix": "Raters beside raters",
    "system-means": "Systems with intervals",
    "differences": "Differences",
    "metric-matrix": "Metrics beside metrics",
    "score-distributions": "Sources, references, outputs",
    "system-distributions": "System by system",
    "human-distributions": "How people's scores spread",
}
LONG = 120
"""Rows of a chart from which on its picture is folded away."""
FLAT = ("top-last", "metric-matrix", "differences", "rater-matrix", "score-scatter")
"""Charts whose pictures do not grow as tall as their tables."""
CHART_FORMATS = (("SVG", "svg"), ("PDF", "pdf"), *TABLE_FORMATS, ("Vega-Lite", "vl.json"))


@dataclass(frozen=True)
class ReportPage:
    """What makes a report's page its own.

    Parameters
    ----------
    kind
        Kind of the report; its template and the name of its address follow from it.
    title
        Heading of the page.
    fields
        Fields of its filter.
    present
        Turns the report into what the template shows.
    offers
        Choices of fields that depend on the report.
    """

    kind: str
    title: str
    fields: Sequence[str]
    present: Callable[[Report, Address], dict[str, Any]]
    offers: Callable[[Report | None], dict[str, Pairs]] = lambda report: {}


def report_page(request: HttpRequest, study: Study, page: ReportPage, **more: Any) -> HttpResponse:
    """Show a report, the job that computes it, or what is wrong with the filter.

    `more` is for the template alone: what the reader may do, which no report holds.
    """
    data = matrices.load(study)
    context: dict[str, Any] = more | {
        "study": study,
        "page": page,
        "url_name": f"study-{page.kind}",
        "address": request.get_full_path(),
    }
    found: Report | Job | None = None
    error = ""
    try:
        address = read_address(request.GET)
        context["filtered_by"] = address.question
        found = answer(study, data, page.kind, address, request)
        if not isinstance(found, Job):
            context |= page.present(found, address) | _around(study, page, found, address)
    except QuestionError as refused:
        error = str(refused)
    report = None if isinstance(found, Job) else found
    # What this report refuses is said above the form and not sent again with it.
    given = {
        name: values
        for name, values in request.GET.lists()
        if name != VERSION and (name in FIELDS[page.kind] or not kinds_with(name))
    }
    offered = offer(data, **page.offers(report))
    context["form"] = FilterForm(page.fields, offered, given, error)
    if error:
        return render(request, "analysis/refused.html", context, status=400)
    if isinstance(found, Job):
        context |= _of_job(request, found)
        return render(request, "analysis/waiting.html", context, status=202)
    return render(request, f"analysis/{page.kind}.html", context)


def answer(
    study: Study, data: StudyData, kind: str, address: Address, request: HttpRequest
) -> Report | Job:
    """Return the report that an address asks for, or the job that computes it.

    Raises
    ------
    QuestionError
        If the question names something that the study does not have.
    """
    check_question(data, address.question)
    return report_or_job(study, kind, address.question, cast(User, request.user))


def _around(study: Study, page: ReportPage, report: Report, address: Address) -> dict[str, Any]:
    query = address.question.to_query()
    version = {VERSION: str(report["signature"])[:12]}

    def chart_at(name: str, file_format: str, theme: str) -> str:
        changes = version if file_format == "svg" else {}
        if theme:
            changes = changes | {"theme": theme}
        return file_address("report-chart", study, report, name, file_format, address, **changes)

    def table_at(name: str, file_format: str, theme: str) -> str:
        return file_address("report-table", study, report, name, file_format, address)

    return {
        "report": report,
        "counts": report["counts"],
        "charts": shown_charts(report, address, chart_at),
        "tables": shown_tables(report, table_at),
        "zip_at": f"{reverse('api-report', args=[study.slug, page.kind])}?"
        + urlencode(query | {"format": ["csv"]}, doseq=True),
        "command": command_line(study.slug, page.kind, query),
        "query": address.question_query,
    }


def shown_charts(report: Report, address: Address, at: FileAt) -> list[dict[str, Any]]:
    """Return what `components/chart.html` needs for each chart, and the heading above it."""
    shown = []
    for name, draw in figures(report, address.choices).items():
        chart = draw()
        entry = {
            "chart": chart,
            "section": next(words for start, words in SECTIONS.items() if name.startswith(start)),
            "long": len(chart.rows) > LONG and not name.startswith(FLAT),
            "table": table_rows(chart),
            "svg_url": at(name, "svg", ""),
            "svg_dark_url": at(name, "svg", "dark"),
            "spec_url": at(name, "vl.json", ""),
            "downloads": [(label, at(name, form, "")) for label, form in CHART_FORMATS],
        }
        shown.append(entry)
    return shown


def shown_tables(report: Report, at: FileAt) -> list[dict[str, Any]]:
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
    report: Report,
    name: str,
    file_format: str,
    address: Address,
    **changes: str,
) -> str:
    """Return the address of a table or chart of a report as a file."""
    path = reverse(url_name, args=[study.slug, report["kind"], name, file_format])
    query = address.query(**changes)
    return f"{path}?{query}" if query else path


def _of_job(request: HttpRequest, job: Job) -> dict[str, Any]:
    steers = may_steer(request.user, job)
    return {
        "job": job,
        "cancel_url": reverse("job-cancel", args=[job.pk]) if steers else "",
        "steers": steers,
    }
