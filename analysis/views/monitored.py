"""What a monitor shows that is computed of answers: agreement so far, and the stopping rule."""

from functools import partial
from typing import Any, cast

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from analysis.charts.render import size_of, to_svg
from analysis.data.states import NotRead
from analysis.figures import chart_table
from analysis.monitoring import AspectAgreement, agreement_so_far, statistics_of
from analysis.reading_job import reading_job
from analysis.shown_numbers import number
from analysis.stopping.look import Look, look_at, sequence_chart
from analysis.views.files import chart_context, in_theme, send_chart
from analysis.views.waiting import waiting_context
from analysis.wording import AGREEMENT_NAMES
from annotation.campaigns.access import campaign_view
from annotation.models import Campaign
from annotation.queue.rounds import ask_for_look


def agreement_or_job(
    request: HttpRequest, campaign: Campaign, with_withdrawn: bool
) -> dict[str, Any]:
    """Return how far people agree, or the job that has to read a large study first."""
    try:
        found = agreement_so_far(campaign, withdrawn=with_withdrawn)
    except NotRead as error:
        job = reading_job(error.study, cast(User, request.user), withdrawn=error.withdrawn)
        return {"reading": waiting_context(request, job)}
    return {
        "statistics": [AGREEMENT_NAMES[name] for name in statistics_of(campaign)],
        "agreement": [_row(row) for row in found],
    }


def _row(row: AspectAgreement) -> dict[str, Any]:
    return {
        "aspect": row.aspect.replace("_", " "),
        "units": row.units,
        "twice": row.twice,
        "numbers": [number(result) for result in row.results.values()],
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
