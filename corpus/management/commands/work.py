"""`manage.py work`: the embedded worker, two processes.

While a job takes long in the first one, the second one does what others wait for: jobs of those
who have nothing running, and none that may take hours. Nobody gets both.
"""

import os
import signal
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from multiprocessing import get_context
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand
from django.db import DatabaseError, close_old_connections, connection
from django.utils import timezone

from corpus.jobs.fairness import Share
from corpus.jobs.presence import Presence
from corpus.jobs.progress import shutting_down
from corpus.jobs.worker import names_in, run_next
from corpus.models import Job, Worker
from corpus.storage.faults import storage_fault
from corpus.storage.pruning import do_hourly
from corpus.storage.write_turn import Busy, is_passing

SECONDS_BETWEEN_LOOKS = 0.5
SECONDS_BEFORE_DELETIONS, SECONDS_BETWEEN_DELETIONS = 300, 3600
SECONDS_OF_PATIENCE = 30
SECONDS_WITHOUT_DATABASE = 2
LONG = timedelta(seconds=5)
SECONDS_TO_STOP = 15


class Command(BaseCommand):
    """Claim and run jobs until stopped; a stopped worker's job is taken up by the next."""

    help = "Run waiting jobs (imports, exports, reports), short ones also during a long one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare --until-idle."""
        parser.add_argument(
            "--until-idle", action="store_true", help="stop when no job waits, instead of staying"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until stopped; SIGTERM and SIGINT send the job in hand back to the queue."""
        # Also on a machine that is never on for an hour.
        deletions_at = monotonic() + SECONDS_BEFORE_DELETIONS

        def take(share: Share | None = None) -> Job | None:
            nonlocal deletions_at
            if monotonic() > deletions_at:
                deletions_at = monotonic() + SECONDS_BETWEEN_DELETIONS
                do_hourly()
            return run_next(share)

        # Who leaves when nothing waits is none to count on.
        if options["until_idle"]:
            self._work(take, until_idle=True)
            return
        helping = partial(self._help_first_process, os.getpid())
        with _second_process(helping) as second, Presence(Worker.Kind.EMBEDDED):
            self._work(partial(take, Share(not_with=names_in(second))))

    def _help_first_process(self, first: int) -> None:
        long = Job.every.filter(state="running", worker__startswith=names_in(first))

        def take() -> Job | None:
            if os.getppid() != first:
                shutting_down.set()
            elif long.filter(started_at__lt=timezone.now() - LONG).exists():
                return run_next(Share(not_with="", short=True))
            return None

        self._work(take)

    def _work(self, take: Callable[[], Job | None], *, until_idle: bool = False) -> None:
        with _stopped_by_signals():
            while not shutting_down.is_set():
                close_old_connections()
                try:
                    job = take()
                except (DatabaseError, OSError, Busy) as error:
                    self._wait(error, until_idle)
                    continue
                if job is not None:
                    state = job.get_state_display()
                    self.stdout.write(f"{job.kind} job {job.pk}: {state} {job.error}".rstrip())
                elif until_idle:
                    return
                else:
                    shutting_down.wait(SECONDS_BETWEEN_LOOKS)

    def _wait(self, error: Exception, until_idle: bool) -> None:
        """Wait for a disk, or a database that is away; the job in hand is taken up again."""
        fault, passing = storage_fault(error), is_passing(error)
        if until_idle or not (fault or passing):
            raise error
        words, seconds = f"The database is away: {error}", SECONDS_WITHOUT_DATABASE
        if fault and not passing:
            words, seconds = f"{fault.words} {fault.remedy}", SECONDS_OF_PATIENCE
        self.stderr.write(f"{words.rstrip()} Looking again in {seconds} s.")
        shutting_down.wait(seconds)


@contextmanager
def _second_process(work: Callable[[], None]) -> Iterator[int]:
    """Fork before there are threads; the fork has, and shares, all that was imported here."""
    connection.close()
    process = get_context("fork").Process(target=work)
    process.start()
    try:
        yield int(process.pid or 0)
    finally:
        process.terminate()
        process.join(SECONDS_TO_STOP)
        process.kill()
        process.join()


@contextmanager
def _stopped_by_signals() -> Iterator[None]:
    """Stop at the job's next report on SIGTERM and SIGINT, as long as this worker works."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda *_: shutting_down.set()) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
