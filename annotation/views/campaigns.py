"""A study's campaigns: the list, a new one, its form, its start, its states."""

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
    discard_draft,
    keep_draft,
    prepare,
)
from annotation.forms.form import CampaignForm
from annotation.forms.short import NewCampaignForm
from annotation.launch.starting import NOT_STARTED, start
from annotation.models import Campaign
from annotation.protocols.catalogue import PRESETS
from annotation.views.places import TAB, actor, campaign_frame
from corpus.access.guard import may_change, study_view
from corpus.models import Job, Study


@require_safe
@study_view
def campaigns(request: HttpRequest, study: Study) -> HttpResponse:
    """List the campaigns of a study."""
    context = {
        "study": study,
        "tab": TAB,
        "heading": "Campaigns",
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
    context = {
        "study": study,
        "tab": TAB,
        "heading": "New campaign",
        "form": form,
        "presets": PRESETS.items(),
        "has_texts": study.outputs.exists() and not study.without_texts,
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/owner/new_campaign.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=True)
def edit(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """Everything that is decided before the start; by POST, store it."""
    slug = campaign.slug
    if campaign.state != Campaign.State.DRAFT:
        messages.info(request, "This campaign was started: its design and items are fixed.")
        return redirect("campaign-preview", campaign.study.slug, slug)
    if being_started(campaign):
        return redirect("campaign-preview", campaign.study.slug, slug)
    form = CampaignForm(campaign, request.POST if request.method == "POST" else None)
    valid = request.method == "POST" and form.is_valid()
    if request.GET.get("part") == "load":
        return render(request, "annotation/owner/load.html", {"form": form})
    if valid and "work_out" not in request.POST:
        try:
            keep_draft(campaign, actor(request), form.loaded)
        except ChangedMeanwhile:
            return edit(request, campaign.study.slug, slug)
        except CampaignError as error:
            form.add_error(None, f"{str(error).capitalize()}.")
        else:
            messages.success(request, "Saved. Nobody is invited yet.")
            where = "campaign-edit" if "stay" in request.POST else "campaign-preview"
            return redirect(where, campaign.study.slug, campaign.slug)
    # A refused short name must not end up in the addresses of this page.
    campaign.slug = slug
    heading = f"Prepare {campaign.title or slug}"
    context = campaign_frame(campaign, "campaign-edit", heading) | {"form": form}
    status = 409 if form.met else 400 if form.errors else 200
    return render(request, "annotation/owner/edit.html", context, status=status)


@require_POST
@campaign_view(owner=True)
def discard(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Delete a campaign that was never started."""
    try:
        discard_draft(campaign, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was deleted: {error}.")
    else:
        messages.success(request, f"The draft “{campaign}” is deleted.")
        if campaign.set is not None and campaign.set.pk:
            return redirect("campaign-set", campaign.study.slug, campaign.set.slug)
    return redirect(TAB, campaign.study.slug)


@require_POST
@campaign_view(owner=True)
def start_campaign(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Start, once it was confirmed that design and items are fixed from then on."""
    if request.POST.get("confirmed") != "yes":
        messages.error(
            request, "Not started: confirm that design and items can no longer be changed."
        )
        return redirect("campaign-preview", campaign.study.slug, campaign.slug)
    try:
        started = start(campaign, actor(request))
    except (*NOT_STARTED, CampaignError) as error:
        messages.error(request, f"Not started: {error}.")
        return redirect("campaign-preview", campaign.study.slug, campaign.slug)
    if isinstance(started, Job):
        return redirect("job", started.pk)
    messages.success(
        request,
        f"The campaign is open, with {len(started)} slots for annotators. Next: make their links.",
    )
    return redirect("campaign-annotators", campaign.study.slug, campaign.slug)


@require_POST
@campaign_view(owner=True)
def state(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Pause, resume, close or open again."""
    change = request.POST.get("change", "")
    if change not in CHANGES:
        raise Http404("no such change")
    try:
        change_state(campaign, change, actor(request))
    except CampaignError as error:
        messages.error(request, f"Nothing was changed: {error}.")
    else:
        messages.success(request, f"The campaign is {campaign.get_state_display()} now.")
    return redirect("campaign", campaign.study.slug, campaign.slug)


@require_safe
@campaign_view(owner=False)
def history(request: HttpRequest, campaign: Campaign) -> StreamingHttpResponse:
    """Send every answer with all revisions; annotators by pseudonym only."""
    response = StreamingHttpResponse(history_csv(campaign), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="answers-{campaign.pk}.csv"'
    return response
