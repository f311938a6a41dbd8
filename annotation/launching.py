"""From a campaign that is prepared to items, annotators and their assignments."""

import secrets
import uuid
from collections.abc import Sequence
from typing import Any

import numpy as np
from django.db import transaction

from annotation.designs import DESIGNS, Plan, preview, sides
from annotation.designs.controls import place_controls
from annotation.designs.degrading import degrade
from annotation.designs.preview import Preview
from annotation.masks import CampaignMasks, MaskError, check_mask, masks_for, store_shown
from annotation.models import Annotator, Assignment, Campaign, Item
from annotation.pool import Pool, batches_by, build_pool
from annotation.practice import create_practice, give_practice
from annotation.practice_reading import Exercise, PracticeError, read_practice
from corpus.models import Output

ROWS_AT_ONCE = 2000
OCCASION = {Item.Kind.REPEAT: 2, Item.Kind.DEGRADED: 3}
_SIDES, _CONTROLS, _DEGRADED = 5, 6, 7


class LaunchError(ValueError):
    """A campaign that cannot start as it is; the message says what to change."""


def planned(campaign: Campaign, annotators: int) -> tuple[Pool, Plan]:
    """Build a campaign's screens and who would rate them.

    Raises
    ------
    SelectionError, DesignError
        If the selection is empty or the design impossible with these numbers.
    """
    pool = build_pool(campaign)
    design = DESIGNS[campaign.design]
    given: dict[str, Any] = {}
    attribute = campaign.selection.get("batches")
    if attribute and campaign.design == Campaign.Design.BATCHES:
        given["batch_of"] = batches_by(pool, attribute)
    k = campaign.ratings_per_item
    plan = design(pool.segments, pool.systems, annotators, k, campaign.seed, **given)
    return pool, plan


def previewed(
    campaign: Campaign, annotators: int, made: tuple[Pool, Plan] | None = None
) -> Preview:
    """Say what a design gives before anyone is invited.

    Parameters
    ----------
    campaign, annotators
    made
        What `planned` has given already; it is planned anew without it.

    Raises
    ------
    LaunchError, SelectionError, DesignError, ConfigError
        What `launch` would raise.
    """
    campaign.rules.check(campaign.config)
    pool, plan = made or planned(campaign, annotators)
    _controls(campaign, plan)
    return preview(plan, len(pool.screens), annotators, campaign.ratings_per_item)


def launch(
    campaign: Campaign, annotators: int, made: tuple[Pool, Plan] | None = None
) -> list[Annotator]:
    """Make items, annotators and assignments, and open the campaign.

    Parameters
    ----------
    campaign, annotators
    made
        What `planned` has given already; it is planned anew without it.

    Raises
    ------
    LaunchError
        If the campaign was started already, its controls or practice items do not fit, or its
        texts cannot be masked.
    SelectionError, DesignError, ConfigError
        If it cannot be run as it is configured.
    """
    campaign.rules.check(campaign.config)
    pool, plan = made or planned(campaign, annotators)
    repeats, degraded = _controls(campaign, plan)
    exercises, masks = _prepared(campaign, pool)
    with transaction.atomic():
        stored = Campaign.objects.select_for_update().get(pk=campaign.pk)
        if stored.state != Campaign.State.DRAFT:
            raise LaunchError("this campaign was started already")
        items = _create_items(stored, pool, plan, masks)
        if masks is not None:
            store_shown(stored, masks)
        if exercises:
            texts = [masks.shown(each.first) if masks else None for each in exercises]
            create_practice(stored, exercises, texts)
            practice = [exercise.to_dict() for exercise in exercises]
            stored.selection = {**stored.selection, "practice": practice}
        people = create_annotators(stored, annotators)
        if plan.lists:
            _assign(stored, pool, plan, people, items, repeats, degraded)
        stored.state = Campaign.State.OPEN
        stored.save(update_fields=["state", "selection"])
    campaign.state, campaign.selection = stored.state, stored.selection
    return people


def create_annotators(campaign: Campaign, count: int) -> list[Annotator]:
    """Add annotators without links; their pseudonyms go on from those there are.

    Practice items are the first that they get.
    """
    start = campaign.annotators.count()
    people = Annotator.objects.bulk_create(
        Annotator(
            campaign=campaign,
            pseudonym=f"annotator {start + number + 1}",
            number=start + number,
            public_id=uuid.uuid4(),
            completion_code=secrets.token_hex(4).upper(),
        )
        for number in range(count)
    )
    give_practice(campaign, people)
    return people


def check_texts(campaign: Campaign) -> None:
    """See whether what is shown in place of stored texts, and what is practised, can be made.

    Raises
    ------
    LaunchError
        If the campaign is to mask and no mask is chosen that can be used, or a practice item
        cannot be shown or judged.
    """
    try:
        read_practice(campaign)
        check_mask(campaign)
    except (MaskError, PracticeError) as error:
        raise LaunchError(str(error)) from None


def _prepared(campaign: Campaign, pool: Pool) -> tuple[list[Exercise], CampaignMasks | None]:
    """Read what is practised and make the masked texts of everything that is shown."""
    try:
        exercises = read_practice(campaign)
        shown = [first for screen in pool.screens for first, _ in screen.items]
        return exercises, masks_for(campaign, [*shown, *(each.first for each in exercises)])
    except (MaskError, PracticeError) as error:
        raise LaunchError(str(error)) from None


