"""A campaign while it runs: progress, agreement so far, what stands out."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotation.campaigns.access import campaign_view
from annotation.campaigns.progress import contested, progress, reasons
from annotation.campaigns.service import possible_changes
from annotation.controls.results import control_results
from annotation.designs.control_tests import LEVEL
from annotation.models import Campaign, Withdrawal
from corpus.access.guard import may_change

STOP_POLLING = 286
"""The status by which htmx stops asking."""
AT_ONCE = 10_000
"""Ratings from which on a page is shown before what takes longest, and a job says how far people
agree: a page would take seconds for it."""
PARTS = {"progress": "analysis/monitor_progress.html", "quality": "analysis/monitor_quality.html"}


@require_safe
@never_cache
@campaign_view(owner=False)
def monitor(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Show a campaign that was started; the page's own script asks for its parts again."""
    study = campaign.study
    owned = may_change(request.user, study)
    if campaign.state == Campaign.State.DRAFT:
        where = "campaign-edit" if owned else "campaign-preview"
        return redirect(where, study.slug, campaign.slug)
    part = request.GET.get("part", "")
    context: dict[str, Any] = {
        "study": study,
        "campaign": campaign,
        "running": campaign.state in (Campaign.State.OPEN, Campaign.State.PAUSED),
        "with_withdrawn": request.GET.get("withdrawn") == "1",
        "owned": owned,
    }
    context["progress"] = progress(campaign)
    context["is_large"] = context["progress"].done > AT_ONCE
    context["deferred"] = context["is_large"] and not part and "whole" not in request.GET
    if part != "progress" and not context["deferred"]:
        context |= _quality(campaign)
        if not context["is_large"]:
            # The page of a large campaign does without all that computes agreement.
            from analysis.views.monitored import agreement_or_job

            context |= agreement_or_job(request, campaign, context["with_withdrawn"])
            if campaign.stopping:
                from analysis.views.monitored import rule_shown

                context |= rule_shown(campaign)
    if part in PARTS:
        status = 200 if context["running"] else STOP_POLLING
        return render(request, PARTS[part], context, status=status)
    context |= {
        "tab": "study-campaigns",
        "part": "campaign",
        "heading": campaign.title or campaign.slug,
        "changes": possible_changes(campaign) if owned else [],
        "progress_part": PARTS["progress"],
        "quality_part": PARTS["quality"],
    }
    return render(request, "analysis/monitor.html", context)


def _quality(campaign: Campaign) -> dict[str, Any]:
    """Return what rests on the answers themselves, and is asked for less often."""
    return {
        "has_withdrawn": Withdrawal.objects.filter(annotator__campaign=campaign).exists(),
        "contested": contested(campaign),
        "reasons": reasons(campaign),
        "controls": control_results(campaign),
        "level": LEVEL,
    }
