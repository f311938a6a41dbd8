"""What annotators see, on one page for a paper's appendix."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils import translation
from django.views.decorators.http import require_safe

from annotation.campaigns.access import campaign_view
from annotation.launch.appendix import PictureError, as_pdf, self_contained
from annotation.launch.previewing import screen_in_prospect
from annotation.markdown import markdown
from annotation.models import Campaign
from annotation.protocols.language import language_of
from annotation.views.showing import shown_screen


@require_safe
@campaign_view(owner=True)
def appendix(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show guidelines, consent and the first item page, to be printed or downloaded."""
    return HttpResponse(_page(request, campaign, on_site=True))


@require_safe
@campaign_view(owner=True)
def appendix_html(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send the page as one file."""
    page = self_contained(_page(request, campaign, on_site=False))
    return _file(page.encode(), campaign, "html", "text/html; charset=utf-8")


@require_safe
@campaign_view(owner=True)
def appendix_pdf(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Send the page as PDF, or say why there is none."""
    try:
        made = as_pdf(self_contained(_page(request, campaign, on_site=False)))
    except PictureError as error:
        messages.error(request, str(error))
        return redirect("campaign-preview", campaign.study.slug, campaign.slug)
    return _file(made, campaign, "pdf", "application/pdf")


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
        "makes_pdf": bool(settings.CHROMIUM),
    }
    if screen:
        # A file keeps no token of the person who made it.
        token = get_token(request) if on_site else ""
        with translation.override(language):
            context["screen"] = shown_screen(screen, token)
    return render_to_string("annotation/owner/appendix.html", context, request)


def _file(content: bytes, campaign: Campaign, ending: str, kind: str) -> HttpResponse:
    reply = HttpResponse(content, content_type=kind)
    name = f"{campaign.study.slug}-{campaign.slug}-appendix.{ending}"
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
