"""What an edit of a campaign changed, for the audit trail and for whoever edits it too."""

from collections.abc import Mapping
from typing import Any

from annotation.models import Campaign
from corpus.models import AuditEntry
from corpus.pages.versioned_form import Change

CHANGED = "change campaign"
SET_CHANGED = "change set of campaigns"
MASK_CHOSEN = "choose mask"
CORRECTED = "correct masks"
Facts = dict[str, Any]

_COLUMNS = (
    *("title", "slug", "design", "ratings_per_item", "guidelines", "consent"),
    *("content_warning", "questions", "lease_seconds"),
)
_CONTROLS = ("repeats", "degraded", "control_references")
_ELSEWHERE = {
    "lease_minutes": "lease_seconds",
    "by_code": "by_code",
    "table": "config.table",
    "language": "config.language",
    "systems": "selection.system_ids",
    "share": "selection.qualification",
}


def facts(campaign: Campaign) -> Facts:
    """Return everything that owners decide; the code of an address for all stays out of it."""
    return (
        {name: getattr(campaign, name) for name in _COLUMNS}
        | {f"config.{name}": value for name, value in campaign.config.items()}
        | {f"selection.{name}": value for name, value in campaign.selection.items()}
        | {"by_code": bool(campaign.invite_code)}
    )


def difference(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Facts, Facts]:
    """Return the facts that differ, as they were and as they are; empty is as good as absent."""
    names = [
        name
        for name in {**before, **after}
        if (before.get(name) or None) != (after.get(name) or None)
    ]
    return {n: before.get(n) for n in names}, {n: after.get(n) for n in names}


def last_change_of(campaign: Campaign, field: str) -> Change | None:
    """Return who last changed what a field of a form shows; None where it never was."""
    return _latest(campaign.study_id, CHANGED, campaign.slug, _fact_of(field))


def last_choice_of_mask(campaign: Campaign) -> Change | None:
    """Return who last chose a mask; None where nobody did."""
    return _latest(campaign.study_id, MASK_CHOSEN, campaign.slug)


def last_correction_of(campaign: Campaign, output: int) -> Change | None:
    """Return who last corrected a masked text; None where nobody did."""
    return _latest(campaign.study_id, CORRECTED, campaign.slug, str(output))


def last_change_of_set(study_id: int, slug: str, field: str) -> Change | None:
    """Return who last changed what a field of a set shows; None where it never was."""
    return _latest(study_id, SET_CHANGED, slug, field)


def _latest(study_id: int, action: str, slug: str, fact: str = "") -> Change | None:
    entries = AuditEntry.objects.filter(study=study_id, action=action, object=slug)
    entries = entries.select_related("actor")
    found = next((each for each in entries[:50] if not fact or fact in (each.after or {})), None)
    if found is None or found.actor is None:
        return None
    return Change(found.actor.get_username(), found.created_at)


def _fact_of(field: str) -> str:
    """Return under which fact a field is stored."""
    start, _, rest = field.partition("-")
    if start == "setting":
        return f"config.{rest}"
    if start in ("question", "labels"):
        return "config.questions" if start == "question" else "config.labels"
    if start in ("item", "stopping"):
        return "selection.practice" if start == "item" else "selection.stopping"
    if field in _CONTROLS:
        return "selection.controls"
    return _ELSEWHERE.get(field) or (field if field in _COLUMNS else f"selection.{field}")
