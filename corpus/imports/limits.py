"""The limits of reading files of users, as the settings of this site have them."""

from dataclasses import replace

from django.conf import settings

from corpus.tabular.limits import MEBIBYTE, Limits


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
    return replace(import_limits(), seconds=settings.IMPORT_PAGE_SECONDS)
