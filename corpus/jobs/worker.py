"""The one function that runs jobs, called by the embedded worker and by Celery alike."""

import logging
import os
import socket
import uuid
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils import timezone

from corpus.jobs.failures import description
from corpus.jobs.fairness import Share, fairest
from corpus.jobs.progress import Cancelled, Interrupted, LeaseLost, OutOfTime, Progress, new_lease
from corpus.jobs.queue import cancel_parts
from corpus.jobs.registry import bounded_kinds, job_function
from corpus.jobs.watched import watched
from corpus.models import Job
from corpus.models.job import ACTIVE_STATES
from corpus.progress import ProgressCallback
from corpus.storage.faults import storage_fault
from corpus.storage.write_turn import is_passing

logger = logging.getLogger(__name__)

MOST_DROPPED = 1000


_OUT_OF_TIME = (
    "stopped after {} minutes, which is the limit for reports on this site (REPORT_MINUTES): ask "
    "for fewer draws or a smaller part of the study, or try again when less is being computed"
)


class JobError(Exception):
    """A job cannot be done for a reason that its owner can mend; shown without a traceback."""

    def __init__(self, message: str, result: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.result = result or {}


def worker_name() -> str:
    """Name this process so that no two workers, on one machine or many, share a name."""
    return f"{names_in(os.getpid())}{uuid.uuid4().hex[:8]}"


def names_in(process: int) -> str:
    """Return how the names of workers in a process of this machine begin."""
    return f"{socket.gethostname()[:40]}:{process}:"


def claim(job_id: int | None = None, *, share: Share | None = None) -> Job | None:
    """Take the job that is next in turn (or `job_id`, if it waits) by one conditional UPDATE.

    A worker takes jobs of its own queues only; who names one takes it from any.
    """
    for candidate in fairest(share)[:10] if job_id is None else [job_id]:
        name = worker_name()
        waiting = Job.every.claimable().filter(pk=candidate).order_by()
        claimed = (waiting.taken_here() if job_id is None else waiting).update(
            state="running",
            worker=name,
            attempts=F("attempts") + 1,
            started_at=timezone.now(),
            **new_lease(),
        )
        if claimed:
            return Job.every.get(pk=candidate)
    return None


def run_next(share: Share | None = None) -> Job | None:
    """Claim and run the job that is next in turn; None if nothing waits."""
    job = claim(share=share)
    return run(job) if job else None


@watched
def run(job: Job, report: ProgressCallback | None = None) -> Job:
    """Run a claimed job to its end and write how it ended; `report` is called with its progress."""
    if job.cancel_requested:
        return _finish(job, state="cancelled")
    if job.attempts > settings.JOB_MAX_ATTEMPTS:
        message = f"given up: {job.attempts - 1} workers stopped responding while they ran it"
        return _finish(job, state="failed", error=message)
    try:
        with Progress(job, report) as progress:
            result = job_function(job.kind)(job, progress)
    except Cancelled:
        return _finish(job, state="cancelled")
    except Interrupted:
        return _end(job, state="queued", attempts=F("attempts") - 1, worker="", finished_at=None)
    except KeyboardInterrupt:
        # Somebody at a terminal: what a job keeps on its way stays, and it can be tried again.
        _finish(job, state="cancelled")
        raise
    except LeaseLost:
        logger.warning("job %s lost its lease; left to its new worker", job.pk)
        return job
    except OutOfTime:
        ended = _finish(job, state="failed", error=_OUT_OF_TIME.format(settings.REPORT_MINUTES))
        if job.parent_id:
            # The time of the whole is over, of which this worker has a part in hand.
            raise
        return ended
    except JobError as error:
        return _finish(job, state="failed", error=str(error), result=error.result)
    except Exception as error:
        if job.attempts < settings.JOB_MAX_ATTEMPTS and is_passing(error):
            logger.warning("job %s goes back to the queue: %s", job.pk, error)
            connection.close()
            return _end(job, state="queued", worker="", finished_at=None)
        words = description(error)
        trace, brief = storage_fault(error) is None, {"brief": f"job {job.pk} failed"}
        logger.error("job %s failed: %s", job.pk, words, exc_info=trace, extra=brief)
        return _finish(job, state="failed", error=words)
    # Reports are written twice a second: the last one need not be what was done last.
    return _finish(job, state="done", result=result, progress={})


def _finish(job: Job, **fields: Any) -> Job:
    job = _end(job, finished_at=timezone.now(), **fields)
    if job.state in ("failed", "cancelled") and not job.parent_id:
        cancel_parts(job)
    return job


def _end(job: Job, **fields: Any) -> Job:
    """Let go of a job, unless another worker has taken it over meanwhile."""
    mine = Job.every.filter(pk=job.pk, state="running", worker=job.worker)
    mine.update(lease_until=None, **fields)
    job.refresh_from_db()
    if job.kind in bounded_kinds:
        _drop_older_than(job)
    return job


def _drop_older_than(job: Job) -> None:
    """Keep the latest ended jobs of a person whose results can be asked for again."""
    ended = Job.objects.filter(created_by=job.created_by_id, kind__in=bounded_kinds)
    ended = ended.exclude(state__in=ACTIVE_STATES).order_by("-id")
    beyond = ended.values_list("pk", flat=True)[settings.REPORT_JOBS_KEPT :][:MOST_DROPPED]
    Job.every.filter(pk__in=list(beyond)).delete()
