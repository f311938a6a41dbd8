"""The statements of a submission, written out.

Django composes a query anew each time it is run; for these few, which every click of every
annotator runs, that took more than half of the time. They do what the models say, no more.
"""

import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import connection, models
from django.db.models.base import ModelState
from django.utils import timezone

from annotation.models import (
    Annotator,
    Assignment,
    Campaign,
    Draft,
    Item,
    OtherTasks,
    Submission,
)
from annotation.models.campaign_set import LENGTH_OF_MARK
from annotation.protocols.questions import Answers
from corpus.models import Study
from corpus.storage.write_turn import Overtaken


@dataclass(frozen=True)
class Columns:
    """Columns of a model, as a statement selects them and an instance takes them up.

    Parameters
    ----------
    model
    alias
        The name of its table in the statement.
    names
        Of the columns.
    """

    model: type[models.Model]
    alias: str
    names: str

    def __str__(self) -> str:
        """Return the columns as SQL."""
        return ", ".join(f"{self.alias}.{name}" for name in self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self.names.split())

    @cached_property
    def _unread(self) -> list[tuple[str, Callable[[Any], Any]]]:
        """What a database may return as text, and how to read it."""
        fields = {name: self.model._meta.get_field(name) for name in self._names}
        return [(name, read) for name, field in fields.items()
                for kind, read in _READERS if isinstance(field, kind)]  # fmt: skip

    def instance(self, row: Iterator[Any]) -> Any:
        """Make an instance of the next values; it looks up a field that it lacks when asked."""
        # As `from_db` does, which goes through all fields and sends signals that nobody listens to.
        instance = self.model.__new__(self.model)
        values = instance.__dict__
        values.update(zip(self._names, row))  # noqa: B905  (the rest is of other models)
        for name, read in self._unread:
            if isinstance(values[name], str):
                values[name] = read(values[name])
        instance._state = ModelState()
        instance._state.db, instance._state.adding = connection.alias, False
        return instance


_READERS = ((models.JSONField, json.loads), (models.UUIDField, uuid.UUID))

_OTHERS = "FROM annotation_annotator b WHERE b.participant_id = a.participant_id AND b.id <> a.id"
_ANNOTATORS = Columns(
    Annotator,
    "a",
    "id public_id pseudonym number assigned submitted completion_code consented_at "
    "guidelines_read_at campaign_id qualified passed participant_id",
)
_CAMPAIGNS = Columns(
    Campaign,
    "c",
    "id slug title protocol config seed state design lease_seconds ratings_per_item "
    "queue_controls study_id set_id position stopping",
)
_STUDIES = Columns(Study, "s", "id language")
_ASSIGNMENTS = Columns(
    Assignment, "t", "id public_id item_id annotator_id swapped position lead state lease_until"
)
ITEMS = Columns(Item, "i", "id screen shown first_id second_id lead kind original_id")
_DRAFTS = Columns(Draft, "d", "id answers version")

_ANNOTATOR = f"""
SELECT {_ANNOTATORS}, {_CAMPAIGNS}, {_STUDIES},
       (SELECT COUNT(*) {_OTHERS}), (SELECT SUM(b.submitted) {_OTHERS}),
       (SELECT SUM(b.assigned - b.submitted) {_OTHERS} AND b.assigned > b.submitted
           AND b.qualified IS NOT FALSE)
FROM annotation_annotator a
JOIN annotation_campaign c ON c.id = a.campaign_id
JOIN corpus_study s ON s.id = c.study_id
LEFT JOIN annotation_participant p ON p.id = a.participant_id
WHERE a.public_id = %s AND a.revoked_at IS NULL
  AND c.deletion_asked_at IS NULL AND s.deletion_asked_at IS NULL
"""  # noqa: S608  (a constant)
_BY_LINK = f"""
AND substr(COALESCE(p.token_sha256, a.token_sha256), 1, {LENGTH_OF_MARK}) = %s
AND COALESCE(CASE WHEN p.id IS NULL THEN a.link_expires_at ELSE p.link_expires_at END > %s, TRUE)
"""
_ASSIGNMENT = f"""
SELECT {_ASSIGNMENTS}, {ITEMS}, {_DRAFTS}
FROM annotation_assignment t
JOIN annotation_item i ON i.id = t.item_id
LEFT JOIN annotation_draft d ON d.assignment_id = t.id
WHERE t.annotator_id = %s AND t.lead AND {{condition}}
"""  # noqa: S608  (the columns are a constant)
_ONE = _ASSIGNMENT.format(condition="t.public_id = %s")
_NEXT = _ASSIGNMENT.format(condition="t.state = 'open'") + " ORDER BY t.position LIMIT 1"
_TEXTS = """
SELECT o.id, o.text, o.variant, y.kind, g.target_style
FROM corpus_output o
JOIN corpus_system y ON y.id = o.system_id
JOIN corpus_segment g ON g.id = o.segment_id
WHERE o.segment_id = (SELECT segment_id FROM corpus_output WHERE id = %s)
"""
_LATEST_SECONDS = """
SELECT s.active_seconds FROM annotation_submission s
JOIN annotation_item i ON i.id = s.item_id AND i.kind <> 'practice'
WHERE s.annotator_id = %s ORDER BY s.id DESC LIMIT %s
"""
_SUBMISSION = """
INSERT INTO annotation_submission (uuid, item_id, annotator_id, revision, swapped, surplus, reason,
                                   comment, warned, active_seconds, payload_sha256, created_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) RETURNING id AS written
"""
_RATINGS = "INSERT INTO annotation_rating (submission_id, aspect, value, choice) VALUES "
_SUBMITTED = """
UPDATE annotation_assignment SET state = 'submitted', lease_until = NULL
WHERE id = %s AND state = %s
"""
_COUNTED = """
UPDATE annotation_annotator SET submitted = submitted + %s, last_seen_at = %s WHERE id = %s
"""

