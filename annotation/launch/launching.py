"""From a campaign that is prepared to items, annotators and their assignments.

The rows are written some at a time while the campaign is still a draft, so that annotators of
other campaigns never wait long; the last transaction counts them and opens the campaign. What an
interrupted start has left is removed by the next one.
"""

import secrets
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from django.db import models, transaction

from annotation.campaigns.drafts import LaunchError, Turn, clear_draft, hold_draft
from annotation.controls.in_lists import Wanted, control_items, controls_wanted
from annotation.designs import SIDES, Plan, sides_with_controls
from annotation.launch.planning import Prepared, prepared, queue_load
from annotation.masks.masking import recipe_for, store_shown
from annotation.models import Annotator, Assignment, Campaign, CampaignSet, Item, Participant
from annotation.practice.items import create_practice, give_practice
from annotation.selection.pool import Pool
from corpus.progress import ProgressCallback, unreported

ROWS_AT_ONCE = 500


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
    write = _Writer(campaign, turn, tell, _rows_to_write(campaign, ready))
    items = _items(campaign, ready)
    write.rows(Item, (item for screen in items for item in screen))
    if ready.exercises:
        write.rows(Item, create_practice(campaign, ready.exercises, ready.masks))
    controls = _controls(campaign, ready, items)
    # Two originals of one segment may have the same control.
    of_controls = {id(item): item for screen in controls.values() for item in screen}
    write.rows(Item, of_controls.values())
    with turn():
        hold_draft(campaign)
        people = create_annotators(campaign, annotators)
        first = [annotator.assigned for annotator in people]
        for annotator, placed in zip(people, _lists(ready), strict=False):
            annotator.assigned += len(placed)
        Annotator.objects.bulk_update(people, ["assigned"], batch_size=ROWS_AT_ONCE)
    write.rows(Assignment, _assignments(campaign, ready, people, first, items, controls))
    with turn():
        _open(campaign, ready, annotators, write.written)
        opened(people)
    return people


def create_annotators(campaign: Campaign, count: int) -> list[Annotator]:
    """Add annotators without links; their pseudonyms go on from those there are.

    In a set they are its participants. Practice items are the first that they get.
    """
    start = campaign.annotators.count()
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


@dataclass
class _Writer:
    """Writes rows of a draft, some in each transaction."""

    campaign: Campaign
    turn: Turn
    tell: ProgressCallback
    total: int
    done: int = 0

    def __post_init__(self) -> None:
        self.written: dict[type[models.Model], int] = {}

    def rows(self, model: Any, rows: Any) -> None:
        """Store instances of a model; their keys are set."""
        left = iter(rows)
        while some := list(islice(left, ROWS_AT_ONCE)):
            with self.turn():
                hold_draft(self.campaign)
                model.objects.bulk_create(some)
            self.written[model] = self.written.get(model, 0) + len(some)
            self.done += len(some)
            self.tell("writing items and assignments", self.done, self.total)


def _rows_to_write(campaign: Campaign, ready: Prepared) -> int:
    """Estimate how many rows a start writes."""
    items = ready.pool.screens.items
    return items + (items * campaign.ratings_per_item if ready.plan.dealt else 0)


def _items(campaign: Campaign, ready: Prepared) -> list[list[Item]]:
    """Make the items of every screen; those for the shared queue wait to be taken."""
    k = campaign.ratings_per_item
    queue, masks = ready.plan.queue, ready.masks
    places = np.zeros(len(ready.pool.screens), np.intp)
    places[queue] = np.arange(1, queue.size + 1)
    return [
        [
            Item(
                campaign=campaign,
                first_id=first.pk,
                second_id=second.pk if second else None,
                screen=number,
                lead=place == 0,
                position=int(places[number]),
                wanted=k,
                taken=0 if queue.size else k,
                shown=masks.shown(first) if masks else None,
            )
            for place, (first, second) in enumerate(screen.items)
        ]
        for number, screen in enumerate(ready.pool.screens)
    ]


def _controls(
    campaign: Campaign, ready: Prepared, items: Sequence[Sequence[Item]]
) -> dict[Wanted, list[Item]]:
    wanted = controls_wanted(ready.placed, ready.kinds)
    originals = {row: items[row] for row, _ in wanted}
    return control_items(campaign, ready.pool, originals, wanted, ready.references, ready.masks)


def _lists(ready: Prepared) -> list[Any]:
    """Return each annotator's rows in order, controls among them; empty for the shared queue."""
    return [placed.rows for placed in ready.placed] or list(ready.plan.lists)


def _assignments(
    campaign: Campaign,
    ready: Prepared,
    people: Sequence[Annotator],
    first: Sequence[int],
    items: Sequence[Sequence[Item]],
    controls: dict[Wanted, list[Item]],
) -> Iterator[Assignment]:
    """Yield everybody's assignments; `first` is the first free place of each."""
    for person, rows in enumerate(_lists(ready)):
        kinds = ready.kinds[person] if ready.kinds else {}
        control = np.isin(np.arange(len(rows)), list(kinds))
        swapped = sides_with_controls(control, [campaign.seed, SIDES, people[person].number])
        for position, row in enumerate(rows):
            kind = kinds.get(position)
            screen = items[row] if kind is None else controls[int(row), kind]
            for place, item in enumerate(screen):
                yield Assignment(
                    item=item,
                    annotator=people[person],
                    position=first[person] + position,
                    lead=place == 0,
                    swapped=bool(swapped[position]) and item.second_id is not None,
                )


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
        raise LaunchError("this campaign was started from somewhere else meanwhile; start it again")
    if ready.exercises:
        practice = [exercise.to_dict() for exercise in ready.exercises]
        stored.selection = {**stored.selection, "practice": practice}
    recipe = recipe_for(stored) if ready.masks else ""
    if ready.masks:
        references = (text.pk for text in ready.references.values())
        store_shown(stored, recipe, {pk: ready.masks.texts[pk] for pk in references})
    if not ready.plan.dealt:
        stored.queue_end = len(ready.pool.screens)
        if ready.counts.total:
            stored.queue_controls = _queue_controls(stored, ready, annotators, recipe)
    stored.state = Campaign.State.OPEN
    stored.save(update_fields=["state", "selection", "queue_end", "queue_controls"])
    for name in ("state", "selection", "queue_end", "queue_controls"):
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
