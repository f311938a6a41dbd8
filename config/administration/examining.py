"""What takes long to find out of the site: by workers each hour, or by a job when asked for."""

from collections.abc import Callable
from dataclasses import asdict
from datetime import timedelta
from socket import gethostname
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone

from config.administration.storage import measure_storage
from config.doctor.checks import findings
from config.models import Figures
from corpus.jobs.progress import Progress
from corpus.jobs.queue import JobActive, ask_for_job
from corpus.models import Job

KIND = "examine-site"
STORAGE, CHECKS = "storage", "checks"
LEAST_AGE = {STORAGE: timedelta(minutes=50), CHECKS: timedelta(hours=23)}
"""Every worker looks each hour; the doctor reads the whole database, so once a day is enough."""


def _checks() -> list[dict[str, str]]:
    return [asdict(each) for each in findings()]


_MEASURES: dict[str, Callable[[], Any]] = {STORAGE: measure_storage, CHECKS: _checks}


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
        words = {STORAGE: "measuring storage", CHECKS: "running the doctor's checks"}[name]
        progress.report(words, done=done, total=len(_MEASURES))
        Figures.keep(name, gethostname(), measure())
    return {}
