"""Which scale an imported rating is on, or of which categories it is one."""

from typing import Any

from django.db.models import Max, Min

from annotation.models import Campaign, Rating
from annotation.protocols.catalogue import protocol
from corpus.imports.batch import Batch


def scale_of(batch: Batch, campaign: str, aspect: str) -> tuple[float, float] | None:
    """Return the scale of an aspect: as stored of the campaign, declared, or of its protocol."""
    declarations = batch.declarations
    scale = _stored(batch, campaign, "scales", aspect)
    scale = scale or _declared(declarations, campaign, "scales", aspect)
    if scale is None:
        followed = declarations.get("_protocols", {}).get(campaign)
        scale = protocol(followed).scale if followed else None
    return (float(scale[0]), float(scale[1])) if scale else None


def categories_of(batch: Batch, campaign: str, aspect: str) -> tuple[str, ...]:
    """Return the categories that were declared for an aspect; none where it is on a scale."""
    declared = _declared(batch.declarations, campaign, "categories", aspect)
    return tuple(declared or _stored(batch, campaign, "categories", aspect) or ())


def _declared(declarations: dict[str, Any], campaign: str, what: str, aspect: str) -> Any:
    own = declarations.get("campaigns", {}).get(campaign, {}).get(what, {})
    return own.get(aspect) or declarations.get(what, {}).get(aspect)


def _stored(batch: Batch, campaign: str, what: str, aspect: str) -> Any:
    stored = Campaign.objects.filter(study=batch.study, slug=campaign).first()
    return stored.config.get(what, {}).get(aspect) if stored else None


def asked_otherwise(batch: Batch, campaign: str, aspect: str) -> tuple[str, str] | None:
    """Return what this import says of a stored campaign's way of asking, and what is stored.

    Only what the import itself says counts: an earlier one may have spoken of other files.
    """
    stored = Campaign.objects.filter(study=batch.study, slug=campaign).first()
    if stored is None:
        return None
    now, before = batch.declarations, batch.study.declarations
    followed = now.get("_protocols", {}).get(campaign, "unstated")
    said = [
        (each.get("campaigns", {}).get(campaign, {}).get("protocol"), each.get("protocol"))
        for each in (now, before)
    ]
    if said[0] != said[1] and followed not in ("unstated", stored.protocol):
        return f"protocol {followed}", f"protocol {stored.protocol}"
    scale = _declared(now, campaign, "scales", aspect)
    if scale is None or scale == _declared(before, campaign, "scales", aspect):
        return None
    known = stored.config.get("scales", {}).get(aspect)
    if known:
        differs = [float(end) for end in known] != [float(end) for end in scale]
        return (_words(scale), _words(known)) if differs else None
    rated = Rating.objects.filter(
        submission__item__campaign=stored, aspect=aspect, value__isnull=False
    ).aggregate(Min("value"), Max("value"))
    low, high = rated["value__min"], rated["value__max"]
    if low is None or (scale[0] <= low and high <= scale[1]):
        return None
    return _words(scale), f"ratings from {low:g} to {high:g}"


def _words(scale: Any) -> str:
    return f"scale {scale[0]:g} to {scale[1]:g}"