_WRITTEN = "AS written"

Statement = tuple[str, Sequence[Any]]
"""An SQL statement and its parameters."""


def find_annotator(public_id: uuid.UUID, mark: str | None = None) -> Annotator | None:
    """Return an annotator who is not shut out, with campaign and study, as far as rating needs.

    With the mark of a link, only if this link still lets them in.
    """
    if mark is None:
        rows = fetch_rows(_ANNOTATOR, [stored_uuid(public_id)])
    else:
        now = connection.ops.adapt_datetimefield_value(timezone.now())
        rows = fetch_rows(_ANNOTATOR + _BY_LINK, [stored_uuid(public_id), mark, now])
    if not rows:
        return None
    row = iter(rows[0])
    annotator: Annotator = _ANNOTATORS.instance(row)
    annotator.campaign = _CAMPAIGNS.instance(row)
    annotator.campaign.study = _STUDIES.instance(row)
    campaigns, submitted, left = row
    if campaigns:
        annotator.other_tasks = OtherTasks(campaigns, submitted, left or 0)
    return annotator


def find_lead(
    annotator: Annotator, public_id: uuid.UUID, *, hold: bool = False
) -> Assignment | None:
    """Return the lead of one of an annotator's screens, with its item and draft.

    Who holds it lets nobody else change it until the transaction ends.
    """
    locks = hold and connection.features.has_select_for_no_key_update
    statement = f"{_ONE} FOR NO KEY UPDATE OF t" if locks else _ONE
    return _assignment(fetch_rows(statement, [annotator.pk, stored_uuid(public_id)]))


def next_lead(annotator: Annotator) -> Assignment | None:
    """Return the lead of the first open screen, with its item and draft."""
    return _assignment(fetch_rows(_NEXT, [annotator.pk]))


def segment_texts(output: int) -> list[tuple[int, str, int, str, str]]:
    """Return all texts of an output's segment: pk, text, variant, kind of system, target style."""
    return fetch_rows(_TEXTS, [output])


def latest_seconds(annotator: Annotator, most: int) -> list[float]:
    """Return how long an annotator took for the latest items but practice, as browsers said."""
    rows = fetch_rows(_LATEST_SECONDS, [annotator.pk, most])
    return [seconds for (seconds,) in rows if seconds]


