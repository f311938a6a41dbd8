"""Controls of the shared queue: each annotator gets controls of their own, of what they rated.

Nobody knows beforehand who gets which item. So the places of the controls are drawn for a list as
long as an annotator's share of the queue, and again for the next such stretch; when a place comes
up, its control is made of what the annotator rated at the place of its original.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from django.db.models import F, QuerySet

from annotation.controls.items import (
    CONTROLS,
    DONORS,
    degraded_of,
    reference_among,
    reference_beside,
    repeats_of,
    spoilt_text,
    tested_item,
)
from annotation.designs.controls import ControlCounts, ControlKind, control_kinds, place_controls
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.selection.screen_places import items_of_screen, whole_screen
from corpus.models import MaskedText, Output, System

_DONORS = 11


@dataclass(frozen=True)
class _Due:
    """Which control a place is for, and at which place its original was to be."""

    kind: ControlKind
    original: int
    stretch: tuple[int, int]


def due_control(annotator: Annotator, position: int) -> list[Item]:
    """Return the control that an annotator is to get at a place; empty where it is for an item.

    Where the original was not rated, another item of the same stretch takes its part; where there
    is none, the place is for an item of the queue.

    The caller holds the campaign's queue, so that no control is made twice.
    """
    campaign = annotator.campaign
    if not campaign.queue_controls:
        return []
    due = _due(campaign, annotator.number, position)
    if due is None:
        return []
    original = _original(annotator, due)
    if original is None:
        return []
    original.campaign_id = campaign.pk
    screen = _made(campaign, items_of_screen(original, campaign), due.kind)
    item = tested_item(screen)
    stored = Item.objects.filter(
        campaign=campaign, first=item.first_id, second=item.second_id, occasion=item.occasion
    ).first()
    if stored is None:
        for item in screen:
            item.wanted = item.taken = 1
            item.save()
        return screen
    screen = whole_screen(stored, campaign)
    taken = Item.objects.filter(pk__in=[item.pk for item in screen])
    taken.update(wanted=F("wanted") + 1, taken=F("taken") + 1)
    return screen


def _due(campaign: Campaign, number: int, position: int) -> _Due | None:
    counts = ControlCounts.of(campaign.queue_controls)
    load, first = campaign.queue_controls["items"], campaign.queue_controls["first"]
    length = load + counts.total
    stretch, place = divmod(position - first, length)
    if place < 0:
        return None
    found = _controls_of(campaign.seed, number, stretch, load, counts).get(place)
    if found is None:
        return None
    kind, original = found
    begin = first + stretch * length
    return _Due(kind, begin + original, (begin, begin + place))


@lru_cache(maxsize=1024)
def _controls_of(
    seed: int, number: int, stretch: int, load: int, counts: ControlCounts
) -> dict[int, tuple[ControlKind, int]]:
    """Return for each place of a control its kind and the place of its original.

    Kept, as whole lists are drawn for it and every item that is handed out asks.
    """
    of_list = [seed, CONTROLS, number, stretch]
    rows = np.arange(load)
    placed = place_controls(rows, counts.total, of_list)
    # Which segments there will be is not known yet: none is left out.
    kinds = control_kinds(placed, counts, of_list, rows, range(load))
    place_of = np.empty(load, np.intp)
    place_of[placed.rows[~placed.control]] = np.flatnonzero(~placed.control)
    return {place: (kind, int(place_of[placed.rows[place]])) for place, kind in kinds.items()}


def _original(annotator: Annotator, due: _Due) -> Item | None:
    """Return what was rated at a place, or else earliest in its stretch, and fits the control."""
    rated = Assignment.objects.filter(
        annotator=annotator, state=Assignment.State.SUBMITTED, item__kind=Item.Kind.PLAIN, lead=True
    )
    if due.kind == "reference":
        rated = _with_reference(annotator, rated)
    else:
        given = Item.objects.filter(
            assignments__annotator=annotator, original__isnull=False
        ).exclude(kind=Item.Kind.REFERENCE)
        rated = rated.exclude(item__screen__in=given.values("screen"))
    planned = rated.filter(position=due.original).select_related("item").first()
    if planned is not None:
        return planned.item
    begin, end = due.stretch
    others = rated.filter(position__gte=begin, position__lt=(begin + end) // 2)
    found = others.order_by("position").select_related("item").first()
    return found.item if found else None


def _with_reference(annotator: Annotator, rated: QuerySet[Assignment]) -> QuerySet[Assignment]:
    """Keep outputs of systems whose segment has a reference that the annotator did not see."""
    references = Output.objects.filter(
        study=annotator.campaign.study_id, system__kind=System.Kind.REFERENCE, variant=1
    )
    seen = Item.objects.filter(assignments__annotator=annotator, kind=Item.Kind.REFERENCE)
    return rated.filter(
        item__first__system__kind=System.Kind.SYSTEM,
        item__first__segment__in=references.values("segment"),
    ).exclude(item__first__segment__in=seen.values("first__segment"))


def _made(campaign: Campaign, originals: list[Item], kind: ControlKind) -> list[Item]:
    original = originals[0]
    if kind == "repeat":
        return repeats_of(originals)
    if kind == "degraded":
        return degraded_of(campaign, originals, _texts(campaign, originals))
    reference = (
        Output.objects.filter(
            segment=original.output.segment_id, system__kind=System.Kind.REFERENCE, variant=1
        )
        .order_by("ordinal")
        .first()
    )
    assert reference is not None  # noqa: S101  (only segments with a reference were asked for)
    if original.second is not None:
        sides = [(text.ordinal, text.pk) for text in (original.output, original.second)]
        pair = reference_beside(campaign, original, (reference.ordinal, reference.pk), sides)
        return [pair]
    shown = _shown(campaign, original, reference.pk)
    return reference_among(campaign, originals, reference.pk, shown)


def _shown(campaign: Campaign, original: Item, reference: int) -> dict[str, str] | None:
    """Return the masked texts of a reference, as they were stored at the start."""
    if original.shown is None:
        return None
    recipe = campaign.queue_controls["recipe"]
    masked = MaskedText.objects.get(output=reference, recipe=recipe)
    return {**original.shown, "first": masked.text}


def _texts(campaign: Campaign, originals: list[Item]) -> dict[int, str]:
    """Return what is shown of the text to be spoilt, and others to take words from."""
    place, side = spoilt_text(campaign, originals)
    original = originals[place]
    spoilt = getattr(original, side)
    random = np.random.default_rng([campaign.seed, _DONORS, original.screen])
    last = Output.objects.filter(study=campaign.study_id).order_by("-ordinal").first()
    ordinals = random.integers(0, last.ordinal + 1 if last else 1, DONORS).tolist()
    donors = Output.objects.filter(study=campaign.study_id, ordinal__in=ordinals)
    texts = dict(donors.values_list("pk", "text"))
    shown = (original.shown or {}).get(side, spoilt.text)
    return {**texts, spoilt.pk: shown}
