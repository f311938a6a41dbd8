"""Texts that owners decide about before the start: masked texts and practice items."""

from typing import cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from annotation.campaigns.access import campaign_view, person_of
from annotation.campaigns.service import CampaignError, ChangedMeanwhile, keep_draft
from annotation.mask_review.form import MaskForm
from annotation.mask_review.review import (
    ReviewedSegment,
    ReviewError,
    choose_mask,
    correct_masks,
    judged_by_segment,
    meet,
    reviewed,
    show_plain_texts,
)
from annotation.masks.masking import MaskError, is_masked
from annotation.models import Annotator, Campaign
from annotation.practice.form import PracticeForm
from annotation.practice.items import qualify
from annotation.selection.pool import SelectionError, build_pool
from annotation.views.places import frame
from corpus.pages.frame import actor, page_with_form

SEGMENTS_PER_PAGE = 10


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=True)
def masks(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show what annotators would see beside the stored texts; save what the owner corrects."""
    if campaign.state != Campaign.State.DRAFT or not campaign.can_mask:
        messages.info(request, "Masked texts can only be reviewed before the campaign starts.")
        return redirect("campaign-preview", campaign.study.slug, campaign.slug)
    if request.method == "POST" and request.POST.get("action") == "choose":
        return _choose(request, campaign)
    if request.method == "POST" and request.POST.get("action") == "plain":
        return _plain(request, campaign)
    return _review(request, campaign, MaskForm(campaign))


def _choose(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    form = MaskForm(campaign, request.POST)
    if not form.is_valid():
        return _review(request, campaign, form, status=409 if form.met else 400)
    try:
        choose_mask(campaign, form.chosen, actor(request))
    except ReviewError as error:
        messages.error(request, str(error))
    return redirect("campaign-masks", campaign.study.slug, campaign.slug)


def _plain(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Switch masking off, and return to where the start waits for it."""
    try:
        show_plain_texts(campaign, actor(request))
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, f"{campaign} will show plain texts.")
    if campaign.set is not None:
        return redirect("campaign-set", campaign.study.slug, campaign.set.slug)
    return redirect("campaign-preview", campaign.study.slug, campaign.slug)


def _review(
    request: HttpRequest, campaign: Campaign, form: MaskForm, status: int = 200
) -> HttpResponse:
    context = frame(campaign, "campaign-masks", f"Masked texts of {campaign}")
    context |= {"form": form, "is_masked": is_masked(campaign)}
    try:
        segments = judged_by_segment(campaign, build_pool(campaign))
        page = Paginator(list(segments), SEGMENTS_PER_PAGE).get_page(request.GET.get("page"))
        shown = reviewed(campaign, {segment: segments[segment] for segment in page.object_list})
        if request.method == "POST" and status == 200:
            given, again = meet(campaign, shown, request.POST)
            if again is None:
                return _save(request, campaign, shown, given, page.number)
            shown, status, context["met"] = again, 409, True
        context |= {"page_obj": page, "segments": shown}
    except (MaskError, SelectionError) as error:
        context["problem"] = str(error)
    return render(request, "annotation/owner/masks.html", context, status=status)


def _save(
    request: HttpRequest,
    campaign: Campaign,
    shown: list[ReviewedSegment],
    given: dict[int, str],
    number: int,
) -> HttpResponse:
    texts = {text.pk: text.masked for segment in shown for text in segment.texts}
    try:
        changed = correct_masks(campaign, texts, given, actor(request))
    except ReviewError as error:
        messages.error(request, str(error))
    else:
        words = f"{changed} text{'' if changed == 1 else 's'} changed." if changed else ""
        messages.success(request, words or "Nothing had changed.")
    address = reverse("campaign-masks", args=[campaign.study.slug, campaign.slug])
    return redirect(f"{address}?page={number}")


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
            keep_draft(campaign, actor(request), form.loaded)
        except ChangedMeanwhile:
            return practice(request, campaign.study.slug, campaign.slug)
        except CampaignError as error:
            messages.error(request, f"Nothing was saved: {error}.")
        else:
            count = len(form.exercises)
            messages.success(request, f"Saved: {count} practice item{'' if count == 1 else 's'}.")
        return redirect("campaign-practice", campaign.study.slug, campaign.slug)
    context = frame(campaign, "campaign-practice", f"Practice of {campaign}")
    context["form"] = form
    return page_with_form(request, "annotation/owner/practice.html", context)


@require_POST
@campaign_view(owner=True)
def let_go_on(request: HttpRequest, campaign: Campaign, pk: int) -> HttpResponse:
    """Let somebody rate whose practice answers did not fit."""
    found = cast(Annotator, person_of(campaign, pk))
    qualify(found, actor(request))
    messages.success(request, f"{found} can rate items from now on.")
    return redirect("campaign-annotator", campaign.study.slug, campaign.slug, found.pk)
