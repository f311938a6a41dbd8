"""Which writers there are: ours, and those that other packages bring by an entry point.

Modules of writers import nothing heavy at their top, so listing writers is quick.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from metrics.writers.writer import Writer

ENTRY_POINTS = "touchstone.writers"
MODULES = ("formality", "edits", "prompting", "fine_tuned", "external")
"""Modules of this package that define writers, in the order in which lists show them."""


class UnknownWriter(LookupError):
    """No writer of this name; the message lists those there are."""


@cache
def writers() -> dict[str, type[Writer]]:
    """Return every writer by its key. Of two with one key the first is kept: see `faults`."""
    found: dict[str, type[Writer]] = {}
    for writer, _ in _all():
        found.setdefault(writer.spec.key, writer)
    return found


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
    loaded = [_loaded(point) for point in entry_points(group=ENTRY_POINTS)]
    words, owners = [each for each in loaded if isinstance(each, str)], dict[str, str]()
    for writer, owner in _all():
        if owners.setdefault(writer.spec.key, owner) != owner:
            words.append(
                f"{owner} brings a writer {writer.spec.key!r}, "
                f"which {owners[writer.spec.key]} has already; it is left out"
            )
    return words


@cache
def _all() -> tuple[tuple[type[Writer], str], ...]:
    """Return writers with what brought them."""
    modules = [import_module(f"metrics.writers.{name}") for name in MODULES]
    found = [(writer, writer.__module__) for module in modules for writer in module.WRITERS]
    for point in entry_points(group=ENTRY_POINTS):
        loaded = _loaded(point)
        if isinstance(loaded, type):
            found.append((loaded, point.value))
    return tuple(found)


def _loaded(point: EntryPoint) -> type[Writer] | str:
    try:
        writer = point.load()
    except Exception as error:  # Whatever a third party's module raises.
        return f"writer {point.name!r} of {point.value} does not load: {error!r}"
    if not (isinstance(writer, type) and issubclass(writer, Writer)):
        return f"writer {point.name!r} of {point.value} is no Writer"
    return writer
