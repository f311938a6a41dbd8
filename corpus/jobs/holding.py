"""Writing as the worker that certainly still has the job."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from django.utils import timezone

from corpus.jobs.progress import Cancelled, LeaseLost, new_lease
from corpus.models import Job


@contextmanager
def holding(job: Job, *, even_if_cancelled: bool = False) -> Iterator[None]:
    """Hold a transaction in which this worker certainly still has the job.

    Parameters
    ----------
    job
    even_if_cancelled
        For what was computed at some cost and is kept for the next try.

    Raises
    ------
    Cancelled
        If somebody asked the job to stop, and nothing is to be written then.
    LeaseLost
        If another worker took the job over; what comes of it belongs to that one.
    """
    with transaction.atomic():
        mine = Job.every.filter(pk=job.pk, state="running", worker=job.worker)
        # An update, not a look: its lock keeps other workers from claiming the job.
        if not mine.update(heartbeat_at=timezone.now()):
            raise LeaseLost(f"job {job.pk} was taken over by another worker")
        # Nobody can ask from here on: what is written, and the job that wrote it, end alike.
        if not even_if_cancelled and mine.filter(cancel_requested=True).exists():
            raise Cancelled(f"job {job.pk} was cancelled")
        yield
        # No heartbeat could be written meanwhile.
        mine.update(**new_lease())
