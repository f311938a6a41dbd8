"""How far a job is, the lease by which one worker has it, and writing as that worker."""

import ctypes
import logging
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import Error, connection, models, transaction
from django.utils import timezone

from corpus.jobs.registry import bounded_kinds
from corpus.models import Job
from corpus.progress import ProgressCallback

SECONDS_BETWEEN_WRITES = 0.5
SECONDS_BETWEEN_LOOKS = 1.5
"""A job that reports nothing is stopped at the second look that finds it cancelled."""
SECONDS_TO_CLEAR_UP = 30.0
"""For a job that was stopped, before it is stopped again."""

shutting_down = threading.Event()

logger = logging.getLogger(__name__)


class Stopped(BaseException):
    """A job may not go on; no `Exception`, lest it be taken for a fault of what the job calls."""


class Cancelled(Stopped):
    """Somebody asked the job to stop; nothing of it has been published."""


class Interrupted(Stopped):
    """This worker is shutting down; the job goes back to wait for another."""


class LeaseLost(Stopped):
    """Another worker has taken the job over; this one must not write any more."""


class OutOfTime(Stopped):
    """The job takes longer than jobs of its kind may."""


class Progress:
    """Progress and heartbeat of one claimed job."""

    def __init__(self, job: Job, report: ProgressCallback | None = None) -> None:
        self._callback = report
        self.job = job
        self._written_at = 0.0
        self._leave_until = 0.0
        self._stopped = threading.Event()
        self._lost = threading.Event()
        self._ending = threading.Lock()
        self._thread_of_job = threading.get_ident()
        is_bounded = job.kind in bounded_kinds
        self._stop_at = monotonic() + settings.REPORT_MINUTES * 60 if is_bounded else None

    def report(self, message: str, done: int = 0, total: int = 0) -> None:
        """Tell what is being done; at most two writes a second.

        Raises
        ------
        Cancelled
            If somebody asked for the job to stop.
        LeaseLost
            If another worker has the job now.
        Interrupted
            If this worker was told to stop.
        """
        if shutting_down.is_set():
            self._leave_until = monotonic() + SECONDS_TO_CLEAR_UP
            raise Interrupted(f"job {self.job.pk} goes back to the queue")
        if self._lost.is_set():
            raise LeaseLost(f"job {self.job.pk} was taken over by another worker")
        now = monotonic()
        if now - self._written_at < SECONDS_BETWEEN_WRITES:
            return
        self._written_at = now
        self.check()
        if self._callback:
            self._callback(message, done, total)
        progress = {"message": message, "done": done, "total": total}
        self._mine().update(progress=progress, **new_lease())

    def check(self) -> None:
        """Raise `Cancelled` or `LeaseLost` if the job may not go on."""
        row = self._mine().values_list("cancel_requested", flat=True).first()
        if row is None:
            raise LeaseLost(f"job {self.job.pk} was taken over by another worker")
        if row:
            self._leave_until = monotonic() + SECONDS_TO_CLEAR_UP
            raise Cancelled(f"job {self.job.pk} was cancelled")

    def __enter__(self) -> "Progress":
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGURG, _wake)
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()
        connection.execute_wrappers.append(_freed)
        return self

    def __exit__(self, *exception: object) -> None:
        connection.execute_wrappers.remove(_freed)
        try:
            with self._ending:
                self._stopped.set()
            self._thread.join()
        finally:
            self._stopped.set()

    def _mine(self) -> "models.QuerySet[Job]":
        return Job.every.filter(pk=self.job.pk, state="running", worker=self.job.worker)

    def _beat(self) -> None:
        """Renew the lease and look for a cancellation, whatever the job is waiting for."""
        renew_at, asked = monotonic() + settings.JOB_LEASE_SECONDS / 3, None
        try:
            while not self._stopped.wait(self._pause(renew_at)):
                if self._stop_at is not None and monotonic() >= self._stop_at:
                    self._stop(OutOfTime)
                    return
                try:
                    if monotonic() >= renew_at:
                        renew_at = monotonic() + settings.JOB_LEASE_SECONDS / 3
                        if not self._mine().update(**new_lease()):
                            self._lost.set()
                            return
                    before, asked = asked, self._asked_to_stop()
                except Error as error:
                    # A long write elsewhere may hold the database: try again at the next beat.
                    logger.warning("job %s missed a heartbeat: %s", self.job.pk, error)
                    connection.close()
                    continue
                if before and asked and monotonic() >= self._leave_until:
                    self._leave_until = monotonic() + SECONDS_TO_CLEAR_UP
                    self._stop(asked)
        finally:
            connection.close()

    def _pause(self, renew_at: float) -> float:
        """Return for how long to wait until the next look, renewal or the end of the time."""
        ends = renew_at if self._stop_at is None else min(renew_at, self._stop_at)
        return min(SECONDS_BETWEEN_LOOKS, max(ends - monotonic(), 0))

    def _asked_to_stop(self) -> type[Stopped] | None:
        """Return why the job should have ended by itself, if somebody asked it to."""
        if shutting_down.is_set():
            return Interrupted
        return Cancelled if self._mine().filter(cancel_requested=True).exists() else None

    def _stop(self, reason: type[Stopped]) -> None:
        """Raise an exception in the thread of the job, which may not report for long."""
        with self._ending:
            if self._stopped.is_set():
                return
            thread = ctypes.c_ulong(self._thread_of_job)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(reason))
            if self._thread_of_job == threading.main_thread().ident:
                # Python's own waiting for files, locks and processes ends with a signal alone.
                signal.pthread_kill(self._thread_of_job, signal.SIGURG)


def _wake(number: int, frame: object) -> None:
    """Do nothing: an exception that waits for the thread is raised where this is called."""


def _freed(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """Execute; a connection that a job is stopped on while it waits for it can only be closed."""
    try:
        return execute(sql, params, many, context)
    except Stopped:
        if not context["connection"].is_usable():
            context["connection"].close()
        raise


def new_lease() -> dict[str, object]:
    """Return the fields of a lease that begins now."""
    now = timezone.now()
    return {"heartbeat_at": now, "lease_until": now + timedelta(seconds=settings.JOB_LEASE_SECONDS)}


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
