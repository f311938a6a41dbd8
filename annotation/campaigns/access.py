"""The guard between people and campaigns: that of the study, and the campaign is of the study."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from annotation.models import Campaign, CampaignSet, Invitee, Place
from corpus.access.guard import study_view
from corpus.models import Study

_View = Callable[Concatenate[HttpRequest, Any, ...], HttpResponseBase]
_Guarded = Callable[..., HttpResponseBase]


def campaign_view(*, owner: bool, imported: bool = False) -> Callable[[_View], _Guarded]:
    """Turn a view of (request, campaign or set) into one of (request, study's slug, its slug).

    Parameters
    ----------
    owner
        Whether only owners of the study may open it.
    imported
        Whether there is such a page of imported campaigns too.
    """

    def decorate(inner: _View) -> _Guarded:
        @study_view(owner=owner)
        @wraps(inner)
        def guarded(
            request: HttpRequest,
            study: Study,
            campaign: str = "",
            campaign_set: str = "",
            **kwargs: Any,
        ) -> Any:
            place: Place = (
                _set_of(study, campaign_set)
                if campaign_set
                else _campaign_of(study, campaign, imported=imported)
            )
            return inner(request, place, **kwargs)

        return guarded

    return decorate


def _set_of(study: Study, slug: str) -> CampaignSet:
    """Return a set of a study whose campaigns are not imported: those have nobody to invite."""
    live = study.campaign_sets.filter(campaigns__origin=Campaign.Origin.LIVE).distinct()
    found = get_object_or_404(live, slug=slug)
    found.study = study
    return found


def _campaign_of(study: Study, slug: str, *, imported: bool) -> Campaign:
    """Return a campaign of a study; one whose ratings were imported only where asked for."""
    campaigns = study.campaigns.select_related("set")
    if not imported:
        campaigns = campaigns.filter(origin=Campaign.Origin.LIVE)
    found = get_object_or_404(campaigns, slug=slug)
    if found.set is not None:
        found.set.study = study
    return found


def person_of(place: Place, pk: int) -> Invitee:
    """Return somebody of a campaign or set; `Http404` if they are not of it."""
    people: Any = place.people
    found: Invitee = get_object_or_404(people, pk=pk)
    return found
