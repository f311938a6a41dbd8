"""The statements of the shared queue, written out as those of a submission are.

A place in the queue is a number that is given once. Whenever an item is taken or given back it
gets a new place, behind all others: among items with equally many ratings, what stands behind a
place came there later. So an annotator's search goes on where the last one ended, and never reads
again what it has passed, however large the pool is.
"""

import datetime as dt
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import connection

from annotation.models import Assignment, Item
from annotation.statements import ITEMS, Statement, fetch_rows, stored_uuid

_NEW_PLACE = """
UPDATE annotation_campaign SET queue_end = queue_end + 1 WHERE id = %s RETURNING queue_end
"""
# What stands under an item is read with the place: a statement more takes longer than these rows.
_SEARCH = """
UPDATE annotation_campaign SET queue_end = queue_end + 1 WHERE id = %s RETURNING queue_end,
    (SELECT t.id FROM annotation_assignment t
     WHERE t.annotator_id = %s AND t.lead AND t.state = 'open' ORDER BY t.position LIMIT 1),
    ({ended})
"""
# One step for each number of ratings that items have, up to the first with something to offer:
# upwards, or downwards from the number that is wanted.
_NEXT_ITEM = f"""
WITH RECURSIVE step (taken, item) AS (
    SELECT {{start}}, CAST(NULL AS bigint)
    UNION ALL
    SELECT {{next}}, (
        SELECT i.id FROM annotation_item i
        WHERE i.campaign_id = %s AND i.lead AND i.taken < i.wanted AND i.kind = 'plain'
          AND i.taken = {{next}} AND i.position > {{passed}}
          AND NOT EXISTS (SELECT 1 FROM annotation_assignment t WHERE t.item_id = i.id
                          AND t.annotator_id = %s AND t.state <> 'expired')
        ORDER BY i.position LIMIT 1)
    FROM step s WHERE s.item IS NULL AND {{next}} BETWEEN 0 AND %s
)
SELECT {ITEMS}, i.taken, i.position FROM step s JOIN annotation_item i ON i.id = s.item
"""  # noqa: S608  (the columns are a constant)
_PASSED = {
    "sqlite": "json_extract(%s, '$[' || ({next}) || ']')",
    "postgresql": "CAST(CAST(%s AS jsonb) ->> ({next}) AS bigint)",
}
# CROSS JOIN keeps SQLite from going through the campaign's items in search of their leases.
_ENDED = """
SELECT t.id FROM annotation_assignment t CROSS JOIN annotation_item i
WHERE i.id = t.item_id AND t.lease_until < %s AND t.lead AND i.campaign_id = %s
ORDER BY t.lease_until LIMIT {most}
"""
_BEGIN = _SEARCH.format(ended=_ENDED.format(most=1).strip())
_TAKE = """
UPDATE annotation_item SET taken = taken + 1, position = %s WHERE id = %s AND taken < wanted
"""
_NOTE = "UPDATE annotation_annotator SET assigned = assigned + %s, passed = %s WHERE id = %s"
_LEASE = """
INSERT INTO annotation_assignment (public_id, item_id, annotator_id, swapped, position, lead,
                                   state, lease_until)
VALUES (%s, %s, %s, %s, %s, %s, 'open', %s)
ON CONFLICT (item_id, annotator_id) DO UPDATE SET state = 'open',
    position = excluded.position, lease_until = excluded.lease_until
RETURNING CASE WHEN public_id = %s THEN id ELSE -id END AS written
"""


class Found(NamedTuple):
    """An item that can be handed out, how often it is taken, and its place among its equals."""

    item: Item
    taken: int
    place: int


def hold_queue(campaign: int) -> None:
    """Let nobody else change a campaign's queue until the transaction ends.

    Who will write comes here first: see the order of locks in `corpus.storage.write_turn`.
    """
    fetch_rows("SELECT 1 FROM annotation_campaign WHERE id = %s FOR NO KEY UPDATE", [campaign])


def new_place(campaign: int) -> int:
    """Return a place behind all others; whoever else wants one waits for this transaction."""
    [(place,)] = fetch_rows(_NEW_PLACE, [campaign])
    return int(place)


def begin_search(campaign: int, annotator: int, now: dt.datetime) -> tuple[int, bool, bool]:
    """Return a new place, whether an annotator has an open screen, and whether a lease has ended.

    Whoever else wants a place waits for this transaction.
    """
    when = connection.ops.adapt_datetimefield_value(now)
    [(place, is_open, ended)] = fetch_rows(_BEGIN, [campaign, annotator, when, campaign])
    return int(place), is_open is not None, ended is not None


def next_item(
    campaign: int, annotator: int, passed: Sequence[int], *, most_rated: bool = False
) -> Found | None:
    """Return the least-rated item with a place left that an annotator has not had.

    Parameters
    ----------
    campaign, annotator
    passed
        For each number of ratings the place behind which to search; as many as ratings wanted.
    most_rated
        Whether the most-rated item comes first instead, so that items are completed one by one.
    """
    way = "s.taken - 1" if most_rated else "s.taken + 1"
    statement = _NEXT_ITEM.format(
        start=len(passed) if most_rated else -1,
        next=way,
        passed=_PASSED[connection.vendor].format(next=way),
    )
    parameters = [campaign, json.dumps(list(passed)), annotator, len(passed) - 1]
    rows = fetch_rows(statement, parameters)
    if not rows:
        return None
    row = iter(rows[0])
    return Found(ITEMS.instance(row), *row)


def ended_leases(campaign: int, now: dt.datetime) -> list[int]:
    """Return assignments of a campaign whose lease has ended, some at a time."""
    when = connection.ops.adapt_datetimefield_value(now)
    return [row[0] for row in fetch_rows(_ENDED.format(most=50), [when, campaign])]


def taking(item: int, place: int) -> Statement:
    """Take a rating's place at an item if it has one left; the item moves in the queue."""
    return _TAKE, [place, item]


def noting(annotator: int, assigned: int, passed: Sequence[int]) -> Statement:
    """Keep how far an annotator's search went, and count what they got."""
    return _NOTE, [assigned, json.dumps(list(passed)), annotator]


def leasing(assignment: Assignment) -> Statement:
    """Insert a leased assignment, or open the one again that the annotator had before.

    It writes the key of the assignment: below zero if it was there before.
    """
    until: Any = assignment.lease_until
    if until is not None:
        until = connection.ops.adapt_datetimefield_value(until)
    return _LEASE, [
        stored_uuid(assignment.public_id), assignment.item_id, assignment.annotator_id,
        assignment.swapped, assignment.position, assignment.lead, until,
        stored_uuid(assignment.public_id),
    ]  # fmt: skip
