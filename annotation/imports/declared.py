"""What an import declares of campaigns: protocol, settings, scales, categories, and set.

Two annotators of one pseudonym are one person within a set, and two persons elsewhere, so that an
archive has to say which campaigns belong together.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max, Min

from annotation.models import Campaign, CampaignSet, Rating
from annotation.protocols.catalogue import protocol
from annotation.protocols.protocol import ConfigError
from corpus.imports.batch import Batch
from corpus.models import Study

_APART = frozenset({"protocol", "scales", "categories", "set"})
_LONGEST_SLUG = 100


def declared_campaigns(study: Study) -> dict[str, dict[str, Any]]:
    """Return what an archive says of each campaign, by its slug."""
    declared = {}
    for campaign in study.campaigns.select_related("set"):
        entry = {"protocol": campaign.protocol} | _defaults(campaign) | campaign.config
        if campaign.set is not None:
            entry["set"] = {
                "slug": campaign.set.slug,
                "title": campaign.set.title,
                "task": campaign.position + 1,
            }
        declared[campaign.slug] = entry
    return declared


def _defaults(campaign: Campaign) -> dict[str, Any]:
    """Return the settings that hold of a campaign that was run here without being said.

    Elsewhere it is an imported one, of which nothing holds that is not declared.
    """
    if campaign.origin != Campaign.Origin.LIVE:
        return {}
    # Which aspects were asked, the ratings say.
    return {each.name: each.default for each in campaign.rules.settings if each.name != "aspects"}


def declared_config(declared: Mapping[str, Any], followed: str) -> dict[str, Any]:
    """Return the settings that a campaign is declared with, if its protocol knows them."""
    config = {name: value for name, value in declared.items() if name not in _APART}
    try:
        protocol(followed).check(config)
    except ConfigError:
        return {}
    return config


def join_set(batch: Batch, campaign: Campaign, declared: Any) -> None:
    """Make a campaign that was imported a task of the set that is declared."""
    if not isinstance(declared, Mapping):
        return
    slug, task = declared.get("slug"), declared.get("task")
    if not isinstance(slug, str) or not 0 < len(slug) <= _LONGEST_SLUG:
        batch.note(
            f"{campaign.slug}: its set has no slug, so the campaign is imported without a set."
        )
        return
    together, _ = CampaignSet.objects.get_or_create(
        study=batch.study, slug=slug, defaults={"title": str(declared.get("title", ""))[:200]}
    )
    taken = set(together.campaigns.values_list("position", flat=True))
    place = task - 1 if isinstance(task, int) and 0 < task <= 1000 else 0
    campaign.set = together
    campaign.position = place if place not in taken else max(taken) + 1
    campaign.save(update_fields=["set", "position"])


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
