"""Pages of metrics: what is declared of them, asking for runs, and looking at one."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from corpus.access.guard import may_change, study_view
from corpus.jobs.queue import JobActive
from corpus.models import Study
from metrics.forms.metrics import MetricForm, ScoreForm
from metrics.models import Metric, Undefined
from metrics.orientations import declare_metrics
from metrics.runs.asking import ask_for_runs
from metrics.runs.combined_parts import PartColumn, part_columns
from metrics.runs.judge_questions import JudgeCost, asks_a_model, costs_of, raw_answers_csv
from metrics.runs.listing import ListedRun, listed_runs, run_summary
from metrics.runs.models_behind import ModelsBehind
from metrics.runs.requests import RunRequest
from metrics.scorers.registry import UnknownMetric, scorer_class

RUNS_PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@study_view
def metrics(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the metrics, those of unknown orientation first; to owners as a form."""
    owned = may_change(request.user, study)
    if request.method == "POST" and not owned:
        raise PermissionDenied("only an owner of this study may do this")
    listed = _metrics(study)
    styles = _styles(study)
    data = request.POST if request.method == "POST" else None
    # A metric that an import brought meanwhile was not sent and stays as it is.
    forms = [
        MetricForm(
            metric, styles, data if data and f"metric-{metric.pk}-orientation" in data else None
        )
        for metric in listed
    ]
    sent = [form for form in forms if form.is_bound]
    if data is not None and not any(form.errors for form in sent):
        wanted = {form.metric.pk: form.facts for form in sent}
        changed = declare_metrics(study, wanted, cast(User, request.user))
        messages.success(request, _changed_words(changed))
        return redirect("study-metrics", study.slug)
    context: dict[str, Any] = {
        "study": study,
        "heading": "Metrics",
        "tab": "study-metrics",
        "owned": owned,
        "forms": forms,
        "unknown": sum(metric.orientation == Metric.Orientation.UNKNOWN for metric in listed),
        "page_obj": Paginator(listed_runs(study), RUNS_PER_PAGE).get_page(request.GET.get("page")),
        "classifiers": study.metrics.exclude(pk__in=[metric.pk for metric in listed]),
    }
    return render(request, "metrics/metrics.html", context, status=400 if data is not None else 200)


def _metrics(study: Study) -> list[Metric]:
    """Return the metrics that give one score, those that nobody has declared first."""
    scoring = study.metrics.filter(Q(runs__is_distribution=False) | Q(runs=None)).distinct()
    return sorted(scoring, key=lambda metric: metric.orientation != Metric.Orientation.UNKNOWN)


def _styles(study: Study) -> list[str]:
    pairs = study.segments.order_by().values_list("source_style", "target_style").distinct()
    return sorted({style for pair in pairs for style in pair if style})


def _changed_words(changed: Sequence[str]) -> str:
    if not changed:
        return "Nothing had changed."
    return f"Saved: {', '.join(changed)}. Reports will be computed again."


UNDEFINED_PER_PAGE = 50


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True, needs_texts="a metric run")
def score(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the metrics to choose from, and start what was chosen."""
    form = ScoreForm(study, request.POST if request.method == "POST" else None)
    costs: dict[str, JudgeCost] = {}
    if request.method == "POST" and form.is_valid():
        if "confirmed" not in request.POST:
            costs = costs_of(study, form.requests)
        if not costs:
            return _asked(request, study, form.requests)
    context = {
        "study": study,
        "tab": "study-score",
        "heading": "Score",
        "form": form,
        "costs": costs,
    }
    status = 400 if form.is_bound and not costs else 200
    return render(request, "metrics/score.html", context, status=status)


@require_safe
@study_view
def run_page(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show one run: how it was computed, what came out, and what has no score."""
    listed = _listed(study, pk)
    undefined = (
        Undefined.objects.filter(run=listed.run)
        .select_related("output__segment", "output__system")
        .order_by("output__ordinal", "pk")
    )
    context: dict[str, Any] = {
        "study": study,
        "tab": "study-metrics",
        "heading": listed.run.name,
        "listed": listed,
        "spec": _spec(listed),
        "owned": may_change(request.user, study),
        "summary": run_summary(listed.run),
        "page_obj": Paginator(undefined, UNDEFINED_PER_PAGE).get_page(request.GET.get("page")),
        "parameters": listed.run.request.get("parameters", {}),
        "parts": _parts(listed),
        "files": listed.run.versions.get("files", {}),
        "asks": asks_a_model(str(listed.run.request.get("metric", ""))),
        "trained": ModelsBehind(study).of(listed.run),
    }
    return render(request, "metrics/run.html", context)


@require_safe
@study_view
def answers(request: HttpRequest, study: Study, pk: int) -> StreamingHttpResponse:
    """Send what a judge was asked and answered as a table."""
    run = _listed(study, pk).run
    if not asks_a_model(str(run.request.get("metric", ""))):
        raise Http404("no language model was asked by this run")
    response = StreamingHttpResponse(raw_answers_csv(run), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{study.slug}-answers-{run.pk}.csv"'
    return response


@require_POST
@study_view(owner=True)
def score_again(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Score what a run lacks: after a failure, or for texts that came later."""
    run = _listed(study, pk).run
    if not run.request:
        raise Http404("an imported run cannot be scored here")
    return _asked(request, study, [RunRequest(**run.request)])


def _asked(request: HttpRequest, study: Study, requests: list[RunRequest]) -> HttpResponse:
    """Ask for runs and say what became of it; lead to the job if there is one."""
    try:
        asked, jobs = ask_for_runs(study, requests, cast(User, request.user))
    except JobActive as active:
        messages.error(request, f"Not started: {active}.")
        return redirect("job", active.job.pk)
    for metric, reason in asked.refused.items():
        messages.error(request, f"{metric} was not scored: {reason}.")
    for metric, warning in asked.warnings.items():
        messages.warning(request, f"{metric}: {warning}.")
    if asked.found:
        count = len(asked.found)
        words = "1 run was" if count == 1 else f"{count} runs were"
        messages.success(request, f"{words} already computed.")
    return redirect("job", jobs[-1].pk) if jobs else redirect("study-metrics", study.slug)


def _listed(study: Study, pk: int) -> ListedRun:
    found = listed_runs(study, [pk])
    if not found:
        raise Http404(f"no run {pk} of this study")
    return found[0]


def _parts(listed: ListedRun) -> list[PartColumn]:
    """Return the scores that a combined metric takes, those that are still there."""
    spec = _spec(listed)
    if spec is None or "scores" not in spec.needs:
        return []
    named = {
        name.strip()
        for value in listed.run.request["parameters"].values()
        for name in str(value).split(",")
    }
    return [part for part in part_columns(listed.run.study) if part.key in named]


def _spec(listed: ListedRun) -> Any:
    """Return what the metric of a computed run declares; None if it is not known here."""
    request: Mapping[str, Any] = listed.run.request
    try:
        return scorer_class(request["metric"]).spec if request else None
    except UnknownMetric:
        return None
