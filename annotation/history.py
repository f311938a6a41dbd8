"""Every answer of a campaign, of every revision, as a table for people."""

import csv
from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import Max, Prefetch

from annotation.models import Campaign, Item, Rating, Submission, Withdrawal
from corpus.tabular.spreadsheets import spreadsheet_safe

COLUMNS = (
    *("submission", "annotator", "segment", "system", "against", "kind", "screen", "revision"),
    *("latest", "surplus", "withdrawn", "swapped", "aspect", "value", "choice", "chosen"),
    *("active_seconds", "reason", "comment", "created_at"),
)
_ROWS_AT_A_TIME = 1000


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
    submissions = (
        Submission.objects.filter(item__campaign=campaign)
        .select_related("annotator", "item__first__segment", "item__first__system")
        .select_related("item__second__system")
        .defer("item__first__text", "item__second__text")
        .prefetch_related(Prefetch("ratings", Rating.objects.order_by("pk")))
        .order_by("pk")
    )
    last = 0
    while page := list(submissions.filter(pk__gt=last)[:_ROWS_AT_A_TIME]):
        last = page[-1].pk
        newest = _newest(page)
        for submission in page:
            marked = any(_covers(each, submission) for each in
                         withdrawals.get(submission.annotator_id, ()))  # fmt: skip
            latest = newest[submission.item_id, submission.annotator_id] == submission.revision
            yield from _of_submission(submission, latest, marked)


def _newest(page: Iterable[Submission]) -> dict[tuple[int, int], int]:
    """Return the latest revision of each answer on a page, wherever it stands."""
    known = Submission.objects.filter(item__in={each.item_id for each in page}).order_by()
    rows = known.values_list("item", "annotator").annotate(newest=Max("revision"))
    return {(item, annotator): newest for item, annotator, newest in rows}


def _covers(withdrawal: Withdrawal, submission: Submission) -> bool:
    when = submission.created_at
    begun = withdrawal.since is None or withdrawal.since <= when
    return begun and (withdrawal.until is None or withdrawal.until >= when)


def _of_submission(
    submission: Submission, latest: bool, withdrawn: bool
) -> Iterator[tuple[Any, ...]]:
    item = submission.item
    about = (
        str(submission.uuid),
        submission.annotator.pseudonym,
        item.first.segment.key,
        item.first.system.name,
        item.second.system.name if item.second else "",
        item.kind,
        item.screen,
        submission.revision,
        *(_yes(flag) for flag in (latest, submission.surplus, withdrawn, submission.swapped)),
    )
    rest = (
        "" if submission.active_seconds is None else submission.active_seconds,
        submission.reason,
        submission.comment,
        submission.created_at.isoformat(),
    )
    ratings = list(submission.ratings.all())
    for rating in ratings:
        value = "" if rating.value is None else rating.value
        yield (*about, rating.aspect, value, rating.choice, _chosen(item, rating.choice), *rest)
    if not ratings:
        yield (*about, "", "", "", "", *rest)


def _chosen(item: Item, choice: str) -> str:
    """Name the system whose text was chosen."""
    if choice == "second" and item.second:
        return item.second.system.name
    return item.first.system.name if choice == "first" else choice


def _yes(flag: bool) -> str:
    return "yes" if flag else "no"
