"""The page on which metrics are tried; the same parts serve the page of a study."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from corpus.access.guard import study_for
from corpus.models import Output, Study, System
from corpus.studies.texts_needed import why_not
from metrics.trials.form import TrialForm
from metrics.trials.scores import tried_metrics
from metrics.trials.styles import MOST_MODELS, STEPS, explanation, models_for, style_views
from metrics.trials.trial import Busy, own_turn


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def try_it(request: HttpRequest) -> HttpResponse:
    """Show what models and metrics make of two texts."""
    slug = request.GET.get("study", "")
    study = study_for(request.user, slug) if slug else None
    context, status = trial_page(request, study)
    return render(request, "metrics/try.html", context, status=status)


def trial_page(request: HttpRequest, study: Study | None) -> tuple[dict[str, Any], int]:
    """Return what a page of a trial shows, and its status.

    `trial` is in it only if texts were sent and nothing is wrong with them.
    """
    found = list(models_for(request.user, study)[: MOST_MODELS + 1])
    models = found[:MOST_MODELS]
    sent = request.method == "POST"
    initial, wrong = ({}, "") if sent or study is None else _picked(request, study)
    data = request.POST if sent else None
    form = TrialForm(models, _styles(study), data, initial=initial or None)
    context: dict[str, Any] = {
        "study": study,
        "form": form,
        "pick_error": wrong,
        "systems": _systems(study),
        "picked": {name: request.GET.get(name, "") for name in ("segment", "system")},
        "most_models": MOST_MODELS if len(found) > MOST_MODELS else 0,
    }
    if not (sent and form.is_valid()):
        return context, 400 if sent or wrong else 200
    trial, model = form.trial, form.chosen_model
    try:
        with own_turn():
            context |= {
                "trial": trial,
                "styles": style_views(trial, models),
                "explanation": explanation(trial, model),
                "steps": range(1, len(STEPS) + 1),
                "metrics": tried_metrics(trial, model),
                "model": model,
            }
    except Busy as busy:
        form.add_error(None, str(busy))
        return context, 503
    return context, 200


def _picked(request: HttpRequest, study: Study) -> tuple[dict[str, str], str]:
    segment = request.GET.get("segment", "").strip()
    return picked(study, segment, request.GET.get("system", "")) if segment else ({}, "")


def _systems(study: Study | None) -> list[str]:
    if study is None:
        return []
    real = study.systems.filter(kind=System.Kind.SYSTEM).order_by("ordinal")
    return list(real.values_list("name", flat=True))


def _styles(study: Study | None) -> list[str]:
    if study is None:
        return []
    styles = study.segments.order_by().values_list("target_style", flat=True).distinct()
    return sorted(filter(None, styles))


def picked(study: Study, segment: str, system: str) -> tuple[dict[str, str], str]:
    """Return texts for the form, or what is wrong with what was asked for."""
    texts = Output.objects.filter(study=study, segment__key=segment, variant=1)
    rows = list(texts.select_related("segment", "system").order_by("ordinal"))
    if not rows:
        return {}, f"This study has no segment {segment!r}."
    of_kind: Mapping[str, Output] = {str(row.system.kind): row for row in reversed(rows)}
    initial = {
        "source": _text(of_kind, System.Kind.SOURCE),
        "reference": _text(of_kind, System.Kind.REFERENCE),
        "target_style": rows[0].segment.target_style,
    }
    output = next((row for row in rows if row.system.name == system), None)
    if output is None and system:
        return initial, f"Segment {segment!r} has no output of {system!r}."
    if output and output.known_text is None:
        return initial, f"{why_not('this page')[:1].upper()}{why_not('this page')[1:]}."
    return initial | {"output": output.text if output else ""}, ""


def _text(of_kind: Mapping[str, Output], kind: str) -> str:
    found = of_kind.get(str(kind))
    return found.text if found else ""
