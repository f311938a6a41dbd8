"""Leaving before the end, with the code that a panel wants for it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from annotation.models import Annotator, Assignment
from annotation.panels.ending import leave, left_by_choice
from annotation.panels.outcomes import Outcome
from annotation.rating.tasks import is_through
from annotation.views.guard import annotator_view


@require_http_methods(["GET", "HEAD", "POST"])
@annotator_view
def leave_now(request: HttpRequest, annotator: Annotator) -> HttpResponse:
    """Show the code of somebody who left; by POST, let them leave."""
    if request.method != "POST" and not left_by_choice(annotator):
        return redirect("rate", annotator.public_id)
    campaign = annotator.campaign
    refused = bool(campaign.consent) and annotator.consented_at is None
    if not refused and is_through(annotator):
        return redirect("rate", annotator.public_id)
    ending = leave(annotator, Outcome.NO_CONSENT if refused else Outcome.STOPPED)
    if request.method == "POST":
        return redirect("rate-leave" if ending else "rate", annotator.public_id)
    answered = annotator.assignments.filter(state=Assignment.State.SUBMITTED).exists()
    context = {
        "annotator": annotator, "campaign": campaign, "ending": ending, "answered": answered
    }  # fmt: skip
    return render(request, "annotation/left.html", context)
