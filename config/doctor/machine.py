"""Checks of this machine: libraries, room on its disks, and who may read the data."""

import os
import re
import shutil
import stat
from importlib import metadata
from pathlib import Path

from django.conf import settings
from django.db import connection

from config.backup.making import KEY, this_engine
from config.doctor.finding import Finding
from config.private_files import OTHERS

LEAST_ROOM = 256 << 20
_PIN = re.compile(r"^([A-Za-z][\w.-]*)(?:\[\w+\])?==(\S+)", re.MULTILINE)


def libraries() -> Finding:
    """Compare the installed libraries with those that this version was tested with."""
    pins = Path(settings.BASE_DIR) / "requirements.txt"
    if not pins.exists():
        return Finding("libraries", "ok", "Installed as a package; `pip check` compares versions.")
    wrong = []
    for name, wanted in _PIN.findall(pins.read_text(encoding="utf-8")):
        found = _installed(name)
        if found.partition("+")[0] != wanted:
            wrong.append(f"{name} {found or 'missing'} instead of {wanted}")
    if wrong:
        remedy = "Run pip install -r requirements.txt, then restart."
        return Finding("libraries", "warning", f"{'; '.join(wrong)}.", remedy)
    return Finding("libraries", "ok", "The libraries have the pinned versions.")


def room() -> Finding:
    """Look for disks on which little is left."""
    places = {Path(settings.DATA_DIR), Path(settings.BACKUP_FOLDER)}
    places |= {path.parent for path in _database_files()}
    needed = this_engine().size()
    left = []
    for place in sorted(places):
        while not place.exists():
            place = place.parent
        left.append((shutil.disk_usage(place).free, place))
    free, place = min(left)
    words = f"{free >> 20:,} MiB are free at {place}."
    remedy = "Free some space, or move the data or the backups (BACKUP_FOLDER) to a larger disk."
    if free < LEAST_ROOM:
        return Finding("disk", "broken", words, remedy)
    if free < LEAST_ROOM + 2 * needed:
        return Finding("disk", "warning", f"{words} The database has {needed >> 20:,} MiB.", remedy)
    return Finding("disk", "ok", words)


def permissions() -> Finding:
    """Look for data that others may read, or that this account may not write."""
    folder = Path(settings.DATA_DIR)
    # A folder that everybody writes in is no folder of Touchstone's alone.
    is_shared = folder.stat().st_mode & stat.S_ISVTX
    own = [*([] if is_shared else [folder]), folder / KEY, *_database_files()]
    own = [path for path in own if path.exists()]
    if closed := [str(path) for path in own if not os.access(path, os.R_OK | os.W_OK)]:
        words = f"This account cannot write {', '.join(closed)}."
        remedy = "Run the doctor as the account that runs Touchstone, or give it these files."
        return Finding("permissions", "broken", words, remedy)
    if opened := [str(path) for path in own if path.stat().st_mode & OTHERS]:
        remedy = f"Run chmod go= {' '.join(opened)}"
        words = f"Other accounts may open {', '.join(opened)}."
        return Finding("permissions", "broken", words, remedy)
    return Finding("permissions", "ok", "Only this account may read the data.")


def _installed(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _database_files() -> list[Path]:
    if connection.vendor != "sqlite":
        return []
    path = Path(connection.settings_dict["NAME"])
    return [path, Path(f"{path}-wal")]
