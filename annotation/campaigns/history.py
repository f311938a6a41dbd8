"""Every answer of a campaign, of every revision, as a table for people."""

import csv
import datetime as dt
import uuid
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.db.models import Max, QuerySet

from annotation.models import Campaign, Submission, Withdrawal
from corpus.tabular.spreadsheets import spreadsheet_safe

COLUMNS = (
    *("submission", "annotator", "segment", "system", "against", "kind", "screen", "revision"),
    *("latest", "surplus", "withdrawn", "swapped", "aspect", "value", "choice", "chosen"),
    *("active_seconds", "reason", "comment", "created_at"),
)
_FACTS = (
    *("item_id", "annotator_id", "uuid", "annotator__pseudonym", "item__first__segment__key"),
    *("item__first__system__name", "item__second__system__name", "item__kind", "item__screen"),
    *("revision", "surplus", "swapped", "ratings__aspect", "ratings__value", "ratings__choice"),
    *("active_seconds", "reason", "comment", "created_at"),
)
_ANSWERS_AT_A_TIME = 1000


class _Answer(NamedTuple):
    """One rating of an answer, or an answer without any."""

    item_id: int
    annotator_id: int
    uuid: uuid.UUID
    annotator: str
    segment: str | None
    first: str | None
    second: str | None
    kind: str
    screen: int
    revision: int
    surplus: bool
    swapped: bool | None
    aspect: str | None
    value: float | None
    choice: str | None
    active_seconds: float | None
    reason: str
    comment: str
    created_at: dt.datetime


class _Line:
    """Takes what a CSV writer writes and gives it on."""

    def write(self, text: str) -> str:
        """Return the line."""
        return text


def history_csv(campaign: Campaign) -> Iterator[str]:
    """Yield the lines of the table; formulas in texts are kept from being run."""
    writer = csv.writer(_Line(), lineterminator="\n")
    yield str(writer.writerow(COLUMNS))
    for row in _rows(campaign):
        yield str(writer.writerow([spreadsheet_safe(cell) for cell in row]))


def _rows(campaign: Campaign) -> Iterator[tuple[Any, ...]]:
    """Yield one row for each rating, and one for each answer that it cannot be judged.

    Answers are read some at a time: no cursor stays open between two rows.
    """
    withdrawals: dict[int, list[Withdrawal]] = {}
    for withdrawal in Withdrawal.objects.filter(annotator__campaign=campaign):
        withdrawals.setdefault(withdrawal.annotator_id, []).append(withdrawal)
    submissions = Submission.objects.filter(item__campaign=campaign).order_by("pk")
    last = 0
    while keys := list(
        submissions.filter(pk__gt=last).values_list("pk", flat=True)[:_ANSWERS_AT_A_TIME]
    ):
        page = submissions.filter(pk__gt=last, pk__lte=keys[-1])
        last = keys[-1]
        newest = _newest(campaign, page)
        for facts in page.order_by("pk", "ratings__pk").values_list(*_FACTS):
            answer = _Answer(*facts)
            yield _written(answer, newest, withdrawals.get(answer.annotator_id, ()))


def _newest(campaign: Campaign, page: QuerySet[Submission]) -> dict[tuple[int, int], int]:
    """Return the latest revision of each answer on a page, wherever it stands."""
    known = Submission.objects.filter(
        item__campaign=campaign, item__in=page.order_by().values("item")
    ).order_by()
    rows = known.values_list("item", "annotator").annotate(newest=Max("revision"))
    return {(item, annotator): newest for item, annotator, newest in rows}


def _written(
    answer: _Answer, newest: dict[tuple[int, int], int], withdrawals: Iterable[Withdrawal]
) -> tuple[Any, ...]:
    latest = newest[answer.item_id, answer.annotator_id] == answer.revision
    withdrawn = any(_covers(each, answer.created_at) for each in withdrawals)
    chosen = {"first": answer.first, "second": answer.second}
    return (
        *(str(answer.uuid), answer.annotator, answer.segment or ""),
        *(answer.first or "", answer.second or ""),
        *(answer.kind, answer.screen, answer.revision),
        *(_yes(flag) for flag in (latest, answer.surplus, withdrawn, bool(answer.swapped))),
        answer.aspect or "",
        "" if answer.value is None else answer.value,
        answer.choice or "",
        chosen.get(answer.choice or "") or answer.choice or "",
        "" if answer.active_seconds is None else answer.active_seconds,
        *(answer.reason, answer.comment, answer.created_at.isoformat()),
    )


def _covers(withdrawal: Withdrawal, when: dt.datetime) -> bool:
    begun = withdrawal.since is None or withdrawal.since <= when
    return begun and (withdrawal.until is None or withdrawal.until >= when)


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
