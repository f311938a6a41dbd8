"""The metrics of a study and what is declared of them."""

from collections.abc import Sequence
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.access.guard import may_change, study_view
from corpus.models import Study
from metrics.forms.metrics import MetricForm
from metrics.models import Metric
from metrics.orientations import declare_metrics
from metrics.runs.listing import listed_runs

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
