"""Pages of writers: writing the outputs of a system, and models fine-tuned on a study's pairs."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from corpus.access.guard import study_view
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import Study
from metrics.forms.writing import WritingForm
from metrics.models import TrainedModel
from metrics.resources.writer_training import LEFT_OUT, training_words
from metrics.scorers.scorer import Unavailable
from metrics.tuning.tune import METHODS
from metrics.writers.registry import writers
from metrics.writers.writer import WriterError
from metrics.writing.asking import KIND, job_parameters, key_of, outlook, sentences, written_systems
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


_PAGE = {"tab": "study-styles"}


@require_safe
@study_view
def writer_model(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show how the training of a writer went, and what it was made of."""
    writers = TrainedModel.objects.writers().filter(study=study)
    model = get_object_or_404(writers, pk=pk)
    report = model.report
    context = {
        "study": study,
        "heading": model.name,
        "model": model,
        "report": report,
        "words": training_words(report),
        "is_worse": report["epochs"][report["best"]]["valid_loss"]
        >= report["epochs"][0]["valid_loss"],
        "method": METHODS[model.settings["method"]],
        "left_out": [
            (words, report["left_out"][name])
            for name, words in LEFT_OUT.items()
            if report["left_out"].get(name)
        ],
    }
    return render(request, "metrics/writer_model.html", context | _PAGE)
