"""Pages of what was learned: style models, trying them, and storing a learned metric."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.data.narrowing import asked_data
from analysis.figures import chart_table, reliability
from analysis.filter.fields_of_kinds import check_fields
from analysis.filter.question import Question, QuestionError
from analysis.learned_runs import LearnedMetricError, ask_for_learned
from analysis.nearest import nearest_segments
from analysis.reports.page_address import read_address
from analysis.views.files import chart_context, in_plain_words, in_theme, send_chart
from corpus.access.guard import may_change, study_view
from corpus.models import Study
from corpus.pages.frame import actor
from metrics.scorers.scorer import Unavailable
from metrics.trials.trial import Busy, own_turn
from metrics.trials.views import trial_page
from metrics.views.styles import model_context, model_of


@require_safe
@study_view
def style_model(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show how good a model is, and what it was made of."""
    context: dict[str, Any] = model_context(study, pk)
    model = context["model"]
    if not model.is_graded:
        chart = reliability(model.name, model.report)

        def at(form: str, theme: str) -> str:
            return in_theme(reverse("study-style-model-file", args=[study.slug, pk, form]), theme)

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


@require_http_methods(["GET", "HEAD", "POST"])
@study_view
def try_in_study(request: HttpRequest, study: Study) -> HttpResponse:
    """Show a trial, and the rated segments whose sources are nearest to its source."""
    context, status = trial_page(request, study)
    if "trial" in context:
        try:
            with own_turn():
                context["nearest"] = nearest_segments(
                    study, asked_data(study, Question()), context["trial"].source
                )
        except (Unavailable, Busy) as error:
            context["nearest_missing"] = str(error).rstrip(".")
    context |= {"heading": "Try it", "tab": "study-try"}
    return render(request, "analysis/try.html", context, status=status)


@require_POST
@study_view(owner=True)
def store_learned(request: HttpRequest, study: Study) -> HttpResponse:
    """Store what a report learned as a metric of its study, or of another one of the owner."""
    back = f"{reverse('study-learned-metric', args=[study.slug])}?{request.GET.urlencode()}"
    slug = request.POST.get("into", "").strip()
    into = Study.objects.filter(slug=slug).first() if slug else study
    if into is None or not may_change(request.user, into):
        messages.error(request, f"Not stored: you own no study {slug!r}.")
        return redirect(back)
    try:
        address = read_address(request.GET)
        run, jobs = ask_for_learned(study, address.question, into, actor(request))
    except (LearnedMetricError, QuestionError) as error:
        messages.error(request, f"Not stored: {error}.")
        return redirect(back)
    if jobs:
        return redirect("job", jobs[0].pk)
    messages.success(request, f"Stored already: {run.name}.")
    return redirect(back)
