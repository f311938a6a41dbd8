"""The guard between people and campaigns: that of the study, and the campaign is of the study."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from annotation.models import Annotator, Campaign
from corpus.access import study_view
from corpus.models import Study

_View = Callable[Concatenate[HttpRequest, Campaign, ...], HttpResponseBase]
_Guarded = Callable[..., HttpResponse]


def campaign_view(*, owner: bool) -> Callable[[_View], _Guarded]:
    """Turn a view of (request, campaign) into one of (request, slug, campaign's slug)."""

    def decorate(inner: _View) -> _Guarded:
        @study_view(owner=owner)
        @wraps(inner)
        def guarded(
            request: HttpRequest, study: Study, campaign: str, *args: Any, **kwargs: Any
        ) -> Any:
            return inner(request, campaign_of(study, campaign), *args, **kwargs)

        return guarded

    return decorate


def campaign_of(study: Study, slug: str) -> Campaign:
    """Return a campaign of a study that is run here.

    Raises
    ------
    Http404
        If there is none, or its ratings were imported.
    """
    found = study.campaigns.filter(slug=slug, origin=Campaign.Origin.LIVE).first()
    if found is None:
        raise Http404(f"no campaign {slug!r} in this study")
    found.study = study
    return found


def annotator_of(campaign: Campaign, pk: int) -> Annotator:
    """Return one of a campaign's annotators.

    Raises
    ------
    Http404
        If it is none of them.
    """
    found = campaign.annotators.filter(pk=pk).first()
    if found is None:
        raise Http404("no such annotator in this campaign")
    found.campaign = campaign
    return found
