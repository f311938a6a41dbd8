"""What owners decide about a set of campaigns: its sample and its order."""

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.db import transaction

from annotation.campaigns.edits import SET_CHANGED, Facts, difference
from annotation.campaigns.service import ChangedMeanwhile, keep_draft, record
from annotation.models import Campaign, CampaignSet
from annotation.selection.pool import draw_segments, segments_with_texts

_OUT_OF_THE_WAY = 10_000


def draw_sample(together: CampaignSet, campaign: Campaign) -> None:
    """Draw the segments of all campaigns of a set, as one of them asks for them."""
    there = segments_with_texts(campaign)
    chosen = draw_segments(campaign, there, together.seed)
    together.sample = chosen if len(chosen) < len(there) else None


def facts_of_set(together: CampaignSet, campaigns: Iterable[Campaign]) -> Facts:
    """Return what owners decide about a set, besides what all of its campaigns hold."""
    order = [each.slug for each in sorted(campaigns, key=lambda each: each.position)]
    return {"title": together.title, "by_code": bool(together.invite_code), "order": order}


def keep_set(
    together: CampaignSet,
    campaigns: list[Campaign],
    order: Mapping[int, int],
    actor: User,
    loaded: Facts,
    loaded_tasks: Mapping[int, Facts],
) -> None:
    """Store a set that is being prepared, with what its campaigns share.

    Parameters
    ----------
    together, campaigns
    order
        The new place of each campaign, by primary key.
    actor
    loaded, loaded_tasks
        The facts that the changes were made from, of the set and of each campaign.

    Raises
    ------
    CampaignError
        If one of its campaigns was started meanwhile.
    ChangedMeanwhile
        If somebody stored something else.
    """
    with transaction.atomic():
        # Held first, so that nobody stores something else after it was compared.
        list(together.campaigns.select_for_update(no_key=True).order_by("pk"))
        stored = CampaignSet.objects.get(pk=together.pk)
        before = facts_of_set(stored, stored.tasks)
        if before != loaded:
            raise ChangedMeanwhile("somebody saved this set at the same moment")
        # No two may have one place at any time.
        for campaign in campaigns:
            campaign.position = _OUT_OF_THE_WAY + order[campaign.pk]
            keep_draft(campaign, actor, loaded_tasks[campaign.pk])
        for campaign in campaigns:
            campaign.position = order[campaign.pk]
            campaign.save(update_fields=["position"])
        together.save()
        was, became = difference(before, facts_of_set(together, campaigns))
        if became:
            record(together, actor, SET_CHANGED, before=was, after=became)
