"""The page of a trained style model, with the picture of its calibration."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.charts.chart import table_rows
from analysis.classifier_figures import reliability
from analysis.filter.fields_of_kinds import check_fields
from analysis.filter.question import QuestionError
from analysis.reports.page_address import read_address
from analysis.tables.flat_table import FlatTable
from analysis.views.files import PICTURES, TABLES, as_file, picture
from corpus.access import study_view
from corpus.models import Study
from metrics.views.styles import model_context, model_of


@require_safe
@study_view
def style_model(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show how good a model is, and what it was made of."""
    context: dict[str, Any] = model_context(study, pk)
    model = context["model"]
    if not model.is_graded:
        chart = reliability(model.name, model.report)
        files = {
            name: reverse("study-style-model-file", args=[study.slug, pk, name])
            for name in (*PICTURES, *TABLES)
        }
        context |= {
            "chart": chart,
            "chart_table": table_rows(chart),
            "svg_url": files["svg"],
            "spec_url": files["vl.json"],
            "downloads": [(name.upper(), files[name]) for name in ("svg", "pdf", *TABLES)],
        }
    return render(request, "metrics/style_model.html", context)


@require_safe
@study_view
def style_model_file(request: HttpRequest, study: Study, pk: int, file_format: str) -> HttpResponse:
    """Send the picture of a model's calibration, or its numbers as a table."""
    model = model_of(study, pk)
    if model.is_graded or file_format not in (*TABLES, *PICTURES):
        raise Http404(f"no calibration of {model.name} as {file_format!r}")
    chart = reliability(model.name, model.report)
    if file_format in TABLES:
        table = FlatTable(
            name=chart.name,
            title=chart.title,
            columns=tuple(column.key for column in chart.columns),
            rows=chart.rows,
            sources=(f"study {study.slug}", f"model {model.sha256}"),
        )
        return as_file(table, study.slug, chart.name, f"model-{pk}", file_format)
    try:
        address = read_address(request.GET)
        check_fields("style-model", address.question)
    except QuestionError as error:
        return HttpResponse(str(error), status=400, content_type="text/plain; charset=utf-8")
    return picture(request, chart, address.theme, file_format)
