"""How far the annotators of a campaign agree so far, for the page of the campaign."""

from typing import Any, cast

from django.contrib.auth.models import User
from django.http import HttpRequest

from analysis.data.states import NotRead
from analysis.monitoring import AspectAgreement, agreement_so_far, statistics_of
from analysis.reading_job import reading_job
from analysis.shown_numbers import number
from analysis.views.waiting import waiting_context
from analysis.wording import AGREEMENT_NAMES
from annotation.models import Campaign


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
