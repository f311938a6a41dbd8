"""The page of a trained style model, with the picture of its calibration."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from analysis.figures import chart_table, reliability
from analysis.filter.fields_of_kinds import check_fields
from analysis.filter.question import QuestionError
from analysis.reports.page_address import read_address
from analysis.views.files import chart_context, in_plain_words, send_chart
from corpus.access.guard import study_view
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

        def at(name: str) -> str:
            return reverse("study-style-model-file", args=[study.slug, pk, name])

        context |= chart_context(chart, at)
    return render(request, "metrics/style_model.html", context)


@require_safe
@study_view
def style_model_file(request: HttpRequest, study: Study, pk: int, file_format: str) -> HttpResponse:
    """Send the picture of a model's calibration, or its numbers as a table."""
    model = model_of(study, pk)
    if model.is_graded:
        raise Http404(f"no calibration of {model.name}")
    chart = reliability(model.name, model.report)
    table = chart_table(chart, (f"study {study.slug}", f"model {model.sha256}"))
    named = (study.slug, chart.name, f"model-{pk}", file_format)
    try:
        address = read_address(request.GET)
        check_fields("style-model", address.question)
    except QuestionError as error:
        return in_plain_words(str(error), 400)
    return send_chart(request, chart, table, named, address.theme)
