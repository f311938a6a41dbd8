"""Whether this machine can serve: a few bounded checks, asked at most every few seconds.

What they find names no path, address or secret.
"""

import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
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

from config.health.check import Check, Finding
from corpus.models import Job, Worker
from corpus.models.job import queues_without
from corpus.storage.write_turn import lost_to_others

SECONDS_KEPT = 5.0
MILLISECONDS_TO_WAIT = 1000
LEAST_FREE = 100 << 20
WAITS, WAITS_LONG = timedelta(minutes=1), timedelta(minutes=30)
_START = "Start manage.py serve or manage.py work; with REDIS_URL, celery worker and celery beat."

_latest: tuple[float, dict[str, Finding]] | None = None
_settled: dict[str, Finding] = {}
_asking = threading.Lock()


def readiness() -> dict[str, Finding]:
    """Return what the checks find, at most `SECONDS_KEPT` old; one thread asks, others wait."""
    global _latest
    with _asking:
        if _latest is None or time.monotonic() - _latest[0] > SECONDS_KEPT:
            begun = time.monotonic()
            found = {each.name: _settled.get(each.name) or each.ask() for each in checks()}
            _latest = begun, found
            for each in SERVING:
                if each.is_settled_once and found[each.name].state == "ok":
                    _settled[each.name] = found[each.name]
        return _latest[1]


def missing(found: dict[str, Finding]) -> list[str]:
    """Return the names of broken checks without which this machine takes no requests."""
    required = [each.name for each in SERVING if each.is_required]
    return [name for name in required if found[name].state == "broken"]


def forget() -> None:
    """Let the next question be asked anew."""
    global _latest
    _latest = None
    _settled.clear()


def checks() -> list[Check]:
    """Return the checks that this site has: without Redis there is no broker."""
    return [each for each in SERVING if settings.REDIS_URL or each.look is not broker]


def database() -> Finding:
    """Take a turn at writing, and write nothing."""
    begun = time.monotonic()
    try:
        with _short_waits(), transaction.atomic():
            if connection.vendor == "postgresql" and value("SHOW transaction_read_only") != "off":
                return Finding("broken", "The database is read-only.", "Connect to its primary.")
            value("SELECT 1")
    except DatabaseError as error:
        if not lost_to_others(error):
            raise
        words = f"The database was locked for {MILLISECONDS_TO_WAIT} ms by another write."
        return Finding("broken", words, "Wait until it has ended, or stop what writes.")
    figures = {"seconds": round(time.monotonic() - begun, 4)}
    return Finding("ok", "The database can be read and written.", figures=figures)


@contextmanager
def _short_waits() -> Iterator[None]:
    """Wait for a locked database no longer than who asks would wait."""
    if connection.vendor != "sqlite":
        yield
        return
    before = value("PRAGMA busy_timeout")
    value(f"PRAGMA busy_timeout = {MILLISECONDS_TO_WAIT}")
    try:
        yield
    finally:
        value(f"PRAGMA busy_timeout = {before}")


def value(statement: str) -> Any:
    """Return the one value of a query."""
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0]


def migrations() -> Finding:
    """Compare the files with the rows: the loader of Django would import all of them."""
    applied = set(MigrationRecorder(connection).applied_migrations())
    files = {
        (app.label, file.stem)
        for app in apps.get_app_configs()
        for file in Path(app.path, "migrations").glob("[0-9]*.py")
    }
    known_apps = {app for app, _ in files}
    if newer := sorted(f"{app}.{name}" for app, name in applied - files if app in known_apps):
        words = f"The database is of a newer version: {', '.join(newer)}."
        return Finding("broken", words, "Install the version that wrote it.")
    if waiting := sorted(f"{app}.{name}" for app, name in files - applied):
        words = f"Migrations that wait: {len(waiting)}, the first is {waiting[0]}."
        return Finding("broken", words, "Run manage.py migrate, or restart serve.")
    return Finding("ok", "All migrations are applied.")


def disk() -> Finding:
    """Look for disks on which little is left."""
    files = database_files()
    places = {"data folder": Path(settings.DATA_DIR)}
    if files:
        places["folder of the database"] = files[0].parent
    free = {name: _free(place) for name, place in places.items()}
    # Where only backups lack room, pages can be served.
    is_full = min(free.values()) < LEAST_FREE
    free["folder of backups"] = _free(Path(settings.BACKUP_FOLDER))
    size = sum(path.stat().st_size for path in files if path.exists())
    name = min(free, key=lambda each: free[each])
    words = f"{free[name] >> 20:,} MiB are free in the {name}."
    figures = {"free_mib": free["data folder"] >> 20}
    if not is_full and free[name] >= LEAST_FREE + 2 * size:
        return Finding("ok", words, figures=figures)
    words = f"{words} The database has {size >> 20:,} MiB." if size else words
    remedy = "Free some space, or move the data or the backups (BACKUP_FOLDER) to a larger disk."
    return Finding("broken" if is_full else "warning", words, remedy, figures)


