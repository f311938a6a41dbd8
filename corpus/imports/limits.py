"""Limits and folders of reading files of users, as the settings of this site have them."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from corpus.tabular.limits import MEBIBYTE, Limits

ROWS_OF_A_PAGE = 100_000
"""Of each table; the import looks at all, and asks what they raise."""


def import_limits() -> Limits:
    """Return the limits of one import."""
    return Limits(
        total_bytes=settings.IMPORT_UNPACKED_MB * MEBIBYTE,
        field_characters=settings.IMPORT_CELL_CHARACTERS,
        rows=settings.IMPORT_ROWS,
        cells=settings.IMPORT_CELLS,
        text_bytes=settings.IMPORT_TEXT_MB * MEBIBYTE,
        memory_bytes=settings.IMPORT_MEMORY_MB * MEBIBYTE,
        seconds=settings.IMPORT_SECONDS,
    )


def page_limits() -> Limits:
    """Return the limits of what a page reads while somebody waits for it."""
    seconds = settings.IMPORT_PAGE_SECONDS
    return replace(import_limits(), seconds=seconds, table_rows=ROWS_OF_A_PAGE)


@contextmanager
def work_folder() -> Iterator[Path]:
    """Give an empty folder for what must be unpacked while somebody waits for a page."""
    parent = Path(settings.MEDIA_ROOT) / "work"
    parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mapping-", dir=parent) as folder:
        yield Path(folder)
