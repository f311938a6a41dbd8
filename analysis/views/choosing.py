"""The page on which owners choose segments, and prepare a campaign that rates them."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from analysis.choosing.candidates import Candidates, ChoiceError
from analysis.choosing.service import Choice, SegmentsAsked, choose
from analysis.data.narrowing import asked_data
from analysis.data.pooling import pooled_words
from analysis.data.selection import measures_of
from analysis.data.states import NotCompared
from analysis.filter.question import QuestionError
from analysis.reports.page_address import read_address
from analysis.verdicts.metrics import share
from analysis.wording import selection_words
from annotation.campaigns.service import CampaignError, prepare
from annotation.forms.short import NewCampaignForm
from corpus.access.guard import study_view
from corpus.models import Study
from corpus.pages.frame import actor, page_with_form, study_frame

SHARE = 4
"""A quarter of the segments is proposed."""
TITLE = "Chosen segments"


class ChooseSegmentsForm(NewCampaignForm):
    """Which segments are chosen, and what the campaign that rates them is called."""

    by = forms.ChoiceField(label="Chosen by")
    segments = forms.IntegerField(min_value=1)
    way = forms.ChoiceField(
        label="How",
        choices=[
            ("probability", "at random, with probabilities that are known: means can be weighted"),
            ("top", "the best: for comparing systems only"),
        ],
        initial="probability",
        widget=forms.RadioSelect,
    )
    strata = forms.MultipleChoiceField(
        label="Within",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Each part of the study gets its share of the segments, and at least one.",
    )
    allocation = forms.ChoiceField(
        label="Share of each part",
        choices=[("proportional", "in proportion to its segments"), ("equal", "as many as others")],
        required=False,
    )
    unrated = forms.BooleanField(label="Only segments that nobody rated", required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**31, initial=1, help_text="Of the sample.")
    field_order = (
        *("by", "segments", "way", "strata", "allocation", "unrated", "seed"),
        *("title", "slug", "follows"),
    )

    def __init__(self, among: Candidates, data: Any = None) -> None:
        super().__init__(data, initial={"title": TITLE})
        self.fields["title"].widget.attrs.pop("autofocus", None)
        self.fields["by"].choices = among.ways  # type: ignore[attr-defined]
        self.fields["segments"].initial = max(1, len(among.rows) // SHARE)
        self.fields["segments"].help_text = f"Of {len(among.rows):,}."
        if among.strata:
            names = [(name, name) for name in among.strata]
            self.fields["strata"].choices = names  # type: ignore[attr-defined]
        else:
            del self.fields["strata"], self.fields["allocation"]

    @property
    def asked(self) -> SegmentsAsked:
        """What a valid form asks for."""
        values = self.cleaned_data
        return SegmentsAsked(
            by=values["by"],
            count=values["segments"],
            way=values["way"],
            allocation=values.get("allocation") or "proportional",
            strata=tuple(values.get("strata") or ()),
            unrated=values["unrated"],
            seed=values["seed"],
        )


ENTRY = "choose-"
"""Begins the names of parameters that are entries of the form, where a job is waited for."""


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True, needs_texts="a campaign")
def choose_segments(request: HttpRequest, study: Study) -> HttpResponse:
    """Ask which segments; by POST, show them in numbers or prepare the campaign."""
    context = study_frame(study, "study-saving", "Choose segments for a campaign")
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
    return page_with_form(request, "analysis/choose_segments.html", context)


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
        *(study, values["follows"], values["title"], values["slug"], actor(request)),
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
