"""What is left over and removed, and what else workers do each hour."""

import json
import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from corpus.exports.run import exports_folder
from corpus.exports.whole_file import UNFINISHED, notes_folder
from corpus.imports.uploads import DAYS_KEPT, discard_upload, uploads_folder
from corpus.models import AccessEntry, ImportDraft, Job
from corpus.storage.permitting import remove_rows
from corpus.storage.write_turn import Busy
from corpus.studies.deletion import delete_due

DAYS_UNTOUCHED = 1
"""After so long nobody is still writing an unfinished file."""

BYTES_OF_A_LINE = 150

logger = logging.getLogger(__name__)
_tasks: list[Callable[[], object]] = []


@dataclass(frozen=True)
class Leftover:
    """One thing that goes.

    Attributes
    ----------
    name
        What it is: a path in the folder of files, or words.
    size
        In bytes, of rows about.
    remove
        Deletes it, in short transactions.
    """

    name: str
    size: int
    remove: Callable[[], None]


Finder = Callable[[datetime], Iterator[Leftover]]
_finders: list[Finder] = []
_unfinished_files = ["work/*", f"exports/*{UNFINISHED}"]


def register_leftovers(find: Finder) -> None:
    """Let a room say what of its own is left over at a time."""
    _finders.append(find)


def register_unfinished(*patterns: str) -> None:
    """Let a room say how unfinished files and folders are called, within the folder of files."""
    _unfinished_files.extend(patterns)


def left_over(now: datetime | None = None) -> Iterator[Leftover]:
    """Yield what is left over now, or would be at another time."""
    now = now or timezone.now()
    for find in (_exports, _uploads, _unfinished, _unfinished_elsewhere, _log_lines, *_finders):
        yield from find(now)


def prune(now: datetime | None = None) -> list[Leftover]:
    """Remove what is left over; return what went. What cannot be removed is logged and stays."""
    gone = []
    for each in left_over(now):
        try:
            each.remove()
        except (OSError, Busy) as error:
            logger.warning("%s is left over and cannot be removed: %s", each.name, error)
        else:
            gone.append(each)
    return gone


def _exports(now: datetime) -> Iterator[Leftover]:
    for path in sorted(exports_folder().glob("*.zip")):
        if _touched_at(path) < _before(now, settings.EXPORT_DAYS):
            yield _file(path)


def _uploads(now: datetime) -> Iterator[Leftover]:
    """Yield uploads for which no job waits and whose columns nobody chose lately."""
    before = _before(now, DAYS_KEPT)
    for folder in sorted(uploads_folder().glob("*")):
        if _touched_at(folder) >= before or _is_awaited(folder.name):
            continue
        drafts = ImportDraft.objects.filter(upload=folder.name)
        if not drafts.filter(changed_at__gte=now - timedelta(days=DAYS_KEPT)).exists():
            # With the drafts: nothing is left to which they belong.
            yield _file(folder, partial(discard_upload, folder))


def _is_awaited(upload: str) -> bool:
    """Whether a job that has not ended names an upload, an import's or any other."""
    waiting = Job.objects.active().values_list("parameters", flat=True)
    return any(upload in json.dumps(parameters) for parameters in waiting)


def _unfinished(now: datetime) -> Iterator[Leftover]:
    """Yield what killed processes were writing."""
    before = _before(now, DAYS_UNTOUCHED)
    importing = Job.objects.active().filter(kind="import").values_list("pk", flat=True)
    kept = tuple(f"import-{pk}-" for pk in importing)
    for pattern in _unfinished_files:
        for path in sorted(Path(settings.MEDIA_ROOT).glob(pattern)):
            if _touched_at(path) < before and not path.name.startswith(kept):
                yield _file(path)


def _unfinished_elsewhere(now: datetime) -> Iterator[Leftover]:
    """Yield what killed commands were writing outside the folder of files."""
    before = _before(now, DAYS_UNTOUCHED)
    for note in sorted(notes_folder().glob(f"*{UNFINISHED}")):
        with suppress(OSError):
            path = note.readlink()
            touched = (path if path.exists() else note).lstat().st_mtime
            if touched < before and path.name.endswith(UNFINISHED):
                yield Leftover(str(path), _size(path), partial(_remove_noted, path, note))


def _remove_noted(path: Path, note: Path) -> None:
    _remove(path)
    _remove(note)


def _log_lines(now: datetime) -> Iterator[Leftover]:
    """Yield the lines of the log of sign-ins and exports whose days are over, as one thing."""
    old = AccessEntry.objects.filter(at__lt=now - timedelta(days=settings.ACCESS_LOG_DAYS))

    def remove() -> None:
        remove_rows(old)

    if number := old.count():
        name = f"lines of the log of sign-ins and exports: {number:,}"
        yield Leftover(name, number * BYTES_OF_A_LINE, remove)


def _file(path: Path, remove: Callable[[], None] | None = None) -> Leftover:
    name = str(path.relative_to(settings.MEDIA_ROOT))
    size = sum(_size(each) for each in (path, *path.rglob("*")))
    return Leftover(name, size, remove or partial(_remove, path))


def _remove(path: Path) -> None:
    """Delete a file or folder; another process may have been first."""
    with suppress(FileNotFoundError):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()


def _before(now: datetime, days: int) -> float:
    return (now - timedelta(days=days)).timestamp()


def _touched_at(path: Path) -> float:
    """Return when a file, or anything in a folder, was last written; now if it has just gone."""
    try:
        return max(each.stat().st_mtime for each in (path, *path.rglob("*")))
    except FileNotFoundError:
        return timezone.now().timestamp()


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):
        return path.stat().st_size if path.is_file() else 0
    return 0


def register_hourly(task: Callable[[], object]) -> None:
    """Let workers do something each hour; every worker calls it, so it must see what is due."""
    if task not in _tasks:
        _tasks.append(task)


def do_hourly() -> None:
    """Do everything."""
    delete_due()
    prune()
    for task in _tasks:
        task()
