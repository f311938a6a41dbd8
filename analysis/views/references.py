"""Pages on references: how far they are from sources, and whether it matters which is taken."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from analysis.data import matrices
from analysis.references import (
    reference_pairs,
    reference_sentences,
    requests_against_each,
    source_distances,
)
from analysis.reports.page_address import opened_sections
from corpus.access.guard import may_change, study_view
from corpus.jobs.queue import JobActive
from corpus.models import Study
from corpus.pages.frame import actor
from metrics.runs.asking import ask_for_runs
from metrics.runs.requests import Planner

ASKS = "Does it matter which reference outputs are compared with?"
STUDIES_PER_PAGE = 20


@require_safe
@login_required
def distances(request: HttpRequest) -> HttpResponse:
    """Show what people's texts score against their sources, in every study one may open."""
    visible = Study.objects.visible_to(request.user).order_by("-pk")
    page = Paginator(visible, STUDIES_PER_PAGE).get_page(request.GET.get("page"))
    found = source_distances(list(page.object_list))
    scored = {each.study.pk for metric in found for each in metric.studies}
    context: dict[str, Any] = {
        "metrics": found,
        "page_obj": page,
        "unscored": [
            (study, may_change(request.user, study)) for study in page if study.pk not in scored
        ],
    }
    return render(request, "analysis/distances.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner_posts=True)
def references(request: HttpRequest, study: Study) -> HttpResponse:
    """Show how scores against one reference go with those against another; owners start runs."""
    owned = may_change(request.user, study)
    if request.method == "POST":
        return _asked(request, study)
    pairs = reference_pairs(matrices.load(study))
    context = {
        "study": study,
        "page": {"title": "References", "asks": ASKS},
        "url_name": "study-references",
        "opened": opened_sections(request.GET),
        "summary": reference_sentences(pairs),
        "owned": owned,
        "count": Planner(study).references,
        "pairs": pairs,
    }
    return render(request, "analysis/references.html", context)


def _asked(request: HttpRequest, study: Study) -> HttpResponse:
    """Start the runs that are lacking, and lead to their job."""
    try:
        asked, jobs = ask_for_runs(study, requests_against_each(), actor(request))
    except JobActive as active:
        messages.error(request, f"Not started: {active}.")
        return redirect("job", active.job.pk)
    for metric, reason in asked.refused.items():
        messages.error(request, f"{metric} was not scored: {reason}.")
    if not jobs and not asked.refused:
        messages.success(request, "All of these runs are there already.")
    return redirect("job", jobs[-1].pk) if jobs else redirect("study-references", study.slug)
