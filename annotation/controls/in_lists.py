"""Controls in lists that are made beforehand: where they stand, and the items that they show."""

from collections.abc import Mapping, Sequence

from annotation.controls.items import (
    DONORS,
    degraded_of,
    reference_among,
    reference_beside,
    repeats_of,
    spoilt_text,
    tested_item,
)
from annotation.designs import Plan
from annotation.designs.controls import (
    ControlCounts,
    ControlKind,
    Placed,
    control_kinds,
    place_controls,
)
from annotation.masks.masking import PKS_AT_ONCE, CampaignMasks
from annotation.models import Campaign, Item
from annotation.protocols.layouts.texts import Text, Texts
from annotation.selection.pool import Pool
from corpus.models import Output, System

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
