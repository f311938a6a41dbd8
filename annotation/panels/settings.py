"""What an owner decides about a panel, stored with an entry in the audit trail."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User

from annotation.campaigns.edits import difference
from annotation.campaigns.service import record
from annotation.models import Campaign, CampaignSet, Panel, PanelEntry
from annotation.panels.outcomes import Outcome
from corpus.storage.write_turn import in_write_turn

PROLIFIC_NAMES = {"participant": "PROLIFIC_PID", "study": "STUDY_ID", "session": "SESSION_ID"}
RECORDED = (
    *("preset", "names", "endings", "least_checks", "work_of_freed", "at_once"),
    *("reward", "currency", "minutes"),
)
"""What the audit trail holds: all but the secret of the events."""


def new_panel(place: Campaign | CampaignSet) -> Panel:
    """Return a panel with codes of its own that nobody guesses; it is not stored."""
    where = {"set": place} if isinstance(place, CampaignSet) else {"campaign": place}
    return Panel(
        **where,
        names=PROLIFIC_NAMES,
        endings={outcome.value: f"C{secrets.token_hex(4).upper()}" for outcome in Outcome},
        currency="GBP",
    )


@in_write_turn
def keep_panel(panel: Panel, values: Mapping[str, Any], actor: User) -> None:
    """Store what was decided; the first time the address for all is made, where there is none."""
    before = dict.fromkeys(RECORDED) if panel.pk is None else _recorded(panel)
    for name, value in values.items():
        setattr(panel, name, value)
    panel.events_token = panel.events_token or secrets.token_urlsafe(24)
    panel.save()
    place = panel.place
    if not place.invite_code:
        place.invite_code = secrets.token_urlsafe(15)
        place.save(update_fields=["invite_code"])
    _adopt(panel)
    old, new = difference(before, _recorded(panel))
    if new:
        record(place, actor, "change panel", before=old, after=new)


def _recorded(panel: Panel) -> dict[str, Any]:
    found = {name: getattr(panel, name) for name in RECORDED}
    return found | {"reward": None if panel.reward is None else str(panel.reward)}


def _adopt(panel: Panel) -> None:
    """Make entries for people whom a panel sent before anything was decided about it."""
    own = "participant" if panel.set is not None else "annotator"
    everybody = panel.set.participants if panel.set is not None else panel.place.annotators  # type: ignore[union-attr]
    known = set(panel.entries.exclude(identifier="").values_list("identifier", flat=True))
    for person in everybody.filter(panel_entry__isnull=True).exclude(platform={}):
        identifier = person.platform.get("participant", "")
        if not identifier or identifier in known:
            continue
        known.add(identifier)
        PanelEntry.objects.create(
            panel=panel,
            identifier=identifier,
            panel_study=person.platform.get("study", ""),
            session=person.platform.get("session", ""),
            **{own: person},
        )
