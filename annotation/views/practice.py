"""What owners decide about practice: the items before the start, and who may go on all the same."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from annotation.campaigns.access import annotator_of, campaign_view
from annotation.campaigns.service import CampaignError, ChangedMeanwhile, keep_draft
from annotation.models import Campaign
from annotation.practice.form import PracticeForm
from annotation.practice.items import qualify


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=True)
def practice(request: HttpRequest, campaign: Campaign) -> HttpResponseBase:
    """Show the practice items with room for one more; by POST, store them."""
    if campaign.state != Campaign.State.DRAFT:
        messages.info(request, "Practice can only be changed before a campaign starts.")
        return redirect("campaign-preview", campaign.study.slug, campaign.slug)
    form = PracticeForm(campaign, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            keep_draft(campaign, cast(User, request.user), form.loaded)
        except ChangedMeanwhile:
            return practice(request, campaign.study.slug, campaign.slug)
        except CampaignError as error:
            messages.error(request, f"Nothing was saved: {error}.")
        else:
            count = len(form.exercises)
            messages.success(request, f"Saved: {count} practice item{'' if count == 1 else 's'}.")
        return redirect("campaign-practice", campaign.study.slug, campaign.slug)
    context = {
        "study": campaign.study,
        "campaign": campaign,
        "tab": "study-campaigns",
        "part": "campaign-practice",
        "heading": f"Practice of {campaign}",
        "form": form,
    }
    status = 409 if form.met else 400 if form.errors else 200
    return render(request, "annotation/owner/practice.html", context, status=status)


@require_POST
@campaign_view(owner=True)
def let_go_on(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Let somebody rate whose practice answers did not fit."""
    found = annotator_of(campaign, pk)
    qualify(found, cast(User, request.user))
    messages.success(request, f"{found} can rate items from now on.")
    return redirect("campaign-annotator", campaign.study.slug, campaign.slug, found.pk)
