"""Starting all campaigns of a set: at once where they are small, by a job else."""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from annotation.campaigns.drafts import LaunchError, hold_draft
from annotation.campaigns.service import CampaignError, annotators_wanted, start_key_of_set
from annotation.launch.launching import launch
from annotation.launch.planning import check_texts, planned, prepared, previewed
from annotation.launch.starting import (
    AT_ONCE,
    NOT_STARTED,
    launch_in_job,
    record_start,
    rows_at_start,
)
from annotation.models import Campaign, CampaignSet
from annotation.selection.pool import build_pool
from annotation.sets.service import set_being_started, tasks
from corpus.jobs.progress import Progress
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import Job
from corpus.storage.write_turn import write_turn

KIND = "start campaigns"


def start_set(together: CampaignSet, actor: User) -> Job | None:
    """Fix items and designs of all campaigns, make the people and open everything.

    Returns
    -------
    Job
        Where there is more to write than within a second; None where all campaigns are open now.

    Raises
    ------
    LaunchError
        If one of the campaigns cannot be run as it is configured; the message names it.
    CampaignError
        If there is nothing to start, or it is being started already.
    """
    drafts = _drafts(together)
    if not drafts:
        raise CampaignError("every campaign of this set was already started")
    pools = [build_pool(campaign) for campaign in _checked(drafts)]
    rows = sum(rows_at_start(each, pool) for each, pool in zip(drafts, pools, strict=True))
    if rows > AT_ONCE:
        return _ask(together, actor)
    made = [
        planned(campaign, annotators_wanted(campaign), pool)
        for campaign, pool in zip(drafts, pools, strict=True)
    ]
    with write_turn():
        for campaign in sorted(drafts, key=lambda each: each.pk):
            hold_draft(campaign)
        if set_being_started(drafts):
            raise CampaignError("the campaigns are already starting")
        for campaign, plan in zip(drafts, made, strict=True):
            people = launch(campaign, annotators_wanted(campaign), plan)
            record_start(campaign, actor, people)
        _drop_unused(together)
    return None


def run_start_of_set(job: Job, progress: Progress) -> dict[str, Any]:
    """Start the campaigns of a job one after the other; those that are open stay as they are."""
    together = CampaignSet.objects.select_related("study").get(pk=job.parameters["set"])
    drafts = _drafts(together)
    try:
        _checked(drafts)
    except LaunchError as error:
        raise JobError(f"Not started: {error}.") from None
    for campaign in drafts:
        launch_in_job(campaign, job, progress)
    with write_turn():
        _drop_unused(together)
    return {"link": reverse("campaign-set", args=[together.study.slug, together.slug])}


def _drafts(together: CampaignSet) -> list[Campaign]:
    return [each for each in tasks(together) if each.state == Campaign.State.DRAFT]


def problems_of_set(drafts: Iterable[Campaign]) -> list[tuple[Campaign, str]]:
    """Return the campaigns that cannot start as they are, each with the reason."""
    found = []
    for campaign in drafts:
        try:
            previewed(campaign, annotators_wanted(campaign))
            check_texts(campaign)
        except NOT_STARTED as error:
            found.append((campaign, str(error)))
    return found


def _checked(drafts: list[Campaign]) -> list[Campaign]:
    """Return the campaigns if all of them can start: none opens before the last is known to."""
    for campaign in drafts:
        try:
            prepared(campaign, annotators_wanted(campaign))
        except NOT_STARTED as error:
            raise LaunchError(f"{campaign}: {error}") from None
    return drafts


def _drop_unused(together: CampaignSet) -> None:
    """Remove people of an interrupted start that was made for more of them."""
    together.participants.filter(annotators__isnull=True).delete()


def _ask(together: CampaignSet, actor: User) -> Job:
    try:
        with transaction.atomic():
            return ask_for_job(
                KIND,
                start_key_of_set(together.pk),
                study=together.study,
                user=actor,
                parameters={"set": together.pk},
            )
    except JobActive:
        raise CampaignError("the campaigns are already starting") from None
