"""The page that asks a language model what raters are asked."""

from collections import Counter
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from analysis.judging.asked import KIND, Judging, ask_judge, judging_cost, question_of
from analysis.judging.questions import JudgingError, aspects_of
from annotation.models import Campaign
from corpus.access.guard import may_change, study_view
from corpus.jobs.queue import JobActive
from corpus.models import Study
from corpus.pages.choices import offer
from corpus.pages.frame import actor, page_with_form, study_frame
from metrics.runs.judge_questions import asks_a_model
from metrics.runs.listing import listed_runs
from metrics.scorers.chat_completions import allowed_addresses
from metrics.weights.registered import MODELS

SEPARATOR = "\x1f"
LOCAL = "a model of this machine"


def _price(label: str, help_text: str = "") -> forms.FloatField:
    return forms.FloatField(
        label=label, required=False, min_value=0, max_value=1e9, initial=0, help_text=help_text
    )


class JudgingForm(forms.Form):
    """Which question is put to whom, and what it may cost."""

    question = forms.ChoiceField(required=False, help_text="Asked as the campaign asks its raters.")
    guidelines = forms.BooleanField(
        required=False,
        initial=True,
        label="Put the campaign’s guidelines before the question",
        help_text="They make every prompt longer.",
    )
    segments = forms.IntegerField(
        required=False,
        min_value=0,
        initial=0,
        help_text="Of pairs of all systems: how many segments are compared; 0 for all.",
    )
    base_url = forms.ChoiceField(required=False, label="Address")
    model = forms.CharField(max_length=200, initial="smollm2")
    answer = forms.ChoiceField(
        choices=[
            ("weighted", "the mean weighted by probabilities"),
            ("greedy", "the number that it writes"),
        ],
        label="Answer of a model of this machine",
    )
    price_in = _price("Price of a million tokens read")
    price_out = _price("Price of a million tokens written")
    budget = _price(
        "Budget",
        "0 for no limit. Where it is used up the run stops, its answers are kept, and the same "
        "form with a larger budget goes on.",
    )

    def __init__(self, study: Study, data: Any = None, campaign: str = "") -> None:
        super().__init__(data)
        questions = [
            (f"{each.slug}{SEPARATOR}{aspect}", f"{each}: {aspect}")
            for each in study.campaigns.all()
            for aspect in aspects_of(each)
        ]
        pairs = ("", "Which of two outputs is better, for all pairs of systems")
        offer(self, "question", [*questions, pairs])
        chosen = [key for key, _ in questions if key.startswith(f"{campaign}{SEPARATOR}")]
        self.fields["question"].initial = (chosen if campaign else [""])[0] if chosen else ""
        addresses = allowed_addresses()
        offer(self, "base_url", [("", LOCAL), *((each, each) for each in addresses)])
        local = ", ".join(("smollm2", *MODELS.names()))
        self.fields[
            "model"
        ].help_text = f"On this machine: {local}. At an address: as the address knows it."

    @property
    def judging(self) -> Judging:
        """What a valid form asks for."""
        values = dict(self.cleaned_data)
        campaign, _, aspect = values.pop("question").partition(SEPARATOR)
        numbers = ("segments", "price_in", "price_out", "budget")
        values |= {name: values[name] or 0 for name in numbers}
        return Judging(campaign, aspect, **values)


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner_posts=True)
def judges(request: HttpRequest, study: Study) -> HttpResponse:
    """List what judges were asked; owners ask one, after a look at prompt and cost."""
    owned = may_change(request.user, study) and not study.without_texts
    sent = request.method == "POST"
    data = request.POST if sent else None
    form = JudgingForm(study, data, request.GET.get("campaign", "")) if owned else None
    estimate: dict[str, Any] = {}
    if sent and form is not None and form.is_valid():
        try:
            if "confirmed" in request.POST:
                return _asked(request, study, form)
            question = question_of(study, form.judging)
            estimate = {"prompt": question.prompt, "cost": judging_cost(study, form.judging)}
        except JudgingError as error:
            form.add_error(None, f"{error}.")
        except JobActive as active:
            messages.error(request, f"Not started: {active}.")
            return redirect("job", active.job.pk)
    context = study_frame(study, "study-judges", "Judges") | {
        "owned": owned,
        "form": form,
        "jobs": study.jobs.active().filter(kind=KIND),
        "estimate": estimate,
        "runs": _runs(study),
        "campaigns": _campaigns(study),
    }
    return page_with_form(request, "analysis/judges.html", context)


def _asked(request: HttpRequest, study: Study, form: JudgingForm) -> HttpResponse:
    jobs = ask_judge(study, form.judging, actor(request))
    if jobs:
        return redirect("job", jobs[-1].pk)
    messages.success(request, "This was asked and answered before.")
    return redirect("study-judges", study.slug)


def _runs(study: Study) -> list[dict[str, Any]]:
    """Return the runs of judges, each with how many prompts its model was asked with."""
    runs = [
        listed
        for listed in listed_runs(study)
        if asks_a_model(str(listed.run.request.get("metric", "")))
    ]
    who = [
        (each.run.request["metric"], each.run.request["parameters"].get("model")) for each in runs
    ]
    asked = {
        (key, each.run.request["parameters"].get("prompt"))
        for key, each in zip(who, runs, strict=True)
    }
    prompts = Counter(key for key, _ in asked)
    return [
        {"listed": each, "model": key[1], "prompts": prompts[key]}
        for key, each in zip(who, runs, strict=True)
    ]


def _campaigns(study: Study) -> list[dict[str, Any]]:
    """Return the campaigns whose pairs a model judged, with what it was asked."""
    found = study.campaigns.filter(origin=Campaign.Origin.IMPORTED).order_by("pk")
    return [
        {"campaign": each, "judge": each.config["judge"]}
        for each in found
        if isinstance(each.config.get("judge"), dict)
    ]
