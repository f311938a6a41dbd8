"""What the page for administrators shows: a bounded number of short questions."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from config.administration.examining import CHECKS, STORAGE
from config.backup.kept import age_of, kept_backups
from config.backup.making import this_engine
from config.backup.manifest import Manifest
from config.models import Defect, Figures
from config.watching.readiness import readiness
from corpus.models import AccessEntry, Job, Study, Worker
from corpus.models.job import ACTIVE_STATES, JobQuerySet, Queue
from corpus.models.worker import queues_without

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
        "readiness": (found := readiness()),
        "ready_checks": [(each, _in_words(each.figures)) for each in found.checks],
        "checks": figures.get(CHECKS),
        "wrong_checks": _wrong(figures.get(CHECKS)),
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


def _in_words(figures: dict[str, Any]) -> str:
    """Return figures of a check as words.

    >>> _in_words({"free_mib": 74159, "seconds": 0.5})
    'free mib 74,159, seconds 0.5'
    >>> _in_words({"alive": 1, "queues_without": ["gpu", "heavy"]})
    'alive 1, queues without gpu, heavy'
    """
    listed = {
        name: ", ".join(value) if isinstance(value, list) else f"{value:,}"
        for name, value in figures.items()
    }
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in listed.items() if value)


def _wrong(checks: Figures | None) -> int:
    return sum(each["state"] != "ok" for each in checks.content) if checks else 0


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
