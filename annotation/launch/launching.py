"""From a campaign that is prepared to items, annotators and their assignments.

The rows are written some at a time while the campaign is still a draft, so that annotators of
other campaigns never wait long; the last transaction counts them and opens the campaign. What an
interrupted start has left is removed by the next one.
"""

import secrets
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from django.db import models, transaction

from annotation.campaigns.drafts import LaunchError, Turn, clear_draft, hold_draft
from annotation.controls.items import Wanted, control_items, controls_wanted
from annotation.designs.assignment import Plan
from annotation.designs.order import SIDES, Rows, sides_with_controls
from annotation.launch.planning import Prepared, prepared, queue_load
from annotation.launch.writing import (
    ROWS_AT_ONCE,
    STARTED_MEANWHILE,
    Places,
    StoredItems,
    Writer,
    assignment_row,
    assignment_rows,
    item_row,
)
from annotation.masks.masking import recipe_for, store_shown
from annotation.models import Annotator, Assignment, Campaign, CampaignSet, Item, Participant
from annotation.practice.items import create_practice, give_practice
from annotation.selection.pool import Pool
from corpus.progress import ProgressCallback, unreported


def launch(
    campaign: Campaign,
    annotators: int,
    made: tuple[Pool, Plan] | None = None,
    *,
    turn: Turn = transaction.atomic,
    tell: ProgressCallback = unreported,
    opened: Callable[[list[Annotator]], None] = lambda people: None,
) -> list[Annotator]:
    """Make items, annotators and assignments, and open the campaign.

    Parameters
    ----------
    campaign, annotators
    made
        What `planned` has given already; it is planned anew without it.
    turn
        The transaction of each part.
    tell
        Hears how far it is.
    opened
        What else belongs into the transaction that opens the campaign.

    Raises
    ------
    LaunchError
        If the campaign was started already, its controls or practice items do not fit, or its
        texts cannot be masked.
    SelectionError, DesignError, ConfigError
        If it cannot be run as it is configured.
    """
    ready = prepared(campaign, annotators, made)
    clear_draft(campaign, turn)
    write = Writer(campaign, turn, tell, _rows_to_write(campaign, ready))
    write.items(_items(campaign, ready))
    items = StoredItems(campaign, ready.pool.screens)
    if ready.exercises:
        write.instances(Item, create_practice(campaign, ready.exercises, ready.masks))
    controls = _controls(campaign, ready, items)
    # Two originals of one segment may have the same control.
    of_controls = {id(item): item for screen in controls.values() for item in screen}
    write.instances(Item, of_controls.values())
    with turn():
        hold_draft(campaign)
        people = create_annotators(campaign, annotators)
        first = [len(ready.exercises)] * len(people)
        for annotator, rows in zip(people, ready.plan.dealt, strict=False):
            annotator.assigned += len(rows) + ready.counts.total
        Annotator.objects.bulk_update(people, ["assigned"], batch_size=ROWS_AT_ONCE)
    write.assignments(_assignments(campaign, ready, people, first, items, controls))
    write.refresh_statistics()
    with turn():
        _open(campaign, ready, annotators, write.written)
        opened(people)
    return people


def create_annotators(campaign: Campaign, count: int) -> list[Annotator]:
    """Add annotators without links; their numbers and pseudonyms go on from the last ones.

    In a set they are its participants. Practice items are the first that they get.
    """
    # Not their count: somebody may have been deleted.
    last = campaign.annotators.aggregate(last=models.Max("number", default=-1))["last"]
    start = last + 1
    people = [
        Annotator(
            campaign=campaign,
            pseudonym=f"annotator {number + 1}",
            number=number,
            public_id=uuid.uuid4(),
            completion_code=secrets.token_hex(4).upper(),
        )
        for number in range(start, start + count)
    ]
    if campaign.set is not None:
        for annotator, participant in zip(
            people, participants(campaign.set, start, count), strict=True
        ):
            annotator.participant = participant
            annotator.pseudonym = participant.pseudonym
            annotator.completion_code = participant.completion_code
    Annotator.objects.bulk_create(people)
    give_practice(campaign, people)
    return people


def participants(together: CampaignSet, start: int, count: int) -> list[Participant]:
    """Return the people of a set from a number on; who is not there yet is made."""
    wanted = range(start, start + count)
    there = together.participants.filter(number__in=wanted).order_by("number")
    known = set(there.values_list("number", flat=True))
    Participant.objects.bulk_create(
        Participant(
            set=together,
            pseudonym=f"annotator {number + 1}",
            number=number,
            completion_code=secrets.token_hex(4).upper(),
        )
        for number in wanted
        if number not in known
    )
    return list(there)


def _rows_to_write(campaign: Campaign, ready: Prepared) -> int:
    """Estimate how many rows a start writes."""
    items = ready.pool.screens.items
    return items + (items * campaign.ratings_per_item if ready.plan.dealt else 0)


