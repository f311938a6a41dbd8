"""The page on which owners choose segments, and prepare a campaign that rates them."""

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from analysis.choosing.candidates import Candidates, ChoiceError
from analysis.choosing.form import ChooseSegmentsForm
from analysis.choosing.service import Choice, choose
from analysis.data.narrowing import asked_data
from analysis.data.pooling import pooled_words
from analysis.data.selection import measures_of
from analysis.data.states import NotCompared
from analysis.filter.question import QuestionError
from analysis.reports.page_address import read_address
from analysis.verdicts.metrics import share
from analysis.wording import selection_words
from annotation.campaigns.service import CampaignError, prepare
from corpus.access.guard import study_view
from corpus.models import Study

ENTRY = "choose-"
"""Begins the names of parameters that are entries of the form, where a job is waited for."""


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True, needs_texts="a campaign")
def choose_segments(request: HttpRequest, study: Study) -> HttpResponse:
    """Ask which segments; by POST, show them in numbers or prepare the campaign."""
    context: dict[str, Any] = {
        "study": study,
        "tab": "study-saving",
        "heading": "Choose segments for a campaign",
    }
    filters, entries = _parted(request.GET)
    try:
        address = read_address(filters)
        question = address.question
        data = asked_data(study, question)
        among = Candidates(data, question)
    except QuestionError as error:
        context |= {"error": str(error), "selection": []}
        return render(request, "analysis/choose_segments.html", context, status=400)
    posted = request.method == "POST"
    form = ChooseSegmentsForm(among, request.POST if posted else entries or None)
    if form.is_bound and form.is_valid():
        try:
            choice = choose(data, question, form.asked)
            if posted and "preview" not in request.POST:
                return _prepared(request, study, form, choice)
            context |= _shown(choice)
        except NotCompared:
            if not posted:
                raise
            # An address that can be loaded again shows the job, and then what would be chosen.
            return redirect(f"{request.path}?{_with_entries(filters, request.POST).urlencode()}")
        except ChoiceError as error:
            form.add_error(None, f"{error}.")
        except CampaignError as error:
            form.add_error("slug", f"{str(error).capitalize()}.")
    context |= {
        "form": form,
        "selection": selection_words(question),
        "pooled": pooled_words(data.judgements, measures_of(data, among.aspect)),
        "query": address.question_query,
    }
    status = 400 if form.errors else 200
    return render(request, "analysis/choose_segments.html", context, status=status)


def _parted(query: QueryDict) -> tuple[QueryDict, QueryDict]:
    """Part the filter of the report from entries of the form."""
    filters, entries = QueryDict(mutable=True), QueryDict(mutable=True)
    for name, values in query.lists():
        into = entries if name.startswith(ENTRY) else filters
        into.setlist(name.removeprefix(ENTRY), values)
    return filters, entries


def _with_entries(filters: QueryDict, posted: QueryDict) -> QueryDict:
    """Join them again."""
    joined = filters.copy()
    for name, values in posted.lists():
        if name in ChooseSegmentsForm.base_fields:
            joined.setlist(f"{ENTRY}{name}", values)
    return joined


def _prepared(
    request: HttpRequest, study: Study, form: ChooseSegmentsForm, choice: Choice
) -> HttpResponse:
    values = form.cleaned_data
    made = prepare(
        *(study, values["follows"], values["title"], values["slug"], cast(User, request.user)),
        segments=choice.segments,
    )
    messages.success(request, f"A draft was made of {choice.segments.words}.")
    if made[0].set is None:
        return redirect("campaign-edit", study.slug, made[0].slug)
    return redirect("campaign-set-edit", study.slug, made[0].set.slug)


def _shown(choice: Choice) -> dict[str, Any]:
    found, told = choice.segments, choice.told
    chances = sorted(found.inclusion.values())
    return {
        "choice": found,
        "chances": (f"{chances[0]:.3f}", f"{chances[-1]:.3f}") if chances else None,
        "told": told
        and {
            "rated": told.rated,
            "pairs": told.chosen.pairs,
            "by_half": told.by_half,
            "rows": [
                ("in this way", share(told.chosen.told_apart), share(told.chosen.in_full_order)),
                ("at random", share(told.chance.told_apart), share(told.chance.in_full_order)),
            ],
        },
    }
