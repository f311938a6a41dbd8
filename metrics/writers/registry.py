"""Which writers there are: ours, and those that other packages bring by an entry point.

Modules of writers import nothing heavy at their top, so listing writers is quick.
"""

from functools import cache

from metrics.plugins import Known, known_classes, own_classes
from metrics.writers.writer import Writer

ENTRY_POINTS = "touchstone.writers"
MODULES = ("formality", "edits", "prompting", "fine_tuned", "external")
"""Modules of this package that define writers, in the order in which lists show them."""


class UnknownWriter(LookupError):
    """No writer of this name; the message lists those there are."""


def writers() -> dict[str, type[Writer]]:
    """Return every writer by its key. Of two with one key the first is kept: see `faults`."""
    return _known().by_key


def writer_class(key: str) -> type[Writer]:
    """Return the writer of a key.

    Raises
    ------
    UnknownWriter
        If there is none.
    """
    try:
        return writers()[key]
    except KeyError:
        raise UnknownWriter(f"no writer {key!r}; there are {', '.join(writers())}") from None


def faults() -> list[str]:
    """Return, in words, which entry points could not be taken, and why."""
    return _known().faults


@cache
def _known() -> Known[type[Writer]]:
    own = own_classes("metrics.writers", MODULES, "WRITERS")
    return known_classes(Writer, "writer", own, ENTRY_POINTS)
