"""What owners do with campaigns: prepare, start, pause, close; each leaves an entry behind."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.text import slugify

from annotation.campaigns.drafts import LaunchError, bring, clear_draft
from annotation.campaigns.edits import CHANGED, SET_CHANGED, Facts, difference, facts
from annotation.chosen_segments import ChosenSegments
from annotation.models import Campaign, CampaignSet, Place
from annotation.models.campaign import new_seed
from annotation.protocols.catalogue import PRESETS
from annotation.protocols.language import language_for
from annotation.queue.shared_queue import return_all
from corpus.models import AuditEntry, Job, Study
from corpus.storage.write_turn import in_write_turn, write_turn
from corpus.studies.texts_needed import TextsNeeded, check_texts

State = Campaign.State
RESERVED_SLUGS = frozenset({"new"})
ANNOTATORS = 3
"""How many annotators, and ratings per item, a new campaign is prepared for."""
CHANGES: dict[str, tuple[str, tuple[str, ...], str]] = {
    "pause": ("Pause", (State.OPEN,), State.PAUSED),
    "resume": ("Resume", (State.PAUSED,), State.OPEN),
    "close": ("Close", (State.OPEN, State.PAUSED), State.CLOSED),
    "reopen": ("Open again", (State.CLOSED,), State.OPEN),
}
"""What an owner may do with a campaign that was started: words, from which states, to which."""


class ChangedMeanwhile(Exception):
    """Somebody stored something else between reading and writing."""


class CampaignError(ValueError):
    """Something that cannot be done with a campaign; the message says why."""


def prepare(
    study: Study,
    chosen: str,
    title: str,
    slug: str,
    actor: User,
    segments: ChosenSegments | None = None,
) -> list[Campaign]:
    """Make campaigns to be filled in: one of a protocol, or all of a preset.

    Several campaigns are the tasks of a set, in the preset's order.

    Parameters
    ----------
    study
    chosen
        ``"protocol:<key>"`` or ``"preset:<key>"``.
    title, slug
        Of the campaign or set; to the names of a set's campaigns their protocols are added.
    actor
    segments
        Those that were chosen to be rated.

    Raises
    ------
    CampaignError
        If the slug is taken or reserved, or the study has no texts.
    """
    try:
        check_texts(study, "a campaign")
    except TextsNeeded as error:
        raise CampaignError(str(error)) from None
    kind, _, key = chosen.partition(":")
    wanted = PRESETS[key].campaigns if kind == "preset" else ((key, {}),)
    made: list[Campaign] = []
    together = None
    taken = slug
    about_segments = segments.to_config() if segments else {}
    try:
        with transaction.atomic():
            if len(wanted) > 1:
                together = CampaignSet.objects.create(
                    study=study, slug=slug, title=title, seed=new_seed()
                )
            for protocol, config in wanted:
                campaign = Campaign(
                    study=study,
                    set=together,
                    position=len(made),
                    slug=slug,
                    title=title,
                    protocol=protocol,
                    config={"language": language_for(study.language), **config, **about_segments},
                    seed=new_seed(),
                    origin=Campaign.Origin.LIVE,
                    state=State.DRAFT,
                    design=Campaign.Design.OVERLAP,
                    ratings_per_item=ANNOTATORS,
                    selection={"annotators": ANNOTATORS},
                )
                if together is not None:
                    campaign.slug = f"{slug}-{slugify(campaign.rules.title)}"
                    campaign.title = f"{title}: {campaign.rules.title.lower()}"
                taken = campaign.slug
                if taken in RESERVED_SLUGS:
                    raise CampaignError(f"“{taken}” is the name of a page; choose another")
                bring(campaign)
                campaign.save()
                after = {"protocol": protocol}
                if segments is not None:
                    after["segments"] = segments.words
                record(campaign, actor, "prepare campaign", after=after)
                made.append(campaign)
    except IntegrityError:
        raise CampaignError(
            f"this study already has a campaign “{taken}”; choose another short name"
        ) from None
    return made


def keep_draft(campaign: Campaign, actor: User, loaded: Facts | None = None) -> None:
    """Store a campaign that is being prepared, and what changed in the audit trail.

    Parameters
    ----------
    campaign, actor
    loaded
        The facts that the change was made from; anything goes where it is None.

    Raises
    ------
    CampaignError
        If it was started meanwhile, or its slug is taken.
    ChangedMeanwhile
        If it no longer is as it was loaded.
    """
    try:
        with transaction.atomic():
            _locked_draft(campaign)
            stored = facts(Campaign.objects.get(pk=campaign.pk))
            if loaded is not None and stored != loaded:
                raise ChangedMeanwhile("somebody saved this campaign at the same moment")
            campaign.save()
            before, after = difference(stored, facts(campaign))
            if after:
                record(campaign, actor, CHANGED, before=before, after=after)
    except IntegrityError:
        raise CampaignError(f"this study has a campaign “{campaign.slug}” already") from None


def discard(place: Place, actor: User) -> None:
    """Delete a campaign or a set of which nothing was started.

    The tasks after a campaign in its set move up.

    Raises
    ------
    CampaignError
        If something was started.
    """
    if isinstance(place, CampaignSet) and not is_draft(place):
        raise CampaignError("campaigns of this set were started")
    for campaign in reversed(place.tasks):
        _discard(campaign, actor)


def _discard(campaign: Campaign, actor: User) -> None:
    with transaction.atomic():
        _locked_draft(campaign)
    try:
        clear_draft(campaign, write_turn)
    except LaunchError as error:
        raise CampaignError(str(error)) from None
    with transaction.atomic():
        _locked_draft(campaign)
        record(campaign, actor, "discard campaign")
        campaign.delete()
        if campaign.set is not None:
            later = campaign.set.campaigns.filter(position__gt=campaign.position)
            for other in later.order_by("position"):
                other.position -= 1
                other.save(update_fields=["position"])
            if not campaign.set.campaigns.exists():
                campaign.set.delete()


def is_draft(place: Place) -> bool:
    """Whether nothing of it was started, so that everything in it can change."""
    return all(campaign.state == State.DRAFT for campaign in place.tasks)


def start_key(place: Place) -> str:
    """Return the key of the job that starts a campaign or set: there is one at a time."""
    if isinstance(place, Campaign) and place.set_id:
        return f"start {CampaignSet.relation}:{place.set_id}"
    return f"start {place.relation}:{place.pk}"


def being_started(place: Place) -> Job | None:
    """Return the job that is starting a campaign or set; None where none is under way."""
    return Job.objects.active().filter(key=start_key(place)).first()


@in_write_turn
def change_state(place: Place, change: str, actor: User) -> int:
    """Pause, resume, close or open again; of a set, all campaigns that allow it.

    Returns
    -------
    int
        How many campaigns were changed.

    Raises
    ------
    CampaignError
        If the state of none allows that.
    """
    words, allowed, after = CHANGES[change]
    found = sorted(place.tasks, key=lambda each: each.pk)
    if isinstance(place, CampaignSet):
        found = [campaign for campaign in found if campaign.state in allowed]
    for campaign in found:
        before = _locked(campaign, *allowed)
        if after == State.CLOSED:
            # Nobody comes to the queue any more who would give back what has ended.
            return_all(campaign)
        campaign.state = after
        campaign.save(update_fields=["state"])
        action = f"{words.lower()} campaign"
        record(campaign, actor, action, before={"state": before}, after={"state": after})
    if not found:
        raise CampaignError("no campaign of this set is in a state that allows it")
    return len(found)


def possible_changes(place: Place) -> list[tuple[str, str]]:
    """Return the changes of state that are possible now, of one campaign at least, in words."""
    states = {campaign.state for campaign in place.tasks}
    whole = " all" if isinstance(place, CampaignSet) else ""
    return [
        (name, f"{words}{whole}")
        for name, (words, allowed, _) in CHANGES.items()
        if states.intersection(allowed)
    ]


def annotators_wanted(campaign: Campaign) -> int:
    """Return for how many annotators a campaign is prepared."""
    return int(campaign.selection.get("annotators", ANNOTATORS))


def record(
    changed: Place,
    actor: User | None,
    action: str,
    about: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    """Leave an entry behind; names and addresses of people never go in, it cannot be deleted."""
    AuditEntry.record(
        changed.study,
        actor,
        action,
        f"{changed.slug}: {about}" if about else changed.slug,
        before=before,
        after=after,
    )


def _locked_draft(campaign: Campaign) -> None:
    """Hold a draft that is not being started until the transaction ends."""
    _locked(campaign, State.DRAFT)
    if being_started(campaign):
        raise CampaignError("the campaign is being started; wait for it, or cancel its job")


def _locked(campaign: Campaign, *states: str) -> str:
    """Return a campaign's state, held until the transaction ends, if it is one of some."""
    state = (
        Campaign.objects.select_for_update(no_key=True)
        .values_list("state", flat=True)
        .get(pk=campaign.pk)
    )
    if state not in states:
        raise CampaignError(f"the campaign is now {State(state).label}; check it and try again")
    return state


def join_addresses(study: Study) -> list[str]:
    """Say how many addresses there are by which anybody may take part."""
    count = sum(
        model.objects.filter(study=study).exclude(invite_code="").count()
        for model in (Campaign, CampaignSet)
    )
    return [f"{count} join address{'es' if count > 1 else ''} of campaigns"] if count else []


@in_write_turn
def end_join_addresses(study: Study, actor: User) -> None:
    """Take all of them away; whoever takes part already goes on."""
    for model, action in ((Campaign, CHANGED), (CampaignSet, SET_CHANGED)):
        places = model.objects.select_for_update(no_key=True).filter(study=study)
        for place in places.exclude(invite_code="").order_by("pk"):
            place.invite_code = ""
            place.save(update_fields=["invite_code"])
            record(place, actor, action, before={"by_code": True}, after={"by_code": False})
