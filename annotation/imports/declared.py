"""What a study archive declares of campaigns: how they asked, and of which set they are.

Two annotators of one pseudonym are one person within a set, and two persons elsewhere, so that an
archive has to say which campaigns belong together.
"""

from collections.abc import Mapping
from typing import Any

from annotation.models import Campaign, CampaignSet
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
