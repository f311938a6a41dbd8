"""`manage.py work`: the embedded worker."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db import close_old_connections

from corpus.jobs.progress import shutting_down
from corpus.jobs.worker import run_next

SECONDS_BETWEEN_LOOKS = 0.5


class Command(BaseCommand):
    """Claim and run jobs until stopped; a stopped worker's job is taken up by the next."""

    help = "Run waiting jobs (imports, exports, reports), one after another."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare --until-idle."""
        parser.add_argument(
            "--until-idle", action="store_true", help="stop when no job waits, instead of staying"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Work until told to stop; SIGTERM and SIGINT send the job in hand back to the queue."""
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: shutting_down.set())
        while not shutting_down.is_set():
            close_old_connections()
            job = run_next()
            if job is not None:
                self.stdout.write(f"{job.kind} job {job.pk}: {job.get_state_display()} {job.error}")
            elif options["until_idle"]:
                return
            else:
                shutting_down.wait(SECONDS_BETWEEN_LOOKS)
