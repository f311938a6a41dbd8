"""Pages of writers that are fine-tuned on a study's pairs."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from corpus.access.guard import study_view
from corpus.jobs.queue import JobActive
from corpus.models import Study
from corpus.texts.splits import study_splits
from metrics.forms.tuning import TrainWriterForm
from metrics.models import TrainedModel
from metrics.resources.training import ask_for_training
from metrics.resources.writer_training import (
    LEFT_OUT,
    training_words,
)
from metrics.styles.labelled import TrainingError
from metrics.tuning.tune import METHODS

_PAGE = {"tab": "study-styles"}


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def train_writer(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the form of fine-tuning a writer; by POST, start it."""
    posted = request.method == "POST"
    form = TrainWriterForm(request.POST) if posted else TrainWriterForm()
    if posted and form.is_valid():
        try:
            job = ask_for_training(study, form.request, cast(User, request.user))
            return redirect("job", job.pk)
        except JobActive as active:
            messages.info(request, "A writer with this name is already being trained; here it is.")
            return redirect("job", active.job.pk)
        except TrainingError as error:
            form.add_error(None, str(error))
    counts = study_splits(study).counts()
    context = {
        "study": study,
        "heading": "Fine-tune a writer",
        "form": form,
        "splits": [(split, count) for split, count in counts.items() if count],
    }
    return render(
        request, "metrics/train_writer.html", context | _PAGE, status=400 if posted else 200
    )


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
