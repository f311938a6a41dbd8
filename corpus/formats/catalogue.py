"""The formats that are known by name: ours, and those of installed packages."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corpus.formats.format import Format
    from corpus.formats.offered import Offered

logger = logging.getLogger(__name__)
FOLDER = Path(__file__).parent
"""Of our formats that are queries."""
GROUP = "touchstone.formats"
"""Entry points of other packages; each names an instance of `Format`."""
AUTO, NONE = "auto", "none"
"""Recognise the format; take the files for plain tables."""


class UnknownFormatError(LookupError):
    """There is no format of that name; the message lists those that there are."""


@cache
def formats() -> dict[str, Format]:
    """Return every format by name, ours first; a later one of the same name is passed over."""
    # Not needed by a start.
    from importlib.metadata import entry_points

    from corpus.formats import hugging_face, mt_metrics_eval
    from corpus.formats.format import Format
    from corpus.formats.queries import QueryFormat

    paths = {*FOLDER.glob("*.sql")} - {mt_metrics_eval.PATH}
    queries = [QueryFormat(path) for path in sorted(paths)]
    known = {e.name: e for e in (mt_metrics_eval.FORMAT, *queries, hugging_face.FORMAT)}
    for point in entry_points(group=GROUP):
        try:
            other = point.load()
        except Exception:
            logger.exception("the format %s of another package cannot be loaded", point.name)
            continue
        if isinstance(other, Format) and other.name not in (*known, AUTO, NONE):
            known[other.name] = other
    return known


def format_named(name: str) -> Format:
    """Return a format; `UnknownFormatError` if there is none of that name."""
    try:
        return formats()[name]
    except KeyError:
        known = ", ".join([AUTO, NONE, *formats()])
        raise UnknownFormatError(f"no format {name!r}; known formats: {known}") from None


def recognised(files: Offered) -> Format | None:
    """Return the first format that files are of, if any; one that fails at them is none."""
    for each in formats().values():
        try:
            if each.recognises(files):
                return each
        except Exception:
            logger.exception("the format %s fails at these files", each.name)
    return None
