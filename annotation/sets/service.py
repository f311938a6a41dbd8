"""What owners do with a set of campaigns: its sample, its order, and all of its states at once."""

from collections.abc import Iterable, Mapping

from django.contrib.auth.models import User
from django.db import transaction

from annotation.campaigns.edits import SET_CHANGED, Facts, difference
from annotation.campaigns.service import (
    CHANGES,
    CampaignError,
    ChangedMeanwhile,
    being_started,
    change_state,
    discard_draft,
    keep_draft,
    possible_changes,
    record,
)
from annotation.models import Campaign, CampaignSet
from annotation.selection.pool import draw_segments, segments_with_texts
from corpus.models import Job

State = Campaign.State
_OUT_OF_THE_WAY = 10_000


def tasks(together: CampaignSet) -> list[Campaign]:
    """Return the campaigns of a set in their order, each with the set and its study loaded."""
    found = list(together.campaigns.order_by("position"))
    for campaign in found:
        campaign.set, campaign.study = together, together.study
    return found


def is_draft(campaigns: Iterable[Campaign]) -> bool:
    """Whether nothing of a set was started, so that everything in it can change."""
    return all(campaign.state == State.DRAFT for campaign in campaigns)


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
        before = facts_of_set(stored, tasks(stored))
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


def discard_set(together: CampaignSet, actor: User) -> None:
    """Delete a set of which nothing was started.

    Raises
    ------
    CampaignError
        If something was.
    """
    campaigns = tasks(together)
    if not is_draft(campaigns):
        raise CampaignError("campaigns of this set were started")
    for campaign in reversed(campaigns):
        discard_draft(campaign, actor)


def changes_of_set(campaigns: Iterable[Campaign]) -> list[tuple[str, str]]:
    """Return what can be done with at least one of the campaigns, with its words."""
    possible = {change for campaign in campaigns for change in possible_changes(campaign)}
    return [
        (name, f"{words} all") for name, (words, *_) in CHANGES.items() if (name, words) in possible
    ]


def change_set(together: CampaignSet, change: str, actor: User) -> int:
    """Pause, resume, close or open again all campaigns that allow it; return how many.

    Raises
    ------
    CampaignError
        If none does.
    """
    allowed = CHANGES[change][1]
    found = [campaign for campaign in tasks(together) if campaign.state in allowed]
    if not found:
        raise CampaignError("no campaign of this set is in a state that allows it")
    for campaign in found:
        change_state(campaign, change, actor)
    return len(found)


def set_being_started(campaigns: Iterable[Campaign]) -> Job | None:
    """Return the job that is starting a set; None where none is waiting or running."""
    return next((job for each in campaigns if (job := being_started(each))), None)
