"""The page of a study's reports, by the questions that they help to answer."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from corpus.access.guard import study_view
from corpus.models import Study


@require_safe
@study_view
def reports(request: HttpRequest, study: Study) -> HttpResponse:
    """Show the four questions of a study, each with its reports and when to read which."""
    context = {"study": study, "heading": "Reports", "tab": "study-reports"}
    return render(request, "analysis/reports.html", context)
