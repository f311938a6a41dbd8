"""Starting a campaign or a set: at once where it is small, else by a job."""

from collections.abc import Iterable, Iterator
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
from annotation.launch.planning import check_texts, planned, prepared, previewed
from annotation.models import Annotator, Campaign, CampaignSet, Place
from annotation.protocols.protocol import ConfigError
from annotation.selection.pool import SelectionError, build_pool
from corpus.jobs.progress import Cancelled, Progress
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.jobs.worker import JobError
from corpus.models import Job
from corpus.storage.write_turn import write_turn

KIND = "start campaign"
AT_ONCE = 5000
"""So many rows are written within about a second."""
NOT_STARTED = (LaunchError, SelectionError, DesignError, ConfigError)


def start(place: Place, actor: User) -> list[Annotator] | Job:
    """Fix items and designs, make annotators and open a campaign, or all that are left of a set.

    Returns
    -------
    list of annotators
        Where all is open now: those of the last campaign.
    Job
        Where there is more to write than within a second; the campaigns open at its end.

    Raises
    ------
    LaunchError, SelectionError, DesignError, ConfigError
        If one of them cannot be run as it is configured; then none opens.
    CampaignError
        If it is being started already, or starts with the other campaigns of its set.
    """
    if isinstance(place, Campaign) and place.set_id:
        raise CampaignError(f"it starts together with the other campaigns of “{place.set}”")
    drafts = _drafts(place)
    if not drafts:
        raise CampaignError(
            "this campaign was already started"
            if isinstance(place, Campaign)
            else "every campaign of this set was already started"
        )
    _check(place, drafts)
    pools = [build_pool(campaign) for campaign in drafts]
    # So many rows a start writes at most.
    rows = (
        pool.screens.items * (1 + campaign.ratings_per_item)
        for campaign, pool in zip(drafts, pools, strict=True)
    )
    if sum(rows) > AT_ONCE:
        return _ask(place, actor)
    made = [
        (campaign, planned(campaign, annotators_wanted(campaign), pool))
        for campaign, pool in zip(drafts, pools, strict=True)
    ]
    # Annotators of other campaigns wait their turn meanwhile; planning keeps nobody waiting.
    with write_turn():
        for campaign in sorted(drafts, key=lambda each: each.pk):
            hold_draft(campaign)
        if being_started(place):
            raise CampaignError("the campaign is already starting")
        for campaign, plan in made:
            people = launch(campaign, annotators_wanted(campaign), plan)
            _record_start(campaign, actor, people)
        _drop_unused(place)
    return people


def run_start(job: Job, progress: Progress) -> dict[str, Any]:
    """Start the campaigns of a job one after the other; those that are open stay as they are.

    What another worker has left of one is removed first.
    """
    place: Place
    if "set" in job.parameters:
        place = CampaignSet.objects.select_related("study").get(pk=job.parameters["set"])
        page = reverse("campaign-set", args=[place.study.slug, place.slug])
    else:
        place = Campaign.objects.select_related("study").get(pk=job.parameters["campaign"])
        page = reverse("campaign-annotators", args=[place.study.slug, place.slug])
    drafts = _drafts(place)
    try:
        _check(place, drafts)
    except NOT_STARTED as error:
        raise JobError(f"Not started: {error}.") from None
    for campaign in drafts:
        _launch_in_job(campaign, job, progress)
    with write_turn():
        _drop_unused(place)
    return {"link": page}


def problems(drafts: Iterable[Campaign]) -> list[tuple[Campaign, str]]:
    """Return the campaigns that cannot start as they are, each with the reason."""
    found = []
    for campaign in drafts:
        try:
            previewed(campaign, annotators_wanted(campaign))
            check_texts(campaign)
        except NOT_STARTED as error:
            found.append((campaign, str(error)))
    return found


def _drafts(place: Place) -> list[Campaign]:
    return [each for each in place.tasks if each.state == Campaign.State.DRAFT]


def _check(place: Place, drafts: list[Campaign]) -> None:
    """See whether all can start: of a set none opens before the last is known to."""
    if isinstance(place, Campaign):
        place.rules.check(place.config)
        return
    for campaign in drafts:
        try:
            prepared(campaign, annotators_wanted(campaign))
        except NOT_STARTED as error:
            raise LaunchError(f"{campaign}: {error}") from None


def _launch_in_job(campaign: Campaign, job: Job, progress: Progress) -> None:
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
            opened=lambda people: _record_start(campaign, job.created_by, people),
        )
    except NOT_STARTED as error:
        raise JobError(f"Not started: {error}.") from None
    except Cancelled:
        clear_draft(campaign, write_turn)
        raise


def _drop_unused(place: Place) -> None:
    """Remove people of an interrupted start that was made for more of them."""
    if isinstance(place, CampaignSet):
        place.participants.filter(annotators__isnull=True).delete()


def _ask(place: Place, actor: User) -> Job:
    try:
        with transaction.atomic():
            if isinstance(place, Campaign):
                hold_draft(place)
            return ask_for_job(
                KIND,
                start_key(place),
                study=place.study,
                user=actor,
                parameters={place.relation: place.pk},
            )
    except JobActive:
        raise CampaignError("the campaign is already starting") from None


def _record_start(campaign: Campaign, actor: User | None, people: list[Annotator]) -> None:
    """Leave an entry of a start behind."""
    after = {"annotators": len(people), "items": campaign.items.count()}
    record(campaign, actor, "start campaign", after=after)
