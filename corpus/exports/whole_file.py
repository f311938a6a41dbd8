"""A file that appears under its name when it is whole."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from django.conf import settings

UNFINISHED = ".part"
"""How the name of a file ends until then."""


def notes_folder() -> Path:
    """Return where links lead to unfinished files outside the folder of files."""
    return Path(settings.MEDIA_ROOT) / "exports" / "elsewhere"


@contextmanager
def whole_file(path: Path, *, one_of_several: bool = False) -> Iterator[Path]:
    """Give the place of an unfinished file beside a path.

    It is moved to the path when the block ends, and deleted when the block fails. If the process
    is killed, `corpus.storage.pruning` deletes it, wherever it is.

    Parameters
    ----------
    one_of_several
        Whether another process may write the same file, such as a worker that took a job over:
        each then has an unfinished file of its own.
    """
    mark = f".{uuid4().hex}" if one_of_several else ""
    unfinished = path.with_name(path.name + mark + UNFINISHED)
    with _noted(unfinished.absolute()):
        try:
            yield unfinished
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


@contextmanager
def _noted(unfinished: Path) -> Iterator[None]:
    """Leave a link to a file outside the folder of files as long as it is written."""
    if unfinished.is_relative_to(settings.MEDIA_ROOT):
        yield
        return
    note = notes_folder() / f"{uuid4().hex}{UNFINISHED}"
    with suppress(OSError):  # Nothing but the cleaning depends on it.
        note.parent.mkdir(parents=True, exist_ok=True)
        note.symlink_to(unfinished)
    try:
        yield
    finally:
        with suppress(OSError):
            note.unlink()
