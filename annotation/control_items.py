"""Control items, made from an item that an annotator gets too.

A repeat shows the same again. A degraded copy replaces words of the judged text; of two texts that
are compared, the output beside its source, or one of two outputs. A reference stands in the place
of an output, or beside one.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.designs.degrading import degrade
from annotation.models import Campaign, Item

OCCASION = {Item.Kind.REPEAT: 2, Item.Kind.DEGRADED: 3, Item.Kind.REFERENCE: 5}
DONORS = 200
"""From how many texts foreign words are taken at most."""
_DEGRADED, _BESIDE = 7, 9


def repeat_of(original: Item) -> Item:
    """Return an item that shows the original again."""
    return _control(original, Item.Kind.REPEAT, original.first_id, original.second_id)


def degraded_side(campaign: Campaign, original: Item) -> str:
    """Say which text of an item is made worse: ``"first"`` or ``"second"``."""
    random = np.random.default_rng([campaign.seed, _DEGRADED, original.screen, 1])
    return campaign.rules.layout.spoilt(1, random)[1]


def degraded_of(campaign: Campaign, original: Item, texts: Mapping[int, str]) -> Item:
    """Return an item of which one text is spoilt with words of other texts.

    Parameters
    ----------
    campaign, original
    texts
        What is shown of the original's outputs and of others, by primary key.
    """
    side = degraded_side(campaign, original)
    own = original.first_id if side == "first" else original.second_id
    assert own is not None  # noqa: S101  (a second side is spoilt only where there is one)
    random = np.random.default_rng([campaign.seed, _DEGRADED, original.screen])
    beside = (original.first_id, original.second_id)
    donors = [text for pk, text in texts.items() if pk not in beside]
    shown = dict(original.shown or {}) | {side: degrade(texts[own], donors, random)}
    return _control(original, Item.Kind.DEGRADED, original.first_id, original.second_id, shown)


def reference_of(original: Item, reference: int, shown: dict[str, str] | None) -> Item:
    """Return an item that shows the reference of the original's segment.

    Parameters
    ----------
    original
    reference
        The reference among the outputs.
    shown
        What is shown in place of the stored texts.
    """
    return _control(original, Item.Kind.REFERENCE, reference, None, shown)


def reference_beside(
    campaign: Campaign, original: Item, reference: tuple[int, int], sides: Sequence[tuple[int, int]]
) -> Item:
    """Return a comparison of the reference with one of the original's two outputs.

    Parameters
    ----------
    campaign, original
    reference
        Ordinal and primary key of the reference.
    sides
        Those of the two outputs.
    """
    random = np.random.default_rng([campaign.seed, _BESIDE, original.screen])
    beside = sides[int(random.integers(len(sides)))]
    first, second = sorted([reference, beside])
    return _control(original, Item.Kind.REFERENCE, first[1], second[1])


def _control(
    original: Item,
    kind: Item.Kind,
    first: int | None,
    second: int | None,
    shown: dict[str, str] | None = None,
) -> Item:
    return Item(
        campaign_id=original.campaign_id,
        first_id=first,
        second_id=second,
        occasion=OCCASION[kind],
        kind=kind,
        original=original,
        screen=original.screen,
        shown=shown if shown is not None or kind == Item.Kind.REFERENCE else original.shown,
    )
