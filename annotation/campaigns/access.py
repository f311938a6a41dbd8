"""The guard between people and campaigns: that of the study, and the campaign is of the study."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404

from annotation.models import Annotator, Campaign, CampaignSet, Participant
from corpus.access.guard import study_view
from corpus.models import Study

_View = Callable[Concatenate[HttpRequest, Campaign, ...], HttpResponseBase]
_SetView = Callable[Concatenate[HttpRequest, CampaignSet, ...], HttpResponseBase]
_PlaceView = Callable[Concatenate[HttpRequest, Campaign | CampaignSet, ...], HttpResponseBase]
_Guarded = Callable[..., HttpResponseBase]


def campaign_view(*, owner: bool, imported: bool = False) -> Callable[[_View], _Guarded]:
    """Turn a view of (request, campaign) into one of (request, slug, campaign's slug).

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
            request: HttpRequest, study: Study, campaign: str, *args: Any, **kwargs: Any
        ) -> Any:
            return inner(request, campaign_of(study, campaign, imported=imported), *args, **kwargs)

        return guarded

    return decorate


def set_view(*, owner: bool) -> Callable[[_SetView], _Guarded]:
    """Turn a view of (request, set) into one of (request, study's slug, set's slug)."""

    def decorate(inner: _SetView) -> _Guarded:
        @study_view(owner=owner)
        @wraps(inner)
        def guarded(
            request: HttpRequest, study: Study, campaign_set: str, *args: Any, **kwargs: Any
        ) -> Any:
            return inner(request, set_of(study, campaign_set), *args, **kwargs)

        return guarded

    return decorate


def place_view(view: _PlaceView) -> _Guarded:
    """Turn an owner's view of (request, campaign or set) into one of study and either's slug."""

    @study_view(owner=True)
    @wraps(view)
    def guarded(
        request: HttpRequest,
        study: Study,
        campaign: str = "",
        campaign_set: str = "",
        **kwargs: Any,
    ) -> Any:
        place = set_of(study, campaign_set) if campaign_set else campaign_of(study, campaign)
        return view(request, place, **kwargs)

    return guarded


def set_of(study: Study, slug: str) -> CampaignSet:
    """Return a set of a study whose campaigns are not imported: those have nobody to invite.

    Raises
    ------
    Http404
        If there is none.
    """
    live = study.campaign_sets.filter(campaigns__origin=Campaign.Origin.LIVE).distinct()
    found = get_object_or_404(live, slug=slug)
    found.study = study
    return found


def campaign_of(study: Study, slug: str, *, imported: bool = False) -> Campaign:
    """Return a campaign of a study; one whose ratings were imported only where asked for.

    Raises
    ------
    Http404
        If there is none.
    """
    campaigns = study.campaigns.select_related("set")
    if not imported:
        campaigns = campaigns.filter(origin=Campaign.Origin.LIVE)
    found = get_object_or_404(campaigns, slug=slug)
    if found.set is not None:
        found.set.study = study
    return found


def annotator_of(campaign: Campaign, pk: int) -> Annotator:
    """Return one of a campaign's annotators; `Http404` if it is none of them."""
    return get_object_or_404(campaign.annotators, pk=pk)


def participant_of(together: CampaignSet, pk: int) -> Participant:
    """Return one of the people of a set; `Http404` if it is none of them."""
    return get_object_or_404(together.participants, pk=pk)
