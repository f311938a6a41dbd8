"""Checks of the running site: its queue, its backups, and its settings."""

from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db.models import Max
from django.utils import timezone

from config.backup.journal import REMEDY, unfinished_restore
from config.backup.kept import age_of, kept_backups
from config.backup.making import this_engine
from config.backup.manifest import Manifest
from config.checks import provider_is_safe, proxy_is_set
from config.doctor.finding import Finding
from config.watching.readiness import queue_figures
from corpus.models import Job, Study, Worker
from corpus.models.worker import queues_without

_WAITS = timedelta(minutes=1)
_WAITS_LONG = timedelta(minutes=30)
_START = "Start manage.py serve or manage.py work; with REDIS_URL, celery worker and celery beat."


def queue() -> Finding:
    """Look for jobs that nobody takes, and for workers that fell silent."""
    now = timezone.now()
    silent = Job.objects.filter(state="running", lease_until__lt=now - _WAITS).count()
    figures = queue_figures()
    working = figures["running"]
    waited = timedelta(seconds=figures["oldest_waiting_seconds"])
    seen = Job.objects.aggregate(at=Max("heartbeat_at"))["at"]
    last = (
        f"A worker was last seen at {seen:%Y-%m-%d %H:%M} UTC." if seen else "No worker was seen."
    )
    if silent:
        words = f"The workers of {silent:,} running jobs are silent and no other took over. {last}"
        return Finding("queue", "broken", words, _START)
    if waited > _WAITS and not working:
        return Finding("queue", "broken", f"A job waits since {_ago(waited)}. {last}", _START)
    if waited > _WAITS_LONG:
        words = f"The oldest job waits since {_ago(waited)}; {working:,} are worked on."
        return Finding("queue", "warning", words, "Start more workers, or cancel jobs (page Jobs).")
    return Finding("queue", "ok", f"No job waits for long. {last}")


def workers() -> Finding:
    """Look which workers are alive, and for queues that none of them takes."""
    living = list(Worker.objects.alive())
    if not living:
        return Finding("workers", "warning", "No worker is alive: jobs would wait.", _START)
    names = ", ".join(each.name for each in living)
    if missed := queues_without(living):
        words = f"No worker takes {', '.join(missed)}; alive: {names}."
        remedy = "Start one that does: see WORKER_QUEUES in docs/settings.md."
        return Finding("workers", "warning", words, remedy)
    return Finding("workers", "ok", f"Every queue has a worker; alive: {names}.")


def backups() -> Finding:
    """Look at the age of the latest backup, and whether its files are whole."""
    if problem := unfinished_restore():
        return Finding("backups", "broken", problem, REMEDY)
    folder = Path(settings.BACKUP_FOLDER)
    found = kept_backups(folder, this_engine().address())
    if not found:
        words = f"There is no backup of this site in {folder}."
        return Finding("backups", "warning", words, "Run manage.py backup.")
    if problems := Manifest.read(found[-1]).problems(found[-1]):
        words = f"The backup {found[-1]} is damaged: {'; '.join(problems)}."
        return Finding("backups", "broken", words, "Run manage.py backup, and check the disk.")
    age = age_of(found[-1], timezone.now())
    words = f"The latest backup, {found[-1]}, is whole and {_ago(age)} old."
    if age > 2 * timedelta(hours=settings.BACKUP_HOURS or 24):
        remedy = "Run manage.py backup, and look in the log of serve why none was made."
        return Finding("backups", "warning", words, remedy)
    return Finding("backups", "ok", words)


def site_settings() -> Finding:
    """Look for settings that do not go together."""
    if found := [*proxy_is_set(), *provider_is_safe()]:
        words = " ".join(str(each.msg) for each in found)
        return Finding("settings", "warning", words, " ".join(str(each.hint) for each in found))
    declared = settings.OPEN_ID_PROVIDER.roles if settings.OPEN_ID_PROVIDER else ()
    known = set(Study.objects.values_list("slug", flat=True))
    if unknown := sorted({each.study for each in declared} - known):
        words = f"OIDC_ROLES names studies that do not exist: {', '.join(unknown)}."
        return Finding("settings", "warning", words, "Correct the names, or make these studies.")
    if settings.DEBUG:
        words = "DEBUG is set, which shows settings and code to anybody who meets an error."
        return Finding("settings", "warning", words, "Unset DEBUG where others use the site.")
    return Finding("settings", "ok", "The settings go together.")


def _ago(span: timedelta) -> str:
    hours, minutes = divmod(int(span.total_seconds()) // 60, 60)
    return f"{hours // 24} days" if hours >= 48 else f"{hours} h {minutes} min"
