"""A study's campaigns and sets: the list, a new one, its form, its start, its states."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from annotation.campaigns.access import campaign_view
from annotation.campaigns.history import history_csv
from annotation.campaigns.progress import campaigns_listed
from annotation.campaigns.service import (
    CHANGES,
    CampaignError,
    ChangedMeanwhile,
    being_started,
    change_state,
    is_draft,
    prepare,
)
from annotation.campaigns.service import discard as discard_drafts
from annotation.forms.form import CampaignForm
from annotation.forms.short import NewCampaignForm
from annotation.launch.starting import NOT_STARTED, start
from annotation.models import Campaign, CampaignSet, Place
from annotation.protocols.catalogue import PRESETS
from annotation.sets.form import SetForm
from annotation.views.places import TAB, address_of, frame, people_of_place
from corpus.access.guard import may_change, study_view
from corpus.models import Job, Study
from corpus.pages.frame import actor, page_with_form, study_frame


@require_safe
@study_view
def campaigns(request: HttpRequest, study: Study) -> HttpResponse:
    """List the campaigns of a study."""
    context = study_frame(study, TAB, "Campaigns") | {
        "owned": may_change(request.user, study),
        "has_texts": study.outputs.exists() and not study.without_texts,
        "campaigns": campaigns_listed(study),
    }
    return render(request, "annotation/owner/campaigns.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@study_view(owner=True, needs_texts="a campaign")
def new_campaign(request: HttpRequest, study: Study) -> HttpResponse:
    """Ask for a name and a protocol; by POST, prepare the campaign."""
    form = NewCampaignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            made = prepare(
                study, values["follows"], values["title"], values["slug"], actor(request)
            )
        except CampaignError as error:
            form.add_error("slug", f"{str(error).capitalize()}.")
        else:
            together = made[0].set
            if together is None:
                return redirect("campaign-edit", study.slug, made[0].slug)
            messages.success(request, f"A set of {len(made)} campaigns was prepared.")
            return redirect("campaign-set-edit", study.slug, together.slug)
    context = study_frame(study, TAB, "New campaign") | {
        "form": form,
        "presets": PRESETS.items(),
        "has_texts": study.outputs.exists() and not study.without_texts,
    }
    return page_with_form(request, "annotation/owner/new_campaign.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=True)
def edit(request: HttpRequest, place: Place) -> HttpResponseBase:
    """Everything that is decided before the start; by POST, store it."""
    slug, is_set = place.slug, isinstance(place, CampaignSet)
    shown = "campaign-set" if is_set else "campaign-preview"
    starting = being_started(place)
    if not is_draft(place) or starting:
        if not starting:
            messages.info(request, "It was started: what is decided here is fixed from then on.")
        return redirect(shown, place.study.slug, slug)
    form = _form(place, request.POST if request.method == "POST" else None)
    valid = request.method == "POST" and form.is_valid()
    if request.GET.get("part") == "load":
        return render(request, "annotation/owner/load.html", {"form": form})
    if valid and "work_out" not in request.POST:
        try:
            form.keep(actor(request))
        except ChangedMeanwhile:
            own = {"campaign_set" if is_set else "campaign": slug}
            return edit(request, place.study.slug, **own)
        except CampaignError as error:
            form.add_error(None, f"{str(error).capitalize()}.")
        else:
            messages.success(request, "Saved. Nobody is invited yet.")
            page = f"{'campaign-set' if is_set else 'campaign'}-edit"
            where = page if "stay" in request.POST else shown
            return redirect(where, place.study.slug, place.slug)
    # A refused short name must not end up in the addresses of this page.
    place.slug = slug
    context = frame(place, "campaign-edit", f"Prepare {place}") | {"form": form}
    page = f"annotation/owner/{'set_' if is_set else ''}edit.html"
    return page_with_form(request, page, context)


def _form(place: Place, data: Any) -> CampaignForm | SetForm:
    return SetForm(place, data) if isinstance(place, CampaignSet) else CampaignForm(place, data)


@require_POST
@campaign_view(owner=True)
def discard(request: HttpRequest, place: Place) -> HttpResponse:
    """Delete a campaign, or a set, of which nothing was started."""
    try:
        discard_drafts(place, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was deleted: {error}.")
        if isinstance(place, CampaignSet):
            return redirect(address_of(place))
    else:
        what = "set" if isinstance(place, CampaignSet) else "draft"
        messages.success(request, f"The {what} “{place}” is deleted.")
        if isinstance(place, Campaign) and place.set is not None and place.set.pk:
            return redirect("campaign-set", place.study.slug, place.set.slug)
    return redirect(TAB, place.study.slug)


@require_POST
@campaign_view(owner=True)
def start_campaign(request: HttpRequest, place: Place) -> HttpResponse:
    """Start, once it was confirmed that designs and items are fixed from then on."""
    is_set = isinstance(place, CampaignSet)
    before = address_of(place) if is_set else address_of(place, "preview")
    if request.POST.get("confirmed") != "yes":
        messages.error(
            request, "Not started: confirm that design and items can no longer be changed."
        )
        return redirect(before)
    try:
        started = start(place, actor(request))
    except (*NOT_STARTED, CampaignError) as error:
        messages.error(request, f"Not started: {error}.")
        return redirect(before)
    if isinstance(started, Job):
        return redirect("job", started.pk)
    slots = f"with {len(started)} slots for annotators. Next: make their links."
    words = "All campaigns are open, " if is_set else "The campaign is open, "
    messages.success(request, words + slots)
    return redirect(people_of_place(place))


@require_POST
@campaign_view(owner=True)
def state(request: HttpRequest, place: Place) -> HttpResponse:
    """Pause, resume, close or open again; of a set, all campaigns that allow it."""
    change = request.POST.get("change", "")
    if change not in CHANGES:
        raise Http404("no such change")
    try:
        count = change_state(place, change, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        what = "The campaign is" if count == 1 else f"{count} campaigns are"
        messages.success(request, f"{what} {Campaign.State(CHANGES[change][2]).label} now.")
    return redirect(address_of(place))


@require_safe
@campaign_view(owner=False)
def history(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Send every answer with all revisions; annotators by pseudonym only."""
    response = StreamingHttpResponse(history_csv(campaign), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="answers-{campaign.pk}.csv"'
    return response
