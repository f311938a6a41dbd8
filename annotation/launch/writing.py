"""Rows of a start, written some at a time: a campaign may have millions of them."""

import json
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

import numpy as np
from django.db import models
from numpy.typing import NDArray

from annotation.campaigns.drafts import LaunchError, Turn, hold_draft
from annotation.models import Assignment, Campaign, Item
from annotation.selection.screens import Numbers, Screens
from annotation.statements import stored_uuid
from corpus.imports.statements import refresh_statistics, write_rows
from corpus.progress import ProgressCallback

ROWS_AT_ONCE = 2000
"""So many rows are written within about .05 s, so that nobody else waits longer."""
_MANY = 10_000
_OPEN = str(Assignment.State.OPEN)
_ITEM_COLUMNS = (
    *("campaign_id", "first_id", "second_id", "occasion", "kind", "screen", "lead", "position"),
    *("wanted", "taken", "shown"),
)
_ASSIGNMENT_COLUMNS = (
    *("public_id", "item_id", "annotator_id", "swapped", "position", "lead", "state"),
)
STARTED_MEANWHILE = "this campaign was started from somewhere else meanwhile; start it again"


@dataclass
class Writer:
    """Writes rows of a draft, some in each transaction.

    Parameters
    ----------
    campaign
    turn
        The transaction of each part.
    tell
        Hears how far it is.
    total
        How many rows there will be, about.
    """

    campaign: Campaign
    turn: Turn
    tell: ProgressCallback
    total: int
    done: int = 0
    written: dict[type[models.Model], int] = field(default_factory=dict)

    def instances(self, model: Any, rows: Iterable[Any]) -> None:
        """Store a few instances of a model; their keys are set."""
        for some in self._parts(model, rows):
            model.objects.bulk_create(some)

    def items(self, rows: Iterable[Sequence[Any]]) -> None:
        """Store what `item_rows` yields."""
        for some in self._parts(Item, rows):
            write_rows(Item._meta.db_table, _ITEM_COLUMNS, some)

    def assignments(self, rows: Iterable[Sequence[Any]]) -> None:
        """Store what `assignment_rows` yields."""
        for some in self._parts(Assignment, rows):
            write_rows(Assignment._meta.db_table, _ASSIGNMENT_COLUMNS, some)

    def refresh_statistics(self) -> None:
        """Tell the planner of many new rows, so that it looks the next item up by an index."""
        if self.done >= _MANY:
            refresh_statistics(Item._meta.db_table, Assignment._meta.db_table)

    def _parts(self, model: type[models.Model], rows: Iterable[Any]) -> Iterator[list[Any]]:
        left = iter(rows)
        while some := list(islice(left, ROWS_AT_ONCE)):
            with self.turn():
                hold_draft(self.campaign)
                yield some
            self.written[model] = self.written.get(model, 0) + len(some)
            self.done += len(some)
            self.tell("writing items and assignments", self.done, self.total)


class StoredItems:
    """The items of a campaign's screens as they are stored, by the numbers of the screens.

    Raises
    ------
    LaunchError
        If somebody else has written items too.
    """

    def __init__(self, campaign: Campaign, screens: Screens) -> None:
        stored = Item.objects.filter(campaign=campaign).order_by("pk").values_list("pk", flat=True)
        # They got their keys in the order in which they were written.
        self.keys = np.fromiter(stored.iterator(ROWS_AT_ONCE), np.int64)
        if self.keys.size != screens.items:
            raise LaunchError(STARTED_MEANWHILE)
        self._campaign, self.screens, self.starts = campaign, screens, screens.starts

    def instances(self, number: int, shown: Sequence[Any]) -> list[Item]:
        """Return the items of a screen, as far as control items are made of them."""
        start = self.starts[number]
        return [
            Item(
                pk=int(self.keys[start + place]),
                campaign=self._campaign,
                first_id=first.pk,
                second_id=second.pk if second else None,
                screen=number,
                lead=place == 0,
                shown=texts,
            )
            for place, ((first, second), texts) in enumerate(
                zip(self.screens[number].items, shown, strict=True)
            )
        ]


def item_row(
    campaign: Campaign, first: int, second: int | None, shown: Any, *, screen: int, lead: bool,
    position: int, waits: bool, taken: int,
) -> tuple[Any, ...]:  # fmt: skip
    """Return an item that is to be rated as it is stored; one that waits, in a later round."""
    wanted = 0 if waits else campaign.ratings_per_item
    return (
        *(campaign.pk, first, second, 1, str(Item.Kind.PLAIN), screen, lead, position),
        *(wanted, taken, None if shown is None else json.dumps(shown)),
    )


@dataclass(frozen=True)
class Places:
    """Places of annotators at screens: who, at which place of their list, and on which side."""

    annotators: Numbers
    positions: Numbers
    screens: Numbers
    swapped: NDArray[np.bool_]

    @classmethod
    def of_all(cls, parts: Sequence["Places"]) -> "Places":
        """Return the places of several annotators together."""
        return cls(
            np.concatenate([part.annotators for part in parts]),
            np.concatenate([part.positions for part in parts]),
            np.concatenate([part.screens for part in parts]),
            np.concatenate([part.swapped for part in parts]),
        )


def assignment_rows(places: Places, items: StoredItems) -> Iterator[tuple[Any, ...]]:
    """Yield assignments as they are stored, by item: most indexes then grow at their end only.

    In the order of annotators each row would change another page of the index of items, and all
    of these pages would be written again for every few rows.
    """
    order = np.argsort(places.screens, kind="stable")
    counts, are_pairs = items.screens.counts, items.screens.are_pairs
    for begin in range(0, order.size, ROWS_AT_ONCE):
        some = order[begin : begin + ROWS_AT_ONCE]
        each = counts[places.screens[some]]
        of_screen = np.arange(each.sum()) - np.repeat(np.cumsum(each) - each, each)
        some = np.repeat(some, each)
        item = items.starts[places.screens[some]] + of_screen
        swapped = places.swapped[some] & are_pairs[item]
        columns = (items.keys[item], places.annotators[some], swapped, places.positions[some])
        rows = zip(*(column.tolist() for column in (*columns, of_screen == 0)), strict=True)
        for row in rows:
            yield assignment_row(*row)


def assignment_row(
    item: int, annotator: int, swapped: bool, position: int, lead: bool
) -> tuple[Any, ...]:
    """Return an annotator's place at an item as it is stored."""
    # Random: rows come in the order of the study, which identifiers must not tell.
    public_id = stored_uuid(uuid.uuid4())
    return (public_id, item, annotator, swapped, position, lead, _OPEN)
