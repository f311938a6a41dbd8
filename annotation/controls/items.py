"""Control items, made from a screen that an annotator gets too, and their places in lists.

A repeat shows the same again. A degraded copy replaces words of one text of a screen. A reference
is shown in the place of an output, or next to one. Of several items of a screen, only the one that
is changed has an original: the others are not tested.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from annotation.designs.assignment import Plan
from annotation.designs.controls import (
    ControlCounts,
    ControlKind,
    Placed,
    control_kinds,
    degrade,
    place_controls,
)
from annotation.masks.masking import PKS_AT_ONCE, CampaignMasks
from annotation.models import Campaign, Item
from annotation.protocols.layouts.texts import Text, Texts
from annotation.selection.pool import Pool
from corpus.models import Output, System

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


CONTROLS = 6
Wanted = tuple[int, ControlKind]
"""The row of the original, and the kind of control."""


def references_of(campaign: Campaign, pool: Pool) -> dict[int, Text]:
    """Return the first reference of each segment that has one and an output to be better than."""
    found = Output.objects.filter(
        study=campaign.study, system__kind=System.Kind.REFERENCE, variant=1
    ).order_by("-ordinal")
    rows = found.values_list("pk", "ordinal", "segment_id", "system_id", "system__kind")
    judged = set(pool.screens.segments_of_systems.tolist())
    texts = (Text(*facts) for facts in rows)
    return {text.segment: text for text in texts if text.segment in judged}


def place_in_lists(
    campaign: Campaign,
    pool: Pool,
    plan: Plan,
    counts: ControlCounts,
    references: Mapping[int, Text],
) -> tuple[list[Placed], list[dict[int, ControlKind]]]:
    """Put controls into every list; empty for the shared queue, which has none.

    Raises
    ------
    ValueError
        If a list has too few segments with references.
    """
    segments = pool.segments
    placed, kinds = [], []
    for person, rows in enumerate(plan.lists):
        seed = [campaign.seed, CONTROLS, person]
        placed.append(place_controls(rows, counts.total, seed, segments[rows]))
        kinds.append(control_kinds(placed[-1], counts, seed, segments, references))
    return placed, kinds


def controls_wanted(
    placed: Sequence[Placed], kinds: Sequence[Mapping[int, ControlKind]]
) -> dict[Wanted, int]:
    """Count for each control how many annotators get it."""
    counts: dict[Wanted, int] = {}
    for list_, kind in zip(placed, kinds, strict=True):
        for position, name in kind.items():
            key = (int(list_.rows[position]), name)
            counts[key] = counts.get(key, 0) + 1
    return counts


def control_items(
    campaign: Campaign,
    pool: Pool,
    screens: Mapping[int, Sequence[Item]],
    wanted: Mapping[Wanted, int],
    references: Mapping[int, Text],
    masks: CampaignMasks | None,
) -> dict[Wanted, list[Item]]:
    """Make each control once, however many annotators get it.

    Parameters
    ----------
    campaign, pool
    screens
        The originals, stored, by row.
    wanted
        What `controls_wanted` has counted.
    references, masks
    """
    degraded = [screens[row] for row, kind in wanted if kind == "degraded"]
    texts = _texts(campaign, pool, degraded, masks)
    made: dict[Wanted, list[Item]] = {}
    known: dict[tuple[int | None, int | None, int], list[Item]] = {}
    for (row, kind), count in wanted.items():
        if kind == "repeat":
            screen = repeats_of(screens[row])
        elif kind == "degraded":
            screen = degraded_of(campaign, screens[row], texts)
        else:
            shown = pool.screens[row].items[0]
            screen = _reference(campaign, screens[row], shown, references, masks)
        # Two originals of one segment have the same reference.
        item = tested_item(screen)
        screen = known.setdefault((item.first_id, item.second_id, item.occasion), screen)
        for item in screen:
            item.wanted += count
            item.taken += count
        made[row, kind] = screen
    return made


def _reference(
    campaign: Campaign,
    originals: Sequence[Item],
    texts: Texts,
    references: Mapping[int, Text],
    masks: CampaignMasks | None,
) -> list[Item]:
    first, second = texts
    reference = references[first.segment]
    if second is None:
        shown = masks.shown(reference) if masks else None
        return reference_among(campaign, originals, reference.pk, shown)
    outputs = [text for text in (first, second) if text.kind == System.Kind.SYSTEM]
    sides = [(text.ordinal, text.pk) for text in outputs or (first, second)]
    pair = reference_beside(campaign, originals[0], (reference.ordinal, reference.pk), sides)
    return [pair]


def _texts(
    campaign: Campaign, pool: Pool, screens: Sequence[Sequence[Item]], masks: CampaignMasks | None
) -> dict[int, str]:
    """Return what is shown of the texts to be spoilt, and of others to take words from."""
    if not screens:
        return {}
    wanted = [screen.items[0][0].pk for screen in pool.screens[:DONORS]]
    for originals in screens:
        place, side = spoilt_text(campaign, originals)
        wanted.append(getattr(originals[place], f"{side}_id"))
    texts: dict[int, str] = {}
    for start in range(0, len(wanted), PKS_AT_ONCE):
        some = Output.objects.filter(pk__in=wanted[start : start + PKS_AT_ONCE])
        texts |= dict(some.values_list("pk", "text"))
    return {pk: masks.texts.get(pk, text) if masks else text for pk, text in texts.items()}
