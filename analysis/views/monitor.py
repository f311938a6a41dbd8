"""A campaign while it runs: progress, agreement so far, what stands out."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.charts.render import size_of, to_svg
from analysis.data.states import NotRead
from analysis.figures import chart_table
from analysis.monitoring import agreement_so_far, statistics_of
from analysis.reading_job import reading_job
from analysis.stopping.look import Look, look_at, sequence_chart
from analysis.views.files import chart_context, in_theme, send_chart
from analysis.views.waiting import waiting_context
from analysis.wording import AGREEMENT_NAMES
from annotation.campaigns.access import campaign_view
from annotation.campaigns.progress import contested, progress, reasons
from annotation.campaigns.service import possible_changes
from annotation.controls.results import control_results
from annotation.designs.control_tests import LEVEL
from annotation.models import Campaign, Withdrawal
from annotation.queue.rounds import ask_for_look
from corpus.access.guard import may_change
from corpus.pages.frame import actor


def agreement_or_job(
    request: HttpRequest, campaign: Campaign, with_withdrawn: bool
) -> dict[str, Any]:
    """Return how far people agree, or the job that has to read a large study first."""
    try:
        found = agreement_so_far(campaign, withdrawn=with_withdrawn)
    except NotRead as error:
        job = reading_job(error.study, actor(request), withdrawn=error.withdrawn)
        return {"reading": waiting_context(request, job)}
    return {
        "statistics": [AGREEMENT_NAMES[name] for name in statistics_of(campaign)],
        "agreement": [vars(row) | {"aspect": row.aspect.replace("_", " ")} for row in found],
    }


_MOST_ROWS = 15


def rule_shown(campaign: Campaign) -> dict[str, Any]:
    """Return what the monitor shows of a rule; nothing where there is none or data are not read.

    Where the queue goes by an older look, a new one is asked for.
    """
    try:
        look = look_at(campaign)
    except NotRead:
        return {}
    if look is None:
        return {}
    if campaign.state == Campaign.State.OPEN and _is_new(campaign, look):
        ask_for_look(campaign)
    shown: dict[str, Any] = {"look": look, "comparisons": look.rows[:_MOST_ROWS]}
    shown["more_comparisons"] = len(look.rows) - len(shown["comparisons"])
    if look.rows:
        chart = sequence_chart(look)
        width, height = size_of(to_svg(chart))
        shown |= chart_context(chart, partial(_file, campaign))
        shown |= {"width": width, "height": height}
    return {"stopping": shown}


@require_safe
@never_cache
@campaign_view(owner=False)
def sequence_file(request: HttpRequest, campaign: Campaign, file_format: str) -> HttpResponse:
    """Send the picture of a rule, or its numbers as a table."""
    look = look_at(campaign)
    if look is None or not look.rows:
        raise Http404("this campaign has no stopping rule")
    chart = sequence_chart(look)
    study = campaign.study
    source = (f"study {study.slug}, campaign {campaign.slug}", look.verdict.signature)
    table = chart_table(chart, source, simulated=study.simulated)
    return send_chart(request, chart, table, (study.slug, campaign.slug, chart.name, file_format))


def _is_new(campaign: Campaign, look: Look) -> bool:
    known, decision = campaign.stopping, look.decision()
    pairs = None if decision.pairs is None else list(map(list, decision.pairs))
    return known.get("pairs") != pairs or (decision.met and "met" not in known)


def _file(campaign: Campaign, file_format: str, theme: str) -> str:
    path = reverse("stopping-sequence", args=[campaign.study.slug, campaign.slug, file_format])
    return in_theme(path, theme)


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
            context |= agreement_or_job(request, campaign, context["with_withdrawn"])
            if campaign.stopping:
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
