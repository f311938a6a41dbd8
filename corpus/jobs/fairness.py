"""Which waiting job comes next, and how many one person may have waiting."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.db.models import Count, Max
from django.utils import timezone

from corpus.jobs.registry import first_kinds
from corpus.models import Job, Membership, Study
from corpus.models.job import Queue

FIRST, OWNERS, OTHERS = 0, 1, 2
"""Priorities: what raters wait for and imports; what else owners ask for; everything else."""
MOST_COMPARED = 1000


@dataclass(frozen=True, slots=True)
class Share:
    """Which jobs one of several processes of a worker leaves to others.

    Attributes
    ----------
    not_with
        Those of a person for whom a worker whose name begins so runs one.
    short
        Whether also those of queues for what may take hours.
    """

    not_with: str
    short: bool = False


class TooManyJobs(Exception):
    """Somebody has as many jobs waiting as one person may."""

    def __init__(self, waiting: int) -> None:
        super().__init__(
            f"You have {waiting} jobs waiting, and the limit for one person is "
            f"{settings.JOBS_WAITING_LIMIT}: wait until some are done, or cancel some on the "
            "page Jobs"
        )


def check_waiting(user_id: int | None) -> None:
    """Refuse one more job of somebody who has enough waiting; inside a transaction.

    Raises
    ------
    TooManyJobs
    """
    if user_id is None:
        return
    # Held, so that two requests at once do not both find room.
    User.objects.select_for_update(no_key=True).filter(pk=user_id).first()
    waiting = Job.objects.filter(created_by=user_id, state="queued").count()
    if waiting >= settings.JOBS_WAITING_LIMIT:
        raise TooManyJobs(waiting)


def job_priority(kind: str, study: Study | None, user: User | None) -> int:
    """Return how early a job comes: owners' imports and starts before reports of researchers."""
    owns = user is None or study is None or user.is_superuser
    if not owns:
        owned = Membership.objects.filter(study=study, user=user, role=Membership.Role.OWNER)
        owns = owned.exists()
    if not owns:
        return OTHERS
    return FIRST if kind in first_kinds else OWNERS


def fairest(share: Share | None = None) -> list[int]:
    """Return the keys of jobs that can be claimed, the one that shall run next first.

    Of the best priority it is a job of whom least is running for, then of who has waited longest
    since the last one of theirs was begun, then the oldest.
    """
    waiting = Job.every.claimable().taken_here()
    alive = Job.every.filter(state="running", lease_until__gte=timezone.now())
    if share and share.short:
        waiting = waiting.filter(queue=Queue.DEFAULT)
    rows = list(
        waiting.order_by("priority", "id").values_list("pk", "priority", "created_by_id")[
            :MOST_COMPARED
        ]
    )
    if share and rows:
        served = set(
            alive.filter(worker__startswith=share.not_with).values_list("created_by_id", flat=True)
        )
        rows = [row for row in rows if row[2] not in served]
    people: set[int | None] = {person for _, _, person in rows}
    if len(people) < 2:
        return [pk for pk, _, _ in rows]
    running = _by_person(alive, people, Count("pk"))
    begun = _by_person(Job.every.filter(started_at__isnull=False), people, Max("started_at"))

    def place(row: tuple[int, int, int | None]) -> tuple[Any, ...]:
        pk, priority, person = row
        last = begun.get(person)
        return priority, running.get(person, 0), last.timestamp() if last else 0.0, pk

    return [pk for pk, _, _ in sorted(rows, key=place)]


def _by_person(
    jobs: "models.QuerySet[Job]", people: set[int | None], what: models.Aggregate
) -> dict[int | None, Any]:
    found = jobs.filter(models.Q(created_by__in=people - {None}) | models.Q(created_by=None))
    rows = found.order_by().values("created_by").annotate(found=what)
    return {row["created_by"]: row["found"] for row in rows}
