"""Starting a campaign: at once where it is small, by a job where there is much to write."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse

from annotation.campaigns.drafts import LaunchError, clear_draft, hold_draft
from annotation.campaigns.service import (
    CampaignError,
    annotators_wanted,
    being_started,
    record,
    start_key,
)
from annotation.designs.assignment import DesignError
from annotation.launch.launching import launch
from annotation.launch.planning import planned
from annotation.models import Annotator, Campaign
from annotation.protocols.protocol import ConfigError
from annotation.selection.pool import Pool, SelectionError, build_pool
from corpus.jobs.progress import Cancelled, Progress
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import Job
from corpus.storage.write_turn import write_turn

KIND = "start campaign"
AT_ONCE = 5000
"""So many rows are written within about a second."""
NOT_STARTED = (LaunchError, SelectionError, DesignError, ConfigError)


def start(campaign: Campaign, actor: User) -> list[Annotator] | Job:
    """Fix items and design, make annotators and open the campaign.

    Returns
    -------
    list of annotators
        Where the campaign is open now.
    Job
        Where there is more to write than within a second; the campaign opens at its end.

    Raises
    ------
    LaunchError, SelectionError, DesignError, ConfigError
        If it cannot be run as it is configured.
    CampaignError
        If it is being started already, or starts with the other campaigns of its set.
    """
    if campaign.set_id:
        raise CampaignError(f"it starts together with the other campaigns of “{campaign.set}”")
    campaign.rules.check(campaign.config)
    count = annotators_wanted(campaign)
    pool = build_pool(campaign)
    if rows_at_start(campaign, pool) > AT_ONCE:
        return _ask(campaign, actor)
    made = planned(campaign, count, pool)
    # Annotators of other campaigns wait their turn meanwhile; planning keeps nobody waiting.
    with write_turn():
        hold_draft(campaign)
        if being_started(campaign):
            raise CampaignError("the campaign is already starting")
        people = launch(campaign, count, made)
        record_start(campaign, actor, people)
    return people


def rows_at_start(campaign: Campaign, pool: Pool) -> int:
    """Estimate how many rows a start writes at most."""
    items = pool.screens.items
    return items * (1 + campaign.ratings_per_item)


def run_start(job: Job, progress: Progress) -> dict[str, Any]:
    """Start the campaign of a job; what another worker has left of it is removed first."""
    campaign = Campaign.objects.select_related("study").get(pk=job.parameters["campaign"])
    page = reverse("campaign-annotators", args=[campaign.study.slug, campaign.slug])
    result = {"link": page}
    if campaign.state != Campaign.State.DRAFT:
        return result

    launch_in_job(campaign, job, progress)
    return result


def launch_in_job(campaign: Campaign, job: Job, progress: Progress) -> None:
    """Launch a campaign some rows at a time.

    Raises
    ------
    JobError
        If it cannot be run as it is configured.
    Cancelled
        With everything removed again that was written.
    """

    @contextmanager
    def turn() -> Iterator[None]:
        with write_turn():
            # A worker whose job was taken over must not write into what the other one writes.
            progress.check()
            yield

    progress.report("planning who rates what")
    try:
        launch(
            campaign,
            annotators_wanted(campaign),
            turn=turn,
            tell=progress.report,
            opened=lambda people: record_start(campaign, job.created_by, people),
        )
    except NOT_STARTED as error:
        raise JobError(f"Not started: {error}.") from None
    except Cancelled:
        clear_draft(campaign, write_turn)
        raise


def _ask(campaign: Campaign, actor: User) -> Job:
    try:
        with transaction.atomic():
            hold_draft(campaign)
            return ask_for_job(
                KIND,
                start_key(campaign),
                study=campaign.study,
                user=actor,
                parameters={"campaign": campaign.pk},
            )
    except JobActive:
        raise CampaignError("the campaign is already starting") from None


def record_start(campaign: Campaign, actor: User | None, people: list[Annotator]) -> None:
    """Leave an entry of a start behind."""
    after = {"annotators": len(people), "items": campaign.items.count()}
    record(campaign, actor, "start campaign", after=after)
