"""Pages of style resources: trained models and lexicons of a study."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from corpus.access.guard import may_change, study_view
from corpus.imports.uploads import NotAnUpload
from corpus.jobs.queue import JobActive
from corpus.models import Job, Study
from corpus.pages.imports import takes_files
from corpus.texts.lexicons import LexiconError, lexicon_entries
from metrics.forms.styles import LexiconForm, PruneForm, TrainForm
from metrics.forms.writing import TrainWriterForm
from metrics.models import TrainedModel
from metrics.resources import lexicon_training
from metrics.resources.lexicon_training import ask_for_lexicon, keep_lexicon
from metrics.resources.style_training import StyleTraining, own_labels, own_splits
from metrics.resources.trained_models import models_of
from metrics.resources.training import ask_for_training
from metrics.resources.writer_training import LEFT_OUT, WriterTraining, training_words
from metrics.styles.evaluation import interval_words, quality_words
from metrics.styles.kinds import KINDS, TITLES
from metrics.styles.labelled import TrainingError
from metrics.tuning.tune import METHODS

WORDS_PER_PAGE = 500
_PAGE = {"tab": "study-styles"}


@require_safe
@study_view
def styles(request: HttpRequest, study: Study) -> HttpResponse:
    """List the trained models, lexicons and fine-tuned writers of a study."""
    kinds = (StyleTraining.job_kind, lexicon_training.KIND, WriterTraining.job_kind)
    context = {
        "study": study,
        "heading": "Styles",
        "owned": may_change(request.user, study),
        "models": [(model, quality_words(model.report)) for model in models_of(study)],
        "kinds": TITLES,
        "writers": [
            (model, WriterTraining.quality(model.report))
            for model in study.trained_models.writers()
        ],
        "lexicons": [(lexicon, len(lexicon.entries)) for lexicon in study.lexicons.all()],
        "jobs": study.jobs.active().filter(kind__in=kinds),
    }
    return render(request, "metrics/styles.html", context | _PAGE)


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def train_model(request: HttpRequest, study: Study) -> HttpResponse:
    """Take labelled texts, and start training a model."""
    shown = {"own": own_labels(study), "splits": own_splits(study)}
    return _training(request, study, "Train a model", TrainForm, ask_for_training, shown)


@takes_files
@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def train_lexicon(request: HttpRequest, study: Study) -> HttpResponse:
    """Take labelled texts, and start training a lexicon."""
    shown = {"own": own_labels(study)}
    return _training(request, study, "Train a lexicon", LexiconForm, ask_for_lexicon, shown)


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True)
def train_writer(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the form of fine-tuning a writer; by POST, start it."""
    shown = {"splits": own_splits(study)}
    return _training(request, study, "Fine-tune a writer", TrainWriterForm, ask_for_training, shown)


def _training(
    request: HttpRequest,
    study: Study,
    heading: str,
    form_class: Any,
    ask: Callable[..., Job],
    shown: Mapping[str, Any],
) -> HttpResponse:
    """Show the form of a training; by POST, start it."""
    posted, what = request.method == "POST", heading.rpartition(" ")[2]
    form = form_class(request.POST, request.FILES) if posted else form_class()
    if posted and form.is_valid():
        try:
            return redirect("job", ask(study, form.request(), request.user).pk)
        except JobActive as active:
            messages.info(request, f"A {what} with this name is already being trained; here it is.")
            return redirect("job", active.job.pk)
        except (TrainingError, LexiconError, NotAnUpload) as error:
            form.add_error(None, str(error))
    context = {"study": study, "heading": heading, "form": form, **shown, **_PAGE}
    status = 400 if posted else 200
    return render(request, f"metrics/train_{what}.html", context, status=status)


def model_of(study: Study, pk: int) -> TrainedModel:
    """Return a trained model that a study may use; 404 if there is none."""
    model = models_of(study).filter(pk=pk).first()
    if model is None:
        raise Http404(f"no trained model {pk} that this study may use")
    return model


def model_context(study: Study, pk: int) -> dict[str, Any]:
    """Return what the page of a model shows: how good it is, and what it was made of."""
    model = model_of(study, pk)
    report = model.report
    return {
        "study": study,
        "heading": model.name,
        "model": model,
        "kind": KINDS[model.kind].title if model.kind in KINDS else model.kind,
        "report": report,
        "quality": quality_words(report),
        "interval": interval_words(report),
        "majority": None if model.is_graded else f"{100 * report['majority']:.1f} %",
        "left_out": [
            (name.replace("_", " "), count) for name, count in report["left_out"].items() if count
        ],
        "settings": {name: value for name, value in model.settings.items() if name != "by_split"},
        "learns": model.kind not in KINDS or KINDS[model.kind].learns,
        "confusion": list(zip(model.styles, report.get("confusion", []), strict=False)),
    } | _PAGE


@require_http_methods(["GET", "HEAD", "POST"])
@study_view
def lexicon(request: HttpRequest, study: Study, pk: int) -> HttpResponse:
    """Show the words of a lexicon; owners store what they keep of it under a new name."""
    owned = may_change(request.user, study)
    if request.method == "POST" and not owned:
        raise PermissionDenied("only an owner of this study may do this")
    stored = get_object_or_404(study.lexicons, pk=pk)
    entries = lexicon_entries(stored)
    page = Paginator(range(len(entries)), WORDS_PER_PAGE).get_page(request.GET.get("page"))
    data = request.POST if request.method == "POST" else None
    form = PruneForm(
        entries, cast(range, page.object_list), data, {"name": _next_name(study, stored.name)}
    )
    if data is not None and form.is_valid():
        chosen = form.chosen()
        try:
            if not chosen:
                raise LexiconError("No word would be left; keep at least one.")
            kept = keep_lexicon(study, form.cleaned_data["name"], chosen, cast(User, request.user))
        except LexiconError as error:
            form.add_error(None, str(error))
        else:
            same = kept.pk == stored.pk or kept.name != form.cleaned_data["name"]
            words = f"{kept.name} already has exactly these {len(chosen):,} words."
            messages.success(
                request, words if same else f"{kept.name} was stored with {len(chosen):,} words."
            )
            return redirect("study-lexicon", study.slug, kept.pk)
    context = {
        "study": study,
        "heading": stored.name,
        "lexicon": stored,
        "count": len(entries),
        "owned": owned,
        "form": form,
        "page_obj": page,
    }
    return render(
        request, "metrics/lexicon.html", context | _PAGE, status=400 if data is not None else 200
    )


def _next_name(study: Study, name: str) -> str:
    """Propose a name that no lexicon has."""
    taken = set(study.lexicons.values_list("name", flat=True))
    number = 2
    while f"{name} {number}"[-200:] in taken:
        number += 1
    return f"{name} {number}"[-200:]


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
