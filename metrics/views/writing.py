"""The page on which owners let a writer write the outputs of a system."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.access.guard import study_view
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import Study
from metrics.forms.writing import WritingForm
from metrics.scorers.scorer import Unavailable
from metrics.writers.registry import writers
from metrics.writers.writer import WriterError
from metrics.writing.asking import KIND, job_parameters, key_of, outlook
from metrics.writing.listing import written_systems
from metrics.writing.outlook_words import sentences
from metrics.writing.requests import PlannedWriting, Planner


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True, needs_texts="a writer")
def write(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the writers; of the chosen one what it would take, and start it."""
    chosen = writers().get(request.GET.get("writer", ""))
    context: dict[str, Any] = {
        "study": study,
        "tab": "study-write",
        "heading": "Write outputs",
        "writers": [writer.spec for writer in writers().values()],
        "written": written_systems(study),
    }
    if chosen is None:
        return render(request, "metrics/write.html", context)
    planner = Planner(study)
    form = WritingForm(
        study, chosen.spec, planner.splits, request.POST if request.method == "POST" else None
    )
    context |= {"spec": chosen.spec, "form": form}
    if not form.is_bound or not form.is_valid():
        status = 400 if form.is_bound else 200
        return render(request, "metrics/write.html", context, status=status)
    try:
        planned = planner.plan(form.request)
    except (WriterError, Unavailable) as error:
        form.add_error(None, str(error))
        return render(request, "metrics/write.html", context, status=400)
    if request.POST.get("action") == "write":
        return _started(request, study, planned)
    context["outlook"] = list(sentences(planned, outlook(study, planned), form.prices))
    return render(request, "metrics/write.html", context)


def _started(request: HttpRequest, study: Study, planned: PlannedWriting) -> HttpResponse:
    try:
        job = ask_for_job(
            KIND,
            key_of(study, planned.signature),
            study=study,
            user=cast(User, request.user),
            parameters=job_parameters(planned),
        )
    except JobActive as active:
        messages.error(request, f"Not started: {active}.")
        job = active.job
    return redirect("job", job.pk)
