"""Whether the site is kept well: checks that may read the whole database, for the doctor."""

import os
import re
import stat
import time
from datetime import timedelta
from importlib import metadata
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.utils import timezone

from config.backup.journal import REMEDY, unfinished_restore
from config.backup.making import KEY, age_of, kept_backups, this_engine
from config.backup.manifest import Manifest
from config.checks import provider_is_safe, proxy_is_set
from config.health.check import Check, Finding
from config.health.serving import checks, database_files, span, value
from config.private_files import OTHERS
from corpus.models import Study

_SECONDS_APART = 5
_PIN = re.compile(r"^([A-Za-z][\w.-]*)(?:\[\w+\])?==(\S+)", re.MULTILINE)
_RESTORE = (
    "Stop Touchstone, keep a copy of the database, and restore the latest backup "
    "(manage.py restore)."
)
_OF_SQLITE = (
    ("PRAGMA quick_check(1)", "pages are damaged"),
    ("PRAGMA foreign_key_check", "rows refer to missing ones"),
)
_HERE = "= (SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
_OF_POSTGRESQL = (
    (
        f"SELECT conname FROM pg_constraint WHERE NOT convalidated AND connamespace {_HERE}",  # noqa: S608
        "constraints are not validated",
    ),
    (
        "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"  # noqa: S608
        f" WHERE NOT (indisvalid AND indisready) AND relnamespace {_HERE}",
        "indexes are invalid",
    ),
    (
        "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"  # noqa: S608
        f" WHERE tgenabled = 'D' AND relnamespace {_HERE}",
        "triggers are disabled",
    ),
)


def integrity() -> Finding:
    """Look for damage, and for rules that the database no longer enforces."""
    wrong = []
    with connection.cursor() as cursor:
        for query, words in _OF_SQLITE if connection.vendor == "sqlite" else _OF_POSTGRESQL:
            cursor.execute(query)
            if found := sorted({str(row[0]) for row in cursor.fetchall()} - {"ok"}):
                wrong.append(f"{words} ({', '.join(found)})")
    if wrong:
        return Finding("broken", f"In the database {'; '.join(wrong)}.", _RESTORE)
    return Finding("ok", "The database is whole.")


def clock() -> Finding:
    """Compare the clock of the database with that of this machine."""
    is_sqlite = connection.vendor == "sqlite"
    now = "unixepoch('subsec')" if is_sqlite else "EXTRACT(EPOCH FROM clock_timestamp())"
    apart = abs(float(value(f"SELECT {now}")) - time.time())
    if apart > _SECONDS_APART:
        words = f"The clock of the database is {apart:,.0f} s from this machine's."
        return Finding("warning", words, "Let both follow a time server (NTP).")
    return Finding("ok", "The database and this machine have the same time.")


def libraries() -> Finding:
    """Compare the installed libraries with those that this version was tested with."""
    pins = Path(settings.BASE_DIR) / "requirements.txt"
    if not pins.exists():
        return Finding("ok", "Installed as a package; `pip check` compares versions.")
    wrong = []
    for name, wanted in _PIN.findall(pins.read_text(encoding="utf-8")):
        found = _installed(name)
        if found.partition("+")[0] != wanted:
            wrong.append(f"{name} {found or 'missing'} instead of {wanted}")
    if wrong:
        remedy = "Run pip install -r requirements.txt, then restart."
        return Finding("warning", f"{'; '.join(wrong)}.", remedy)
    return Finding("ok", "The libraries have the pinned versions.")


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def permissions() -> Finding:
    """Look for data that others may read, or that this account may not write."""
    folder = Path(settings.DATA_DIR)
    # A folder that everybody writes in is no folder of Touchstone's alone.
    is_shared = folder.stat().st_mode & stat.S_ISVTX
    own = [*([] if is_shared else [folder]), folder / KEY, *database_files()]
    own = [path for path in own if path.exists()]
    if closed := [str(path) for path in own if not os.access(path, os.R_OK | os.W_OK)]:
        words = f"This account cannot write {', '.join(closed)}."
        remedy = "Run the doctor as the account that runs Touchstone, or give it these files."
        return Finding("broken", words, remedy)
    if opened := [str(path) for path in own if path.stat().st_mode & OTHERS]:
        words = f"Other accounts may open {', '.join(opened)}."
        return Finding("broken", words, f"Run chmod go= {' '.join(opened)}")
    return Finding("ok", "Only this account may read the data.")


def backups() -> Finding:
    """Look at the age of the latest backup, and whether its files are whole."""
    if problem := unfinished_restore():
        return Finding("broken", problem, REMEDY)
    folder = Path(settings.BACKUP_FOLDER)
    found = kept_backups(folder, this_engine().address())
    if not found:
        words = f"There is no backup of this site in {folder}."
        return Finding("warning", words, "Run manage.py backup.")
    if problems := Manifest.read(found[-1]).problems(found[-1]):
        words = f"The backup {found[-1]} is damaged: {'; '.join(problems)}."
        return Finding("broken", words, "Run manage.py backup, and check the disk.")
    age = age_of(found[-1], timezone.now())
    words = f"The latest backup, {found[-1]}, is whole and {span(age)} old."
    if age > 2 * timedelta(hours=settings.BACKUP_HOURS or 24):
        remedy = "Run manage.py backup, and look in the log of serve why none was made."
        return Finding("warning", words, remedy)
    return Finding("ok", words)


def site_settings() -> Finding:
    """Look for settings that do not go together."""
    if found := [*proxy_is_set(), *provider_is_safe()]:
        words = " ".join(str(each.msg) for each in found)
        return Finding("warning", words, " ".join(str(each.hint) for each in found))
    declared = settings.OPEN_ID_PROVIDER.roles if settings.OPEN_ID_PROVIDER else ()
    known = set(Study.objects.values_list("slug", flat=True))
    if unknown := sorted({each.study for each in declared} - known):
        words = f"OIDC_ROLES names studies that do not exist: {', '.join(unknown)}."
        return Finding("warning", words, "Correct the names, or make these studies.")
    if settings.DEBUG:
        words = "DEBUG is set, which shows settings and code to anybody who meets an error."
        return Finding("warning", words, "Unset DEBUG where others use the site.")
    return Finding("ok", "The settings go together.")


UPKEEP = (
    Check("integrity", "damage, and rules that the database no longer enforces", integrity),
    Check("clock", "that of the database is within 5 s of this machine's", clock),
    Check("libraries", "versions as in requirements.txt", libraries),
    Check("permissions", "nobody else may open the data folder, database or key", permissions),
    Check("backups", "the latest is whole and not too old", backups),
    Check("settings", "whether they go together", site_settings),
)


def examination() -> dict[str, Finding]:
    """Return what all checks find now."""
    return {each.name: each.ask() for each in (*checks(), *UPKEEP)}
