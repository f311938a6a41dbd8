"""The page that asks a language model what raters are asked."""

from collections import Counter
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from analysis.judging.asked import KIND, ask_judge, judging_cost, question_of
from analysis.judging.form import JudgingForm
from analysis.judging.questions import JudgingError
from annotation.models import Campaign
from corpus.access.guard import may_change, study_view
from corpus.jobs.queue import JobActive
from corpus.models import Study
from metrics.runs.judge_questions import asks_a_model
from metrics.runs.listing import listed_runs


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
    context = {
        "study": study,
        "tab": "study-judges",
        "heading": "Judges",
        "owned": owned,
        "form": form,
        "jobs": study.jobs.active().filter(kind=KIND),
        "estimate": estimate,
        "runs": _runs(study),
        "campaigns": _campaigns(study),
    }
    status = 400 if form is not None and form.errors else 200
    return render(request, "analysis/judges.html", context, status=status)


def _asked(request: HttpRequest, study: Study, form: JudgingForm) -> HttpResponse:
    jobs = ask_judge(study, form.judging, cast(User, request.user))
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
