"""Every answer of a campaign, of every revision, as a table for people."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Max, QuerySet

from annotation.models import Campaign, Submission, Withdrawal
from annotation.statements import fetch_rows
from corpus.tabular.spreadsheets import spreadsheet_csv

COLUMNS = (
    *("submission", "annotator", "segment", "system", "against", "kind", "screen", "revision"),
    *("latest", "surplus", "withdrawn", "swapped", "aspect", "value", "choice", "chosen"),
    *("warned", "active_seconds", "reason", "comment", "created_at"),
)
_FACTS = (
    *("item_id", "annotator_id", "uuid", "annotator__pseudonym", "item__first__segment__key"),
    *("item__first__system__name", "item__second__system__name", "item__kind", "item__screen"),
    *("revision", "surplus", "swapped", "ratings__aspect", "ratings__value", "ratings__choice"),
    *("warned", "active_seconds", "reason", "comment", "created_at"),
)
# The plus keeps SQLite from reading, and sorting, all answers for every page.
_KEYS = """
SELECT s.id FROM annotation_submission s
WHERE +s.annotator_id IN (SELECT a.id FROM annotation_annotator a WHERE a.campaign_id = %s)
  AND s.id > %s
ORDER BY s.id LIMIT %s
"""
ANSWERS_AT_A_TIME = 1000


def history_csv(campaign: Campaign) -> Iterator[str]:
    """Yield the lines of the table, many at a time; formulas in texts are kept from being run."""
    yield spreadsheet_csv([COLUMNS])
    for page in _pages(campaign):
        yield spreadsheet_csv(page)


def _pages(campaign: Campaign) -> Iterator[list[tuple[Any, ...]]]:
    """Yield a row for each rating, and one for each answer that it cannot be judged.

    Answers are read some at a time: no cursor stays open between two pages.
    """
    withdrawals: dict[int, list[Withdrawal]] = {}
    for withdrawal in Withdrawal.objects.filter(annotator__campaign=campaign):
        withdrawals.setdefault(withdrawal.annotator_id, []).append(withdrawal)
    last = 0
    while keys := [row[0] for row in fetch_rows(_KEYS, [campaign.pk, last, ANSWERS_AT_A_TIME])]:
        last = keys[-1]
        page = Submission.objects.filter(pk__in=keys)
        newest = _newest(page)
        answers = page.order_by("pk", "ratings__pk").values_list(*_FACTS, named=True)
        yield [
            _written(answer, newest, withdrawals.get(answer.annotator_id, ())) for answer in answers
        ]


def _newest(page: QuerySet[Submission]) -> dict[tuple[int, int], int]:
    """Return the latest revision of each answer on a page, wherever it stands."""
    known = Submission.objects.filter(item__in=page.order_by().values("item")).order_by()
    rows = known.values_list("item", "annotator").annotate(newest=Max("revision"))
    return {(item, annotator): newest for item, annotator, newest in rows}


def _written(
    answer: Any, newest: dict[tuple[int, int], int], withdrawals: Iterable[Withdrawal]
) -> tuple[Any, ...]:
    latest = newest[answer.item_id, answer.annotator_id] == answer.revision
    withdrawn = any(_covers(each, answer.created_at) for each in withdrawals)
    first, second = answer.item__first__system__name, answer.item__second__system__name
    choice = answer.ratings__choice
    chosen = {"first": first, "second": second}
    return (
        *(str(answer.uuid), answer.annotator__pseudonym, answer.item__first__segment__key),
        *(first, second, answer.item__kind, answer.item__screen, answer.revision),
        *(_yes(flag) for flag in (latest, answer.surplus, withdrawn, bool(answer.swapped))),
        *(answer.ratings__aspect, answer.ratings__value, choice),
        chosen.get(choice or "") or choice,
        "" if answer.warned is None else _yes(answer.warned),
        answer.active_seconds,
        *(answer.reason, answer.comment, answer.created_at.isoformat()),
    )


def _covers(withdrawal: Withdrawal, when: dt.datetime) -> bool:
    begun = withdrawal.since is None or withdrawal.since <= when
    return begun and (withdrawal.until is None or withdrawal.until >= when)


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
