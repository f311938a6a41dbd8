"""Storing a learned metric from its report."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from analysis.filter.question import QuestionError
from analysis.learned_runs import LearnedMetricError, ask_for_learned
from analysis.reports.page_address import read_address
from corpus.access.guard import may_change, study_view
from corpus.models import Study


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
        run, jobs = ask_for_learned(study, address.question, into, cast(User, request.user))
    except (LearnedMetricError, QuestionError) as error:
        messages.error(request, f"Not stored: {error}.")
        return redirect(back)
    if jobs:
        return redirect("job", jobs[0].pk)
    messages.success(request, f"Stored already: {run.name}.")
    return redirect(back)
