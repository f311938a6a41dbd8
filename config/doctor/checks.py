"""The list of what the doctor looks at."""

from collections.abc import Callable

from django.db import DatabaseError

from config.backup.manifest import BackupError
from config.doctor import database, machine, site
from config.doctor.finding import Finding
from corpus.storage.faults import storage_fault

CHECKS: dict[str, Callable[[], Finding]] = {
    "database": database.integrity,
    "migrations": database.migrations,
    "clock": database.clock,
    "libraries": machine.libraries,
    "disk": machine.room,
    "permissions": machine.permissions,
    "queue": site.queue,
    "workers": site.workers,
    "backups": site.backups,
    "settings": site.site_settings,
}


def findings() -> list[Finding]:
    """Run all checks."""
    return [checked(name, check) for name, check in CHECKS.items()]


def checked(name: str, check: Callable[[], Finding]) -> Finding:
    """Run a check; what keeps it from an answer is what it finds."""
    try:
        return check()
    except (DatabaseError, OSError, BackupError) as error:
        fault = storage_fault(error)
        words = f"{fault.words} ({error})" if fault else f"The check failed: {error}"
        remedy = fault.remedy if fault else "See what the other lines say; start with the first."
        return Finding(name, "broken", words, remedy)
