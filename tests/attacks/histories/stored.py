"""What the database holds at the end, read by SQL alone."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

SUBMISSIONS = """
SELECT s.uuid, s.revision, s.surplus, s.comment, s.item_id, a.public_id, t.public_id,
       c.ratings_per_item
FROM annotation_submission s
JOIN annotation_annotator a ON a.id = s.annotator_id
JOIN annotation_campaign c ON c.id = a.campaign_id
LEFT JOIN annotation_assignment t ON t.item_id = s.item_id AND t.annotator_id = s.annotator_id
ORDER BY s.id
"""
RATINGS = """
SELECT s.uuid, r.aspect, r.value FROM annotation_rating r
JOIN annotation_submission s ON s.id = r.submission_id
"""
ASSIGNMENTS = """
SELECT t.public_id, a.public_id, t.item_id, t.state FROM annotation_assignment t
JOIN annotation_annotator a ON a.id = t.annotator_id
"""
ITEMS = """
SELECT i.id, i.taken, i.wanted, c.design FROM annotation_item i
JOIN annotation_campaign c ON c.id = i.campaign_id
"""
JOBS = "SELECT id, state, error FROM corpus_job WHERE parent_id IS NULL"


@dataclass(frozen=True)
class Submission:
    """One submission with its ratings."""

    uuid: str
    revision: int
    surplus: bool
    comment: str
    item: int
    annotator: str
    assignment: str
    wanted: int
    values: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Item:
    """How many places an item has, how many are said to be taken, and whether they are leased."""

    wanted: int
    taken: int
    leased: bool


@dataclass(frozen=True)
class Stored:
    """All that a history is checked against; public ids without hyphens."""

    submissions: list[Submission]
    owner_of: dict[str, str] = field(default_factory=dict)
    open_at: dict[int, int] = field(default_factory=dict)
    items: dict[int, Item] = field(default_factory=dict)
    jobs: dict[int, tuple[str, str]] = field(default_factory=dict)
    integrity: str = "ok"


def read_stored(connection: Any) -> Stored:
    """Read the final state through a connection of either database."""

    def rows(query: str) -> list[Any]:
        cursor = connection.cursor()
        cursor.execute(query)
        return list(cursor.fetchall())

    values: dict[str, list[tuple[str, float]]] = {}
    for uuid, aspect, value in rows(RATINGS):
        values.setdefault(_hex(uuid), []).append((aspect, value))
    submissions = [
        Submission(
            _hex(uuid), revision, bool(surplus), comment, item, _hex(person), _hex(assignment),
            wanted, tuple(sorted(values.get(_hex(uuid), []))),
        )
        for uuid, revision, surplus, comment, item, person, assignment, wanted in rows(SUBMISSIONS)
    ]  # fmt: skip
    owner_of: dict[str, str] = {}
    open_at: dict[int, int] = {}
    for assignment, person, item, state in rows(ASSIGNMENTS):
        owner_of[_hex(assignment)] = _hex(person)
        open_at[item] = open_at.get(item, 0) + (state == "open")
    return Stored(
        submissions,
        owner_of,
        open_at,
        {
            pk: Item(wanted, taken, design == "shared_queue")
            for pk, taken, wanted, design in rows(ITEMS)
        },
        {pk: (state, error) for pk, state, error in rows(JOBS)},
    )


def _hex(value: UUID | str | None) -> str:
    return str(value or "").replace("-", "")
