"""Control items, made from a screen that an annotator gets too.

A repeat shows the same again. A degraded copy replaces words of one text of a screen. A reference
stands in the place of an output, or beside one. Of several items of a screen, only the one that is
changed has an original: the others are not tested.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.designs.degrading import degrade
from annotation.models import Campaign, Item

OCCASION = {Item.Kind.REPEAT: 2, Item.Kind.DEGRADED: 3, Item.Kind.REFERENCE: 5}
DONORS = 200
"""From how many texts foreign words are taken at most."""
_DEGRADED, _BESIDE = 7, 9


def repeats_of(originals: Sequence[Item]) -> list[Item]:
    """Return a screen that shows the items of the original screen again."""
    return [_control(each, Item.Kind.REPEAT, each.first_id, each.second_id) for each in originals]


def spoilt_text(campaign: Campaign, originals: Sequence[Item]) -> tuple[int, str]:
    """Say which item of a screen is made worse, and of it ``"first"`` or ``"second"``."""
    random = np.random.default_rng([campaign.seed, _DEGRADED, originals[0].screen, 1])
    return campaign.rules.layout.spoilt(len(originals), random)


def degraded_of(
    campaign: Campaign, originals: Sequence[Item], texts: Mapping[int, str]
) -> list[Item]:
    """Return a screen on which one text is spoilt with words of other texts.

    Parameters
    ----------
    campaign, originals
    texts
        What is shown of the text that is spoilt and of others, by primary key.
    """
    place, side = spoilt_text(campaign, originals)
    original = originals[place]
    own = original.first_id if side == "first" else original.second_id
    assert own is not None  # noqa: S101  (a second side is spoilt only where there is one)
    random = np.random.default_rng([campaign.seed, _DEGRADED, original.screen])
    beside = {pk for each in originals for pk in (each.first_id, each.second_id)}
    donors = [text for pk, text in texts.items() if pk not in beside]
    shown = dict(original.shown or {}) | {side: degrade(texts[own], donors, random)}
    screen = _beside(originals, Item.Kind.DEGRADED)
    screen[place] = _control(
        original, Item.Kind.DEGRADED, original.first_id, original.second_id, shown
    )
    return screen


def reference_among(
    campaign: Campaign, originals: Sequence[Item], reference: int, shown: dict[str, str] | None
) -> list[Item]:
    """Return a screen on which the reference stands in the place of an output.

    Parameters
    ----------
    campaign, originals
    reference
        The reference among the outputs.
    shown
        What is shown in place of the stored texts.
    """
    random = np.random.default_rng([campaign.seed, _BESIDE, originals[0].screen])
    place = int(random.integers(len(originals)))
    screen = _beside(originals, Item.Kind.REFERENCE)
    screen[place] = _control(originals[place], Item.Kind.REFERENCE, reference, None, shown)
    return screen


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


def tested_item(screen: Sequence[Item]) -> Item:
    """Return the item of a control screen that an expectation is about."""
    return next(each for each in screen if each.original_id is not None)


def _beside(originals: Sequence[Item], kind: Item.Kind) -> list[Item]:
    """Return the items of a screen as they are shown with a control among them."""
    return [
        _control(each, kind, each.first_id, each.second_id, each.shown, tested=False)
        for each in originals
    ]


def _control(
    original: Item,
    kind: Item.Kind,
    first: int | None,
    second: int | None,
    shown: dict[str, str] | None = None,
    *,
    tested: bool = True,
) -> Item:
    return Item(
        campaign_id=original.campaign_id,
        first_id=first,
        second_id=second,
        occasion=OCCASION[kind],
        kind=kind,
        original=original if tested else None,
        screen=original.screen,
        lead=original.lead,
        shown=shown if shown is not None or kind == Item.Kind.REFERENCE else original.shown,
    )
