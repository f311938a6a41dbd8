"""How somebody whom a panel sent leaves: the outcome, their code, and what is stored of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from annotation.controls.results import control_results
from annotation.models import (
    Annotator,
    Assignment,
    Campaign,
    Invitee,
    Item,
    Panel,
    PanelEntry,
    Place,
)
from annotation.panels.outcomes import Outcome, filled, is_address, prolific_address
from annotation.rating.tasks import is_resting, tasks_of
from corpus.access.rate_limits import Steady, take


@dataclass(frozen=True)
class Ending:
    """What somebody is shown who leaves.

    Parameters
    ----------
    outcome
    code
        Empty where the address says it all.
    address
        That leads back to the panel; empty where there is none.
    panel
        What the panel is called.
    at_once
        Whether the browser goes there by itself.
    """

    outcome: Outcome
    code: str
    address: str
    panel: str
    at_once: bool


def panel_of(annotator: Annotator) -> Panel | None:
    """Return the panel that sends people to an annotator's campaign or set."""
    campaign = annotator.campaign
    where = {"set": campaign.set_id} if campaign.set_id else {"campaign": campaign.pk}
    return Panel.objects.filter(**where).first()


def came_from_panel(annotator: Annotator) -> bool:
    """Whether somebody leaves with a code of a panel."""
    panel = panel_of(annotator)
    return panel is not None and _entry_of(panel, annotator) is not None


def arrived(person: Invitee, panel: Panel, platform: dict[str, str]) -> None:
    """Note that a panel sent somebody who has a place now."""
    identifier = platform.get("participant", "")
    values = {
        person.relation: person,
        "panel_study": platform.get("study", ""),
        "session": platform.get("session", ""),
    }
    if PanelEntry.objects.filter(panel=panel, **{person.relation: person}).exists():
        return
    if identifier:
        # They may have come before, when nothing was free.
        PanelEntry.objects.update_or_create(panel=panel, identifier=identifier, defaults=values)
    else:
        PanelEntry.objects.create(panel=panel, **values)


def leave(annotator: Annotator, said: Outcome | None = None) -> Ending | None:
    """Return how somebody leaves who has nothing left to do, and keep it with them.

    Parameters
    ----------
    annotator
        With the campaign loaded.
    said
        What they chose themselves: not to take part, or to stop.

    Returns
    -------
    Ending or None
        None for who was not sent by a panel.
    """
    panel = panel_of(annotator)
    entry = _entry_of(panel, annotator) if panel else None
    if panel is None or entry is None:
        return None
    tasks = list(tasks_of(annotator.participant_id)) if annotator.participant_id else [annotator]
    outcome = said or _outcome(panel, tasks)
    stored = panel.endings.get(outcome) or annotator.completion_code
    ending = _ending(panel, outcome, stored, entry, annotator.completion_code)
    given = ending.code or ending.address
    if (entry.outcome, entry.code) != (outcome, given):
        entry.outcome, entry.code, entry.ended_at = outcome, given, timezone.now()
        entry.save(update_fields=["outcome", "code", "ended_at"])
    return ending


def left_by_choice(annotator: Annotator) -> bool:
    """Whether the last thing that somebody said was that they do not go on."""
    person = annotator.participant or annotator
    entry = PanelEntry.objects.filter(**{person.relation: person}).first()
    return entry is not None and entry.outcome in (Outcome.NO_CONSENT, Outcome.STOPPED)


def turned_away(code: str, platform: dict[str, str], network: str) -> Ending | None:
    """Return how somebody leaves who gets no place by an invite code, and keep it.

    Nothing is changed of who has a place: anybody can write the identifier of somebody else. One
    network leaves a bounded number of entries in a time.
    """
    panel = panel_by_code(code)
    if panel is None:
        return None
    states = {campaign.state for campaign in panel.campaigns}
    goes_on = Campaign.State.OPEN in states and panel.has_begun
    outcome = Outcome.NOTHING_LEFT if goes_on else Outcome.PAUSED
    visitor = PanelEntry(
        panel=panel,
        identifier=platform.get("participant", ""),
        panel_study=platform.get("study", ""),
        session=platform.get("session", ""),
    )
    ending = _ending(panel, outcome, panel.endings.get(outcome, ""), visitor, "")
    limit = Steady(settings.JOIN_AT_ONCE, 600 / settings.JOIN_PER_TEN_MINUTES)
    if visitor.identifier and not take((limit, f"turned away {network} {code}")):
        _keep_visit(visitor, ending)
    return ending