def store_screen(
    assignments: Sequence[Assignment],
    judged: Sequence[tuple[Submission, Answers]],
    counted: bool,
    now: dt.datetime,
    *,
    flushes: bool = True,
) -> None:
    """Store what was answered, mark its screen as submitted, drop its draft, count the annotator.

    The screen is held before its draft is looked for: one that is saved meanwhile goes with it.

    Parameters
    ----------
    assignments
        Of the screen, the lead first.
    judged
        A submission for each of them, with a number or a choice for each aspect.
    counted, now
    flushes
        Whether the commit waits for the disk; not where a later one does, before anybody is
        answered.

    Raises
    ------
    Overtaken
        If the screen was given back after it was read.
    """
    when = connection.ops.adapt_datetimefield_value(now)
    in_order = sorted(assignments, key=lambda each: each.pk)
    written = run_together(
        *((_SUBMITTED, [each.pk, each.state]) for each in in_order),
        *((_SUBMISSION, _submission_values(each, when)) for each, _ in judged),
    )
    if any(rows != 1 for rows in written[: len(in_order)]):
        raise Overtaken("the screen was given back meanwhile")
    keys = written[len(in_order) :]
    ratings = [
        value
        for key, (_, answers) in zip(keys, judged, strict=True)
        for aspect, answer in answers.items()
        for value in (key, aspect, *((answer, "") if isinstance(answer, float) else (None, answer)))
    ]
    rows = ", ".join(["(%s, %s, %s, %s)"] * (len(ratings) // 4))
    lead = assignments[0]
    run_together(
        *([(_RATINGS + rows, ratings)] if ratings else []),
        ("DELETE FROM annotation_draft WHERE assignment_id = %s", [lead.pk]),
        (_COUNTED, [int(counted), when, lead.annotator_id]),
        flushes=flushes,
    )


def _submission_values(submission: Submission, when: Any) -> list[Any]:
    return [
        stored_uuid(submission.uuid), submission.item_id, submission.annotator_id,
        submission.revision, submission.swapped, submission.surplus, submission.reason,
        submission.comment, submission.warned, submission.active_seconds,
        submission.payload_sha256, when,
    ]  # fmt: skip


def run_together(*statements: Statement, flushes: bool = True) -> list[int]:
    """Run writes that read nothing of each other; return how many rows each of them wrote.

    A write that returns a number `AS written` returns that instead. PostgreSQL gets all as one
    statement, because each one more takes longer than its rows; only there a commit can leave it
    to a later one to wait for the disk.
    """
    with planned_cursor() as cursor:
        if connection.vendor != "postgresql":
            written = []
            for statement, parameters in statements:
                cursor.execute(statement, parameters)
                gives = statement.rstrip().endswith(_WRITTEN)
                written.append(cursor.fetchone()[0] if gives else cursor.rowcount)
            return written
        parts, counts = [], []
        for number, (statement, _) in enumerate(statements):
            gives = statement.rstrip().endswith(_WRITTEN)
            parts.append(f"w{number} AS ({statement}{'' if gives else ' RETURNING 1'})")
            counted = "max(written)" if gives else "count(*)"
            counts.append(f"(SELECT {counted} FROM w{number})")  # noqa: S608  (a constant)
        if not flushes:
            counts.append("set_config('synchronous_commit', 'off', true)")
        values = [value for _, parameters in statements for value in parameters]
        cursor.execute(f"WITH {', '.join(parts)} SELECT {', '.join(counts)}", values)
        return list(cursor.fetchone()[: len(statements)])


def planned_cursor() -> Any:
    """Return a cursor whose statements PostgreSQL reads and plans once for each connection.

    Django's puts the values into the text, so that each is a new statement.
    """
    if connection.vendor != "postgresql":
        return connection.cursor()
    connection.ensure_connection()
    cursor = connection.Database.Cursor(connection.connection)  # type: ignore[attr-defined]
    wrap = connection.make_debug_cursor if connection.queries_logged else connection.make_cursor
    return wrap(cursor)


def fetch_rows(statement: str, parameters: Sequence[Any]) -> list[Any]:
    """Run a statement and return all of its rows."""
    with planned_cursor() as cursor:
        cursor.execute(statement, parameters)
        return list(cursor.fetchall())


def stored_uuid(value: uuid.UUID) -> Any:
    """Return a UUID as the database keeps it: SQLite as 32 digits."""
    return value if connection.features.has_native_uuid_field else value.hex


def as_stored(assignment: Assignment, key: int) -> Assignment:
    """Complete an assignment that was inserted under a key, and so has no draft."""
    assignment.pk = key
    assignment._state.db, assignment._state.adding = connection.alias, False
    assignment._state.fields_cache["draft"] = None
    return assignment


def _assignment(rows: list[Any]) -> Assignment | None:
    if not rows:
        return None
    row = iter(rows[0])
    assignment: Assignment = _ASSIGNMENTS.instance(row)
    assignment.item = ITEMS.instance(row)
    draft = _DRAFTS.instance(row)
    # What a reverse one-to-one relation looks up first; None says that there is none.
    assignment._state.fields_cache["draft"] = draft if draft.id is not None else None
    return assignment
