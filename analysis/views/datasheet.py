"""What a paper must say of a campaign: the methods paragraph, the datasheet, the ethics sheet."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from analysis.datasheets.datasheet import datasheet, ethics_sheet, methods
from annotation.models import Campaign
from corpus.access.guard import study_view
from corpus.models import Study


@require_safe
@study_view
def campaign_datasheet(request: HttpRequest, study: Study, campaign: str) -> HttpResponse:
    """Show all texts, to be copied."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    context = {
        "study": study,
        "campaign": found,
        "heading": f"{found}: for the paper",
        "tab": "study-campaigns",
        "methods": methods(found),
        "datasheet": datasheet(found),
        "ethics": ethics_sheet(found),
    }
    return render(request, "analysis/datasheet.html", context)


@require_safe
@study_view
def datasheet_file(request: HttpRequest, study: Study, campaign: str) -> HttpResponse:
    """Send the datasheet as Markdown."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    return _markdown(datasheet(found), f"{study.slug}-{found.slug}-datasheet.md")


@require_safe
@study_view
def ethics_file(request: HttpRequest, study: Study, campaign: str) -> HttpResponse:
    """Send the ethics sheet as Markdown."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    return _markdown(ethics_sheet(found), f"{study.slug}-{found.slug}-ethics.md")


def _markdown(text: str, name: str) -> HttpResponse:
    reply = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