def place_in_this_browser(
    code: str, platform: dict[str, str], marks: Collection[str]
) -> Invitee | None:
    """Return who has a place already and comes in the browser that took it."""
    panel, identifier = panel_by_code(code), platform.get("participant", "")
    if panel is None or not identifier:
        return None
    entry = panel.entries.filter(identifier=identifier).first()
    person: Invitee | None = entry.person if entry else None
    known = person is not None and person.revoked_at is None and person.mark in marks
    return person if known else None


def panel_by_code(code: str) -> Panel | None:
    """Return the panel whose people come by an invite code."""
    if not code:
        return None
    panels = Panel.objects.select_related("campaign", "set")
    return (
        panels.filter(campaign__invite_code=code).first()
        or panels.filter(set__invite_code=code).first()
    )


def panel_at(place: Place) -> Panel | None:
    """Return the panel of a campaign or set."""
    return Panel.objects.filter(**{place.relation: place}).first()


def _entry_of(panel: Panel, annotator: Annotator) -> PanelEntry | None:
    if annotator.participant_id:
        return panel.entries.filter(participant=annotator.participant_id).first()
    return panel.entries.filter(annotator=annotator).first()


def _outcome(panel: Panel, tasks: Sequence[Annotator]) -> Outcome:
    """Say how somebody ends who has nothing left to do in any task now."""
    if any(is_resting(each) for each in tasks):
        return Outcome.PAUSED
    if any(map(_has_rated, tasks)):
        failed = panel.least_checks and any(
            fails_checks(each, panel.least_checks) for each in tasks
        )
        return Outcome.FAILED_CHECKS if failed else Outcome.FINISHED
    if any(each.qualified is False for each in tasks):
        return Outcome.SCREENED_OUT
    return Outcome.NOTHING_LEFT


def fails_checks(annotator: Annotator, least: int) -> bool:
    """Whether a test of enough control items was not passed."""
    return any(
        tested.test is not None and tested.pairs >= least and not tested.test.passed
        for result in control_results(annotator.campaign, only=annotator.pk)
        for _, tested in result.tests
    )


def _has_rated(annotator: Annotator) -> bool:
    mine = annotator.assignments.filter(state=Assignment.State.SUBMITTED)
    return mine.filter(item__kind=Item.Kind.PLAIN).exists()


def _ending(panel: Panel, outcome: Outcome, stored: str, entry: PanelEntry, own: str) -> Ending:
    """Turn the code or address of an outcome into what one person is shown."""
    code, address = stored, ""
    if is_address(stored):
        values = {
            "participant": entry.identifier,
            "study": entry.panel_study,
            "session": entry.session,
            "code": own,
        }
        code, address = "", filled(stored, values)
    elif panel.preset == Panel.Preset.PROLIFIC and stored:
        address = prolific_address(stored)
    name = "Prolific" if panel.preset == Panel.Preset.PROLIFIC else ""
    return Ending(outcome, code, address, name, panel.at_once)


def _keep_visit(visitor: PanelEntry, ending: Ending) -> None:
    with transaction.atomic():
        entry, _ = PanelEntry.objects.get_or_create(
            panel=visitor.panel,
            identifier=visitor.identifier,
            defaults={"panel_study": visitor.panel_study, "session": visitor.session},
        )
        if entry.person is None:
            entry.outcome, entry.code = ending.outcome, ending.code or ending.address
            entry.ended_at = timezone.now()
            entry.save(update_fields=["outcome", "code", "ended_at"])