def _controls(campaign: Campaign, plan: Plan) -> tuple[int, int]:
    wanted = campaign.selection.get("controls", {})
    repeats, degraded = int(wanted.get("repeats", 0)), int(wanted.get("degraded", 0))
    if not repeats + degraded:
        return 0, 0
    if not plan.lists:
        raise LaunchError(
            "controls need lists that are made beforehand: choose another design than the shared "
            "queue, or no controls"
        )
    if degraded and not campaign.rules.scale:
        raise LaunchError(f"{campaign.rules.title} compares texts: degraded controls need a scale")
    if campaign.rules.layout == "order" or campaign.config.get("table"):
        raise LaunchError("controls are for screens with one item, not for tables and rankings")
    shortest = min(len(rows) for rows in plan.lists)
    if repeats + degraded > shortest // 2:
        raise LaunchError(
            f"{repeats + degraded} controls for lists of {shortest} items; at most {shortest // 2}"
        )
    return repeats, degraded


def _create_items(
    campaign: Campaign, pool: Pool, plan: Plan, masks: CampaignMasks | None
) -> list[list[Item]]:
    """Store the items of every screen; those for the shared queue wait to be taken."""
    k = campaign.ratings_per_item
    places = np.zeros(len(pool.screens), np.intp)
    if plan.queue.size:
        places[plan.queue] = np.arange(plan.queue.size)
    made: list[list[Item]] = []
    for number, screen in enumerate(pool.screens):
        made.append(
            [
                Item(
                    campaign=campaign,
                    first_id=first.pk,
                    second_id=second.pk if second else None,
                    screen=number,
                    lead=place == 0,
                    position=int(places[number]),
                    wanted=k,
                    taken=0 if plan.queue.size else k,
                    shown=masks.shown(first) if masks else None,
                )
                for place, (first, second) in enumerate(screen.items)
            ]
        )
    Item.objects.bulk_create((item for items in made for item in items), batch_size=ROWS_AT_ONCE)
    return made


def _assign(
    campaign: Campaign,
    pool: Pool,
    plan: Plan,
    people: Sequence[Annotator],
    items: list[list[Item]],
    repeats: int,
    degraded: int,
) -> None:
    places = [
        place_controls(rows, repeats + degraded, [campaign.seed, _CONTROLS, person])
        for person, rows in enumerate(plan.lists)
    ]
    kinds = [_kinds(placed.control, repeats, campaign.seed, person)
             for person, placed in enumerate(places)]  # fmt: skip
    controls = _create_controls(campaign, pool, items, places, kinds)
    assignments: list[Assignment] = []
    for annotator, placed, kind in zip(people, places, kinds, strict=True):
        swapped = sides(len(placed.rows), [campaign.seed, _SIDES, annotator.number])
        for position, row in enumerate(placed.rows):
            screen = items[row]
            if placed.control[position]:
                screen = [controls[int(row), kind[position]]]
            assignments += [
                Assignment(
                    item=item,
                    annotator=annotator,
                    position=annotator.assigned + position,
                    lead=place == 0,
                    swapped=bool(swapped[position]) and item.second_id is not None,
                )
                for place, item in enumerate(screen)
            ]
        annotator.assigned += len(placed.rows)
    Assignment.objects.bulk_create(assignments, batch_size=ROWS_AT_ONCE)
    Annotator.objects.bulk_update(people, ["assigned"], batch_size=ROWS_AT_ONCE)


def _kinds(control: Any, repeats: int, seed: int, person: int) -> dict[int, str]:
    """Say for each control place whether it repeats or degrades, mixed at random."""
    where = np.random.default_rng([seed, _CONTROLS, person, 1]).permutation(np.flatnonzero(control))
    return {
        int(place): Item.Kind.REPEAT if number < repeats else Item.Kind.DEGRADED
        for number, place in enumerate(where)
    }


def _create_controls(
    campaign: Campaign,
    pool: Pool,
    items: list[list[Item]],
    places: Sequence[Any],
    kinds: Sequence[dict[int, str]],
) -> dict[tuple[int, str], Item]:
    """Store each control once, however many annotators get it."""
    counts: dict[tuple[int, str], int] = {}
    for placed, kind in zip(places, kinds, strict=True):
        for position, name in kind.items():
            key = (int(placed.rows[position]), name)
            counts[key] = counts.get(key, 0) + 1
    texts = _texts_to_degrade(pool, [row for row, name in counts if name == Item.Kind.DEGRADED])
    masked = {
        item.first_id: item.shown["first"] for screen in items for item in screen if item.shown
    }
    texts = {pk: masked.get(pk, text) for pk, text in texts.items()}
    made = {}
    for (row, name), count in counts.items():
        [original] = items[row]
        shown = dict(original.shown or {})
        if name == Item.Kind.DEGRADED:
            random = np.random.default_rng([campaign.seed, _DEGRADED, row])
            own = texts[original.first_id]
            donors = [text for pk, text in texts.items() if pk != original.first_id]
            shown["first"] = degrade(own, donors, random)
        made[row, name] = Item(
            campaign=campaign,
            first_id=original.first_id,
            second_id=original.second_id,
            occasion=OCCASION[Item.Kind(name)],
            kind=name,
            original=original,
            screen=original.screen,
            wanted=count,
            taken=count,
            shown=shown or None,
        )
    Item.objects.bulk_create(made.values(), batch_size=ROWS_AT_ONCE)
    return made


def _texts_to_degrade(pool: Pool, rows: Sequence[int]) -> dict[int, str]:
    """Return the texts of the originals, and some others to take foreign words from."""
    if not rows:
        return {}
    firsts = [screen.items[0][0].pk for screen in pool.screens]
    wanted = {firsts[row] for row in rows} | set(firsts[:200])
    return dict(Output.objects.filter(pk__in=wanted).values_list("pk", "text"))
