"""What a paper must say of a campaign: the methods paragraph and the datasheet."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from analysis.datasheets.datasheet import datasheet, methods
from annotation.models import Campaign
from corpus.access import study_view
from corpus.models import Study


@require_safe
@study_view
def campaign_datasheet(request: HttpRequest, study: Study, campaign: str) -> HttpResponse:
    """Show both texts, to be copied."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    context = {
        "study": study,
        "campaign": found,
        "heading": f"{found}: for the paper",
        "tab": "study-campaigns",
        "methods": methods(found),
        "datasheet": datasheet(found),
    }
    return render(request, "analysis/datasheet.html", context)


@require_safe
@study_view
def datasheet_file(request: HttpRequest, study: Study, campaign: str) -> HttpResponse:
    """Send the datasheet as Markdown."""
    found = get_object_or_404(Campaign, study=study, slug=campaign)
    reply = HttpResponse(datasheet(found), content_type="text/markdown; charset=utf-8")
    name = f"{study.slug}-{found.slug}-datasheet.md"
    reply["Content-Disposition"] = f'attachment; filename="{name}"'
    return reply
