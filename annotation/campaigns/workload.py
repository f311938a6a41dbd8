"""How much a campaign, or all campaigns of a set, ask of how many people."""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.campaigns.service import annotators_wanted
from annotation.designs.load import Load, complete
from annotation.models import Campaign
from annotation.selection.pool import Pool

FIELDS = {"people": "annotators", "ratings": "ratings_per_item", "each": "items_per_person"}
"""The fields of forms, by what a load calls them."""


def stated_load(campaign: Campaign) -> dict[str, int | None]:
    """Return what the owner stated, as fields of a form: the computed one is empty."""
    computed = campaign.selection.get("computed", FIELDS["each"])
    values = {
        "annotators": annotators_wanted(campaign),
        "ratings_per_item": campaign.ratings_per_item,
        "items_per_person": campaign.selection.get("items_per_person"),
    }
    return {name: None if name == computed else value for name, value in values.items()}


def work_out(
    campaigns: Sequence[Campaign], pools: Sequence[Pool], stated: Mapping[str, Any]
) -> Load:
    """Complete what is stated and note it in the campaigns, which are not stored.

    Parameters
    ----------
    campaigns, pools
        Campaigns of the same people, each with its screens.
    stated
        Values of `FIELDS`; empty for the one that is to be computed.

    Raises
    ------
    LoadError
        If the numbers do not go together.
    """
    screens = sum(len(pool.screens) for pool in pools)
    given = {part: stated.get(name) or None for part, name in FIELDS.items()}
    batches = campaigns[0].design == Campaign.Design.BATCHES
    load = complete(screens, **given, team=0 if batches else 1)
    for campaign in campaigns:
        campaign.ratings_per_item = load.ratings
        campaign.selection = {
            **campaign.selection,
            "annotators": load.people,
            "items_per_person": None if load.computed == "each" else load.each,
            "computed": FIELDS[load.computed],
        }
    return load
