"""Pages on which systems are made here: baselines, and outputs of writers."""

from typing import Any, cast

from django import forms
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from corpus.access.guard import study_view
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import Study, System
from corpus.pages.choices import offer
from metrics.baselines import (
    ATTRIBUTE,
    JOB_KIND,
    KINDS,
    SEEDED,
    Baseline,
    BaselineError,
    checked,
    job_parameters,
    key_of_job,
)
from metrics.forms.writing import WritingForm
from metrics.scorers.scorer import Unavailable
from metrics.writers.registry import writers
from metrics.writers.writer import WriterError
from metrics.writing.asking import ask_for_writing, outlook, sentences, written_systems
from metrics.writing.requests import PlannedWriting, Planner


class BaselinesForm(forms.Form):
    """Which baselines are wanted."""

    kinds = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, label="Baselines")
    seed = forms.IntegerField(
        initial=0,
        min_value=0,
        max_value=2**31 - 1,
        help_text=f"Of {' and '.join(SEEDED)}; another seed makes another system.",
    )
    lexicon = forms.ChoiceField(
        required=False, label="Style lexicon", help_text="Whose words style-deleted leaves out."
    )

    def __init__(self, study: Study, data: Any = None) -> None:
        super().__init__(data)
        self._study = study
        lexicons = [(name, name) for name in study.lexicons.values_list("name", flat=True)]
        kinds = {k: words for k, words in KINDS.items() if lexicons or k != "style-deleted"}
        offer(self, "kinds", [(kind, f"{kind}: {words}") for kind, words in kinds.items()])
        offer(self, "lexicon", lexicons)
        if not lexicons:
            del self.fields["lexicon"]

    def clean(self) -> dict[str, Any]:
        """Check that the study has what each is made of."""
        values = self.cleaned_data
        if not self.errors:
            lexicon = values.get("lexicon", "")
            try:
                wanted = [Baseline(kind, values["seed"], lexicon) for kind in values["kinds"]]
                self.baselines = checked(self._study, wanted)
            except BaselineError as error:
                self.add_error(None, str(error))
        return values


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True, needs_texts="a baseline")
def baselines(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the baselines that there are and may be, and make those that are chosen."""
    form = BaselinesForm(study, request.POST if request.method == "POST" else None)
    if form.is_bound and form.is_valid():
        try:
            job = ask_for_job(
                JOB_KIND,
                key_of_job(study),
                study=study,
                user=cast(User, request.user),
                parameters=job_parameters(form.baselines),
            )
        except JobActive as active:
            messages.error(request, f"Not started: {active}.")
            job = active.job
        return redirect("job", job.pk)
    systems = study.systems.filter(kind=System.Kind.SYSTEM)
    context = {
        "study": study,
        "heading": "Baselines",
        "tab": "study-baselines",
        "form": form,
        "made": [system.name for system in systems if ATTRIBUTE in system.attributes],
    }
    return render(request, "metrics/baselines.html", context, status=400 if form.is_bound else 200)


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
        job = ask_for_writing(study, planned, cast(User, request.user))
    except JobActive as active:
        messages.error(request, f"Not started: {active}.")
        job = active.job
    return redirect("job", job.pk)
