"""Running a job in the process that asks for it, as commands do."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.utils import timezone

from corpus.jobs.progress import new_lease
from corpus.jobs.queue import JobActive, only_active, queue_for
from corpus.jobs.worker import claim, run, worker_name
from corpus.models import Job, Study
from corpus.progress import ProgressCallback


def run_in_foreground(
    kind: str,
    key: str,
    *,
    study: Study | None,
    parameters: dict[str, Any],
    report: ProgressCallback | None = None,
) -> Job:
    """Write a job that this process has claimed already, run it, and return how it ended.

    A worker takes it up if this process is killed; Ctrl-C cancels it.

    Raises
    ------
    KeyboardInterrupt
        If somebody pressed Ctrl-C; the job is cancelled then.
    JobActive
        If a job with the same key is not finished yet.
    """
    try:
        with only_active(key):
            job = Job.objects.create(
                kind=kind,
                key=key,
                study=study,
                parameters=parameters,
                queue=queue_for(kind),
                state=Job.State.RUNNING,
                worker=worker_name(),
                attempts=1,
                started_at=timezone.now(),
                **new_lease(),
            )
    except JobActive as active:
        # What a killed process left behind is finished first; its result is for the caller to see.
        taken_over = claim(active.job.pk)
        if taken_over is None:
            raise
        run(taken_over, report)
        return run_in_foreground(kind, key, study=study, parameters=parameters, report=report)
    with _stoppable(report) as stoppable:
        return run(job, stoppable)


@contextmanager
def _stoppable(report: ProgressCallback | None) -> Iterator[ProgressCallback]:
    """Turn Ctrl-C into an exception of the next report: amid a statement it would break it.

    A second press stops at once.
    """
    pressed = threading.Event()
    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, before)

    def stoppable(message: str, done: int, total: int) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        if report:
            report(message, done, total)

    if is_main:
        signal.signal(signal.SIGINT, press)
    try:
        yield stoppable
    finally:
        if is_main:
            signal.signal(signal.SIGINT, before)
