"""The sign of life of a worker, also while it has nothing to do."""

import logging
import threading
from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from corpus.jobs.worker import worker_name
from corpus.models import Worker
from corpus.models.job import Queue

SECONDS_BETWEEN_SIGNS = 10.0
SHOWN_SILENT = timedelta(hours=1)

logger = logging.getLogger(__name__)


class Presence:
    """Keeps the row of this worker alive from a thread, since jobs take long.

    Parameters
    ----------
    kind
        How it was started.
    processes
        How many jobs it runs at a time.
    """

    def __init__(self, kind: Worker.Kind, processes: int = 1) -> None:
        self.name, self.kind, self.processes = worker_name(), kind, processes
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._sign_until_stopped, daemon=True)

    def __enter__(self) -> "Presence":
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Sign off; what is killed falls silent instead."""
        self._stopped.set()
        self._thread.join()

    def _sign_until_stopped(self) -> None:
        self._sign()
        while not self._stopped.wait(SECONDS_BETWEEN_SIGNS):
            self._sign()
        self._write(lambda: Worker.objects.filter(name=self.name).delete())

    def _sign(self) -> None:
        now = timezone.now()

        def sign() -> None:
            if Worker.objects.filter(name=self.name).update(seen_at=now):
                return
            Worker.objects.filter(seen_at__lt=now - SHOWN_SILENT).delete()
            Worker.objects.create(
                name=self.name,
                kind=self.kind,
                queues=list(settings.WORKER_QUEUES or Queue.values),
                processes=self.processes,
                seen_at=now,
            )

        self._write(sign)

    def _write(self, write: Callable[[], object]) -> None:
        """Write without fail: who cannot sign may still finish its job."""
        try:
            write()
        except Error as error:
            logger.warning("worker %s could not sign: %s", self.name, error)
        finally:
            # Celery forks; nothing may be shared with its children.
            connection.close()
