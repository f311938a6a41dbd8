"""What an owner decides about a panel, and the text for the page of its study."""

import secrets
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import get_language_info

from annotation.campaigns.edits import difference
from annotation.campaigns.service import record
from annotation.models import Panel, Place
from annotation.panels.ending import arrived
from annotation.panels.outcomes import DESCRIBED, Outcome
from annotation.panels.payment import usual_screens
from corpus.storage.write_turn import in_write_turn

PROLIFIC_NAMES = {"participant": "PROLIFIC_PID", "study": "STUDY_ID", "session": "SESSION_ID"}
PLAIN = ("preset", "least_checks", "work_of_freed", "at_once", "reward", "currency", "minutes")
RECORDED = (*PLAIN, "names", "endings")
"""What the audit trail holds."""


def new_panel(place: Place) -> Panel:
    """Return a panel with codes of its own that nobody guesses; it is not stored."""
    return Panel(
        **{place.relation: place},
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
    known = set(panel.entries.exclude(identifier="").values_list("identifier", flat=True))
    for person in panel.place.people.filter(panel_entry__isnull=True).exclude(platform={}):
        identifier = person.platform.get("participant", "")
        if identifier and identifier not in known:
            known.add(identifier)
            arrived(person, panel, person.platform)


def study_text(panel: Panel) -> dict[str, Any]:
    """Return title and description for the page of a study, and each outcome with its code."""
    return {
        "title": panel.place.title or "Read texts and say what you think of them",
        "description": "\n\n".join(filter(None, _paragraphs(panel))),
        "codes": [(each, panel.endings.get(outcome, "")) for outcome, each in DESCRIBED.items()],
    }


def _paragraphs(panel: Panel) -> list[str]:
    campaigns, screens = panel.campaigns, usual_screens(panel)
    language = _language(panel.study.language)
    read = f"You will read short texts{language} and answer questions about them in your browser."
    much = f"There are about {screens} pages of texts. " if screens else ""
    time = f"It takes about {_minutes(panel.minutes)}." if panel.minutes else ""
    practice = any(campaign.selection.get("practice") for campaign in campaigns)
    screened = any(campaign.selection.get("qualification") for campaign in campaigns)
    warning = next((each.content_warning for each in campaigns if each.content_warning), "")
    return [
        read,
        (much + time).strip(),
        "It begins with guidelines"
        + (" and practice with feedback" if practice else "")
        + ". Everything is saved as you go."
        + (
            " If your practice answers are very different from what we look for, it ends there "
            "and you are paid for that time."
            if screened
            else ""
        ),
        f"Please note: {warning}" if warning else "",
    ]


def _minutes(count: int) -> str:
    return f"{count} minute{'s'[: count != 1]}"


def _language(code: str) -> str:
    try:
        return f" in {get_language_info(code)['name']}"
    except KeyError:
        return ""