def _free(place: Path) -> int:
    """Return the bytes that are free where a folder is, or will be made."""
    while not place.exists():
        place = place.parent
    return shutil.disk_usage(place).free


def database_files() -> list[Path]:
    """Return the file of an SQLite database and its log, whether or not they exist."""
    if connection.vendor != "sqlite":
        return []
    path = Path(connection.settings_dict["NAME"])
    return [path, Path(f"{path}-wal")]


def queue_figures() -> dict[str, int]:
    """Return how many jobs wait, run and are silent, and for how long the oldest has waited."""
    now = timezone.now()
    running = Q(state="running")
    # Resuming a job keeps when it was asked for; it has waited since it was last worked on.
    since = Coalesce("heartbeat_at", "created_at")
    figures = (
        Job.objects.active()
        .order_by()
        .aggregate(
            waiting=Count("pk", filter=Q(state="queued")),
            running=Count("pk", filter=running & Q(lease_until__gte=now)),
            silent=Count("pk", filter=running & Q(lease_until__lt=now - WAITS)),
            oldest=Min(since, filter=Q(state="queued")),
        )
    )
    oldest = figures.pop("oldest")
    figures["oldest_waiting_seconds"] = int((now - oldest).total_seconds()) if oldest else 0
    return figures


def jobs() -> Finding:
    """Look for jobs that wait long, and for those whose workers fell silent."""
    figures = queue_figures()
    waited = timedelta(seconds=figures["oldest_waiting_seconds"])
    if silent := figures["silent"]:
        words = f"The workers of {silent:,} running jobs are silent and no other took over."
        return Finding("broken", words, _START, figures)
    if waited > WAITS_LONG:
        words = (
            f"{figures['waiting']:,} jobs wait, the oldest for {span(waited)}; "
            f"{figures['running']:,} are worked on."
        )
        remedy = "Start more workers, or cancel jobs (page Jobs)."
        return Finding("warning", words, remedy, figures)
    return Finding("ok", "No job waits for long.", figures=figures)


def worker() -> Finding:
    """Look which workers are alive, and for queues that none of them takes."""
    queue = queue_figures()
    waited = timedelta(seconds=queue["oldest_waiting_seconds"])
    living = list(Worker.objects.alive())
    untaken = queues_without(living)
    figures = {"at_work": queue["running"], "alive": len(living), "queues_without": untaken}
    if waited > WAITS and not queue["running"]:
        alive = f"{len(living)} alive" if living else "none alive"
        words = f"No worker is at work and {alive}, though a job has waited for {span(waited)}."
        return Finding("broken", words, _START, figures)
    if not living:
        return Finding("warning", "No worker is alive: jobs would wait.", _START, figures)
    names = ", ".join(each.name for each in living)
    remedy = "Start one that does: see WORKER_QUEUES in docs/settings.md."
    if missed := _waiting_in(untaken):
        words = f"No worker takes {', '.join(missed)}, where jobs wait; alive: {names}."
        return Finding("broken", words, remedy, figures)
    if untaken:
        words = f"No worker takes {', '.join(untaken)}; alive: {names}."
        return Finding("warning", words, remedy, figures)
    return Finding("ok", f"Every queue has a worker; alive: {names}.", figures=figures)


def _waiting_in(queues: list[str]) -> list[str]:
    """Return those of some queues in which a job has waited for long."""
    waiting = Job.objects.filter(
        state="queued", queue__in=queues, created_at__lt=timezone.now() - WAITS
    )
    return sorted(set(waiting.order_by().values_list("queue", flat=True)))


def broker() -> Finding:
    """Ask Redis for an answer."""
    from redis import Redis

    seconds = MILLISECONDS_TO_WAIT / 1000
    with Redis.from_url(
        settings.REDIS_URL, socket_connect_timeout=seconds, socket_timeout=seconds
    ) as redis:
        redis.ping()
    return Finding("ok", "Redis answers.")


def span(time_span: timedelta) -> str:
    """Return a span of time in words.

    >>> span(timedelta(minutes=200)), span(timedelta(hours=50))
    ('3 h 20 min', '2 days')
    """
    hours, minutes = divmod(int(time_span.total_seconds()) // 60, 60)
    return f"{hours // 24} days" if hours >= 48 else f"{hours} h {minutes} min"


SERVING = (
    Check("database", "whether it can be read and written", database, is_required=True),
    Check(
        "migrations",
        "none waits, none is of a newer version",
        migrations,
        is_required=True,
        is_settled_once=True,
    ),
    Check("disk", "room for the data, and for two further backups", disk, is_required=True),
    # Without these, jobs are late; annotators and readers are served all the same.
    Check("jobs", "none waits half an hour, none is left by its worker", jobs),
    Check("worker", "one is alive for every queue", worker),
    Check("broker", "whether Redis answers", broker),
)
