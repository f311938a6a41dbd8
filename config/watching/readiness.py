"""Whether this machine can serve: a few bounded questions, asked at most every few seconds."""

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from corpus.models import Job, Worker
from corpus.models.worker import queues_without
from corpus.storage.faults import storage_fault
from corpus.storage.write_turn import lost_to_others

SECONDS_KEPT = 5.0
MILLISECONDS_TO_WAIT = 1000
LEAST_FREE_MIB = 100
SECONDS_UNTIL_A_WORKER_IS_MISSED = 60
LONGEST_WAIT = 3600


class NotReady(Exception):
    """A check failed; its text names no path, address or secret."""


@dataclass(frozen=True)
class Check:
    """One check and its outcome; without what is `required` the machine takes no requests."""

    name: str
    required: bool
    problem: str = ""
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Readiness:
    """The outcome of all checks."""

    checks: tuple[Check, ...]

    @property
    def failed(self) -> list[str]:
        """Names of the required checks that failed."""
        return [each.name for each in self.checks if each.required and each.problem]

    def details(self) -> dict[str, Any]:
        """Return everything as JSON."""
        checks = {each.name: asdict(each) for each in self.checks}
        for each in checks.values():
            del each["name"]
        return {"ready": not self.failed, "checks": checks}


def readiness() -> Readiness:
    """Return the outcome, at most `SECONDS_KEPT` old; one thread asks, others wait for it."""
    global _latest
    with _asking:
        if _latest is None or time.monotonic() - _latest[0] > SECONDS_KEPT:
            _latest = time.monotonic(), ask()
        return _latest[1]


def forget() -> None:
    """Let the next question be asked anew."""
    global _latest
    _latest = None
    _migrated.clear()


def ask() -> Readiness:
    """Ask everything now."""
    questions: list[tuple[str, bool, Callable[[], dict[str, Any]]]] = [
        ("database", True, _database),
        ("migrations", True, _migrations),
        ("disk", True, _disk),
        # Without these, jobs are late; annotators and readers are served all the same.
        ("jobs", False, _jobs),
        ("worker", False, _worker),
    ]
    if settings.REDIS_URL:
        questions.append(("broker", False, _broker))
    return Readiness(tuple(_asked(*each) for each in questions))


_latest: tuple[float, Readiness] | None = None
_asking = threading.Lock()
_migrated: set[str] = set()
"""Databases that were found migrated: they stay so."""


def _asked(name: str, required: bool, question: Callable[[], dict[str, Any]]) -> Check:
    try:
        return Check(name, required, figures=question())
    except NotReady as error:
        return Check(name, required, str(error))
    except Exception as error:
        # Messages of drivers name hosts, users and files.
        fault = storage_fault(error)
        return Check(name, required, fault.words if fault else f"failed: {type(error).__name__}")


def _database() -> dict[str, Any]:
    """Take a turn at writing, and write nothing."""
    begun = time.monotonic()
    try:
        with _short_waits(), transaction.atomic():
            if connection.vendor == "postgresql" and _value("SHOW transaction_read_only") != "off":
                raise NotReady("the database is read-only")
            _value("SELECT 1")
    except DatabaseError as error:
        if lost_to_others(error):
            raise NotReady(f"locked for {MILLISECONDS_TO_WAIT} ms by another write") from error
        raise
    return {"seconds": round(time.monotonic() - begun, 4)}


@contextmanager
def _short_waits() -> Iterator[None]:
    """Wait for a locked database no longer than who asks would wait."""
    if connection.vendor != "sqlite":
        yield
        return
    before = _value("PRAGMA busy_timeout")
    _value(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
    try:
        yield
    finally:
        _value(f"PRAGMA busy_timeout = {before}")


def _value(statement: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def _migrations() -> dict[str, Any]:
    """Compare the files with the rows: the loader of Django would import all of them."""
    name = str(connection.settings_dict["NAME"])
    if name not in _migrated:
        applied = set(MigrationRecorder(connection).applied_migrations())
        if missing := sorted(_migration_files() - applied):
            app, first = missing[0]
            raise NotReady(f"{len(missing)} not applied, the first {app}.{first}: run migrate")
        _migrated.add(name)
    return {}


def _migration_files() -> set[tuple[str, str]]:
    return {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in Path(app.path, "migrations").glob("[0-9]*.py")
    }


def _disk() -> dict[str, Any]:
    free = shutil.disk_usage(settings.DATA_DIR).free >> 20
    if free < LEAST_FREE_MIB:
        raise NotReady(f"{free} MiB are free in the data folder; at least {LEAST_FREE_MIB} needed")
    return {"free_mib": free}


def queue_figures() -> dict[str, int]:
    """Return how many jobs wait and run, and for how many seconds the oldest has waited."""
    now = timezone.now()
    # Resuming a job keeps when it was asked for; it has waited since it was last worked on.
    since = Coalesce("heartbeat_at", "created_at")
    figures = (
        Job.objects.active()
        .order_by()
        .aggregate(
            waiting=Count("pk", filter=Q(state="queued")),
            running=Count("pk", filter=Q(state="running", lease_until__gte=now)),
            oldest=Min(since, filter=Q(state="queued")),
        )
    )
    oldest = figures.pop("oldest")
    figures["oldest_waiting_seconds"] = int((now - oldest).total_seconds()) if oldest else 0
    return figures


def _jobs() -> dict[str, Any]:
    figures = queue_figures()
    if figures["oldest_waiting_seconds"] > LONGEST_WAIT:
        raise NotReady(
            f"{figures['waiting']} waiting, the oldest for {figures['oldest_waiting_seconds']} s"
        )
    return figures


def _worker() -> dict[str, Any]:
    """Miss workers where a job waits: none is at work, or none that is alive takes its queue."""
    figures = queue_figures()
    waited = figures["oldest_waiting_seconds"]
    living = list(Worker.objects.alive())
    untaken = queues_without(living)
    if waited > SECONDS_UNTIL_A_WORKER_IS_MISSED:
        if not figures["running"]:
            alive = f"{len(living)} alive" if living else "none alive"
            raise NotReady(f"none at work and {alive}, though a job has waited for {waited} s")
        if living and (missed := _waiting_in(untaken)):
            raise NotReady(f"no worker takes {', '.join(missed)}, where jobs wait")
    return {"at_work": figures["running"], "alive": len(living), "queues_without": untaken}


def _waiting_in(queues: list[str]) -> list[str]:
    """Return those of some queues in which a job has waited for long."""
    long_ago = timezone.now() - timedelta(seconds=SECONDS_UNTIL_A_WORKER_IS_MISSED)
    waiting = Job.objects.filter(state="queued", queue__in=queues, created_at__lt=long_ago)
    return sorted(set(waiting.order_by().values_list("queue", flat=True)))


def _broker() -> dict[str, Any]:
    from redis import Redis

    seconds = MILLISECONDS_TO_WAIT / 1000
    with Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=seconds, socket_timeout=seconds
    ) as broker:
        broker.ping()
    return {}
