"""Which scale an imported rating is on, or of which categories it is one."""

from typing import Any

from annotation.models import Campaign
from annotation.protocols.catalogue import protocol
from corpus.imports.batch import Batch


def scale_of(batch: Batch, campaign: str, aspect: str) -> tuple[float, float] | None:
    """Return the scale that was declared for an aspect, or that its protocol fixes."""
    scale = _declared(batch, campaign, "scales", aspect)
    if scale is None:
        followed = batch.declarations.get("_protocols", {}).get(campaign)
        scale = protocol(followed).scale if followed else None
    return (float(scale[0]), float(scale[1])) if scale else None


def categories_of(batch: Batch, campaign: str, aspect: str) -> tuple[str, ...]:
    """Return the categories that were declared for an aspect; none where it is on a scale."""
    return tuple(_declared(batch, campaign, "categories", aspect) or ())


def _declared(batch: Batch, campaign: str, what: str, aspect: str) -> Any:
    """Return what files declare of an aspect, of the campaign first, else what is stored."""
    declarations = batch.declarations
    own = declarations.get("campaigns", {}).get(campaign, {}).get(what, {})
    found = own.get(aspect) or declarations.get(what, {}).get(aspect)
    if found is None:
        stored = Campaign.objects.filter(study=batch.study, slug=campaign).first()
        found = stored.config.get(what, {}).get(aspect) if stored else None
    return found