def _items(campaign: Campaign, ready: Prepared) -> Iterator[tuple[Any, ...]]:
    """Yield the items of every screen; those for the shared queue wait to be taken."""
    queue, masks, rounds = ready.plan.queue, ready.masks, ready.rounds
    places = np.zeros(len(ready.pool.screens), np.intp)
    places[queue] = np.arange(1, queue.size + 1) if rounds is None else rounds.places[queue]
    taken = 0 if queue.size else campaign.ratings_per_item
    for number, screen in enumerate(ready.pool.screens):
        for place, (first, second) in enumerate(screen.items):
            yield item_row(
                campaign,
                first.pk,
                second.pk if second else None,
                masks.shown(first) if masks else None,
                screen=number,
                lead=place == 0,
                position=int(places[number]),
                waits=rounds is not None and bool(rounds.number[number]),
                taken=taken,
            )


def _controls(campaign: Campaign, ready: Prepared, items: StoredItems) -> dict[Wanted, list[Item]]:
    wanted = controls_wanted(ready.placed, ready.kinds)
    originals = {
        row: items.instances(
            row,
            [
                ready.masks.shown(first) if ready.masks else None
                for first, _ in ready.pool.screens[row].items
            ],
        )
        for row, _ in wanted
    }
    return control_items(campaign, ready.pool, originals, wanted, ready.references, ready.masks)


def _lists(ready: Prepared) -> Iterable[Rows]:
    """Return each annotator's rows in order, controls among them; empty for the shared queue."""
    return [placed.rows for placed in ready.placed] if ready.placed else ready.plan.lists


def _assignments(
    campaign: Campaign,
    ready: Prepared,
    people: Sequence[Annotator],
    first: Sequence[int],
    items: StoredItems,
    controls: dict[Wanted, list[Item]],
) -> Iterator[tuple[Any, ...]]:
    """Yield everybody's assignments; `first` is the first free place of each."""
    of_people: list[Places] = []
    for person, rows in enumerate(_lists(ready)):
        kinds = ready.kinds[person] if ready.kinds else {}
        control = np.isin(np.arange(len(rows)), list(kinds))
        swapped = sides_with_controls(control, [campaign.seed, SIDES, people[person].number])
        positions = first[person] + np.arange(len(rows))
        pk = people[person].pk
        for place, kind in kinds.items():
            for item in controls[int(rows[place]), kind]:
                side = bool(swapped[place]) and item.second_id is not None
                yield assignment_row(item.pk, pk, side, int(positions[place]), item.lead)
        plain = ~control
        who = np.full(plain.sum(), pk)
        of_people.append(Places(who, positions[plain], rows[plain], swapped[plain]))
    if of_people:
        yield from assignment_rows(Places.of_all(of_people), items)


def _open(
    campaign: Campaign, ready: Prepared, annotators: int, written: dict[type[models.Model], int]
) -> None:
    """Open a campaign whose rows are all there, and there once."""
    stored = hold_draft(campaign)
    practised = annotators * sum(len(exercise.expected) for exercise in ready.exercises)
    assigned = Assignment.objects.filter(annotator__campaign=campaign).count()
    if (stored.items.count(), assigned) != (
        written.get(Item, 0),
        written.get(Assignment, 0) + practised,
    ):
        raise LaunchError(STARTED_MEANWHILE)
    if ready.exercises:
        practice = [exercise.to_dict() for exercise in ready.exercises]
        stored.selection = {**stored.selection, "practice": practice}
    recipe = recipe_for(stored) if ready.masks else ""
    if ready.masks:
        references = (text.pk for text in ready.references.values())
        store_shown(stored, recipe, {pk: ready.masks.texts[pk] for pk in references})
    if not ready.plan.dealt:
        stored.queue_end = len(ready.pool.screens)
        if ready.rounds is not None:
            stored.queue_end = ready.rounds.count * ready.rounds.width
            stored.stopping = ready.rounds.at_start
        if ready.counts.total:
            stored.queue_controls = _queue_controls(stored, ready, annotators, recipe)
    stored.state = Campaign.State.OPEN
    written_fields = ("state", "selection", "queue_end", "queue_controls", "stopping")
    stored.save(update_fields=written_fields)
    for name in written_fields:
        setattr(campaign, name, getattr(stored, name))


def _queue_controls(
    campaign: Campaign, ready: Prepared, annotators: int, recipe: str
) -> dict[str, Any]:
    """Return what is needed to give controls to who comes to the shared queue."""
    practised = len(ready.exercises)
    share = queue_load(campaign, ready.pool, annotators)
    return {
        "repeats": ready.counts.repeats,
        "degraded": ready.counts.degraded,
        "references": ready.counts.references,
        # Who comes a little less often than the others shall meet all of them too.
        "items": max(2 * ready.counts.total, share * 9 // 10),
        # The queue's places begin behind the practice items, at an even one.
        "first": practised + practised % 2,
        "recipe": recipe,
    }
