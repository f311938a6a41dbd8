"""What a campaign will be like: its design in numbers, and its pages as annotators see them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_http_methods, require_safe

from annotation.campaigns.access import campaign_view
from annotation.campaigns.service import annotators_wanted, being_started
from annotation.launch.appendix import self_contained
from annotation.launch.previewing import prospect, screen_in_prospect
from annotation.masks.masking import lacks_mask
from annotation.models import Campaign
from annotation.protocols.language import language_of
from annotation.rating.screens import Screen
from annotation.views.places import frame, markdown
from annotation.views.showing import shown_screen


@require_safe
@campaign_view(owner=False)
def preview(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show load, overlap, agreement statistics to come, the texts and the first screen."""
    found = prospect(campaign)
    language = language_of(campaign.config)
    context = frame(campaign, "campaign-preview") | {
        "prospect": found,
        "lacks_mask": bool(found.problem) and lacks_mask(campaign),
        "annotators_wanted": annotators_wanted(campaign),
        "is_draft": campaign.state == Campaign.State.DRAFT,
        "starting": being_started(campaign),
        "guidelines": markdown(campaign.guidelines),
        "consent": markdown(campaign.consent),
        "language": language,
    }
    if found.screen:
        with translation.override(language):
            context["first_screen"] = shown_screen(found.screen, get_token(request))
    return render(request, "annotation/owner/preview.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_view(owner=False)
def try_out(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show one screen of the first annotator as a page; what is sent goes nowhere."""
    number = _number(request)
    here = reverse("campaign-try", args=[campaign.study.slug, campaign.slug])
    if request.method == "POST":
        return redirect(f"{here}?screen={number + 1}")
    screen = screen_in_prospect(campaign, number)
    with translation.override(language_of(campaign.config)):
        return _tried(request, campaign, number, screen, here)


def _tried(
    request: HttpRequest, campaign: Campaign, number: int, screen: Screen | None, here: str
) -> HttpResponse:
    context: dict[str, Any] = {"campaign": campaign, "number": number, "study": campaign.study}
    if screen:
        context["annotator"] = screen.annotator
        context["shown"] = shown_screen(
            screen, get_token(request), submit_to=f"{here}?screen={number}"
        )
    return render(request, "annotation/owner/try_out.html", context)


def _number(request: HttpRequest) -> int:
    text = request.GET.get("screen", "0")
    return int(text) if text.isdecimal() and len(text) < 9 else 0


@require_safe
@campaign_view(owner=True)
def appendix(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show guidelines, consent and the first item page, to be printed or downloaded."""
    return HttpResponse(_page(request, campaign, on_site=True))


@require_safe
@campaign_view(owner=True)
def appendix_html(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send the page as one file."""
    reply = HttpResponse(self_contained(_page(request, campaign, on_site=False)))
    name = f"{campaign.study.slug}-{campaign.slug}-appendix.html"
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply


def _page(request: HttpRequest, campaign: Campaign, *, on_site: bool) -> str:
    language = language_of(campaign.config)
    screen = screen_in_prospect(campaign, 0)
    context = {
        "study": campaign.study,
        "campaign": campaign,
        "language": language,
        "consent": markdown(campaign.consent),
        "guidelines": markdown(campaign.guidelines),
        "aspects": [each.aspect for each in campaign.rules.questions(campaign.config)],
        "on_site": on_site,
    }
    if screen:
        # A file keeps no token of the person who made it.
        token = get_token(request) if on_site else ""
        with translation.override(language):
            context["screen"] = shown_screen(screen, token)
    return render_to_string("annotation/owner/appendix.html", context, request)
