"""Which scale an imported rating is on."""

from annotation.models import Campaign
from annotation.protocols.catalogue import protocol
from corpus.imports.batch import Batch


def scale_of(batch: Batch, campaign: str, aspect: str) -> tuple[float, float] | None:
    """Return the scale that was declared for an aspect, or that its protocol fixes."""
    declarations = batch.declarations
    own = declarations.get("campaigns", {}).get(campaign, {}).get("scales", {})
    scale = own.get(aspect) or declarations.get("scales", {}).get(aspect)
    if scale is None:
        stored = Campaign.objects.filter(study=batch.study, slug=campaign).first()
        scale = stored.config.get("scales", {}).get(aspect) if stored else None
    if scale is None:
        followed = declarations.get("_protocols", {}).get(campaign)
        scale = protocol(followed).scale if followed else None
    return (float(scale[0]), float(scale[1])) if scale else None
