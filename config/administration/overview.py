"""What the page for administrators shows, by a bounded number of short questions.

What takes long to find out is kept: workers look each hour, or a job does when it is asked for.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from socket import gethostname
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from config.administration.storage import measure_storage
from config.backup.making import age_of, kept_backups, this_engine
from config.backup.manifest import Manifest
from config.health.check import Finding
from config.health.serving import SERVING, missing, readiness
from config.health.upkeep import UPKEEP, examination
from config.models import Defect, Figures
from corpus.jobs.progress import Progress
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import AccessEntry, Job, Study, Worker
from corpus.models.job import ACTIVE_STATES, JobQuerySet, Queue, queues_without

KIND = "examine-site"
STORAGE, HEALTH = "storage", "health"
LEAST_AGE = {STORAGE: timedelta(minutes=50), HEALTH: timedelta(hours=23)}
"""Every worker looks each hour; the doctor reads the whole database, so once a day is enough."""

DAY, WEEK = timedelta(days=1), timedelta(days=7)
JOBS_SHOWN, DEFECTS_SHOWN, LINES_SHOWN, STUDIES_SHOWN = 10, 20, 10, 50
KINDS = ("texts", "ratings", "scores", "results")
FILES = ("uploads", "exports", "publications", "models", "results")


@dataclass(frozen=True)
class Holding:
    """What one study takes; `study` is None for what belongs to none."""

    study: Study | None
    rows: int
    database: list[int]
    files: list[int]

    @property
    def total(self) -> int:
        """Bytes of all."""
        return sum(self.database) + sum(self.files)


def overview() -> dict[str, Any]:
    """Return everything that the page shows."""
    now = timezone.now()
    figures = {each.name: each for each in Figures.objects.all()}
    lines = AccessEntry.objects.filter(at__gt=now - DAY)
    return {
        **_jobs(now),
        **_storage(figures.get(STORAGE)),
        **_health(figures.get(HEALTH)),
        "backups": _backups(now),
        "backup_hours": settings.BACKUP_HOURS,
        "defects": Defect.objects.all()[:DEFECTS_SHOWN],
        "defects_of_a_day": Defect.objects.filter(at__gt=now - DAY).count(),
        "lines": AccessEntry.objects.select_related("person", "study")[:LINES_SHOWN],
        "of_a_day": lines.aggregate(
            signed_in=Count("pk", filter=Q(action="signed-in")),
            failed=Count("pk", filter=Q(action="sign-in-failed")),
            taken=Count("pk", filter=Q(action__in=("exported", "downloaded", "published"))),
        ),
    }


def _health(kept: Figures | None) -> dict[str, Any]:
    """Return what the checks found: those of `/readyz` now, the others when a worker looked."""
    now = readiness()
    found = {name: Finding(**each) for name, each in kept.content.items()} if kept else {}
    checks = [
        (check, result)
        for check in (*SERVING, *UPKEEP)
        if (result := now.get(check.name) or found.get(check.name))
    ]
    return {
        "missing": missing(now),
        "checked": kept,
        "checks": checks,
        "wrong_checks": sum(result.state != "ok" for _, result in checks),
    }


def _jobs(now: datetime) -> dict[str, Any]:
    failed = Q(state="failed", finished_at__gt=now - WEEK)
    counted = (
        Job.objects.filter(Q(state__in=ACTIVE_STATES) | failed)
        .order_by()
        .values("queue")
        .annotate(
            waiting=Count("pk", filter=Q(state="queued")),
            running=Count("pk", filter=Q(state="running")),
            failed=Count("pk", filter=failed),
            # Resuming a job keeps when it was asked for; it has waited since it was worked on.
            oldest=Min(Coalesce("heartbeat_at", "created_at"), filter=Q(state="queued")),
        )
    )
    found = {each["queue"]: each for each in counted}
    none = {"waiting": 0, "running": 0, "failed": 0, "oldest": None}
    workers = list(Worker.objects.all())
    living = [each for each in workers if each.is_alive]
    queues = [
        {
            **{"name": name, **none, **found.get(name, {})},
            "workers": sum(name in each.queues for each in living),
        }
        for name in Queue.values
    ]
    known: JobQuerySet = Job.objects.select_related("study", "created_by")
    return {
        "queues": queues,
        "workers": workers,
        "living": len(living),
        "untaken": queues_without(living),
        "jobs": {name: sum(each[name] for each in queues) for name in none if name != "oldest"},
        "active": known.active().order_by("id")[:JOBS_SHOWN],
        "failed": known.filter(failed)[:JOBS_SHOWN],
    }


def _storage(figures: Figures | None) -> dict[str, Any]:
    if figures is None:
        return {"measured": None}
    content = figures.content
    known = Study.objects.in_bulk([int(key) for key in content["studies"] if key])
    holdings = [
        Holding(
            known.get(int(key)) if key else None,
            held["rows"],
            [held["database"].get(kind, 0) for kind in KINDS],
            [held["files"].get(kind, 0) for kind in FILES],
        )
        for key, held in content["studies"].items()
        if not key or int(key) in known
    ]
    holdings.sort(key=lambda each: -each.total)
    return {
        "measured": figures,
        "holdings": holdings[:STUDIES_SHOWN],
        "further": holdings[STUDIES_SHOWN:],
        "further_bytes": sum(each.total for each in holdings[STUDIES_SHOWN:]),
    }


def _backups(now: datetime) -> list[dict[str, Any]]:
    """Return the latest backups in the folder that this machine sees, the newest first."""
    folder = Path(settings.BACKUP_FOLDER)
    latest = kept_backups(folder, this_engine().address())[-settings.BACKUP_KEEP :]
    return [
        {"name": path.name, "at": now - age_of(path, now), "bytes": _bytes_of(path)}
        for path in reversed(latest)
    ]


@lru_cache(maxsize=100)
def _bytes_of(backup: Path) -> int:
    return sum(each.bytes for each in Manifest.read(backup).files.values())


# What takes long to find out


def _findings() -> dict[str, Any]:
    return {name: asdict(found) for name, found in examination().items()}


_MEASURES: dict[str, Callable[[], Any]] = {STORAGE: measure_storage, HEALTH: _findings}


def examine_when_due() -> None:
    """Find out anew what is old."""
    found = dict(Figures.objects.values_list("name", "at"))
    now = timezone.now()
    for name, measure in _MEASURES.items():
        if name not in found or now - found[name] > LEAST_AGE[name]:
            Figures.keep(name, gethostname(), measure())


def ask_to_examine(user: User) -> Job:
    """Return the job that finds out everything now."""
    try:
        return ask_for_job(KIND, KIND, study=None, user=user, parameters={})
    except JobActive as error:
        return error.job


def run_examine(job: Job, progress: Progress) -> dict[str, Any]:
    """Find out everything."""
    for done, (name, measure) in enumerate(_MEASURES.items()):
        words = {STORAGE: "measuring storage", HEALTH: "running the doctor's checks"}[name]
        progress.report(words, done=done, total=len(_MEASURES))
        Figures.keep(name, gethostname(), measure())
    return {}
