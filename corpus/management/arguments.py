"""What commands share: arguments, and a line that shows progress."""

import shutil
from collections.abc import Iterable

from django.core.management.base import CommandError, OutputWrapper

from corpus.models import Study


def study_named(slug: str) -> Study:
    """Return the study of this slug.

    Raises
    ------
    CommandError
        If there is none; the message lists those that there are.
    """
    study = Study.objects.filter(slug=slug).first()
    if study is None:
        known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"no study {slug!r}; there are: {known}")
    return study


def named_values(option: str, given: Iterable[str]) -> dict[str, str]:
    """Return values that were given as NAME=VALUE, by their names; `CommandError` for others."""
    found = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise CommandError(f"{option} {each}: expected NAME=VALUE")
        found[name] = value
    return found


class ProgressLine:
    """A line of a terminal that is written over; a log gets nothing.

    Parameters
    ----------
    stream
        The command's standard error.
    """

    def __init__(self, stream: OutputWrapper) -> None:
        self._stream = stream

    def report(self, message: str, done: int, total: int) -> None:
        """Show how far the command is; a `ProgressCallback`."""
        count = f" {done:,} of {total:,}" if total else f" {done:,}" if done else ""
        self._write(f"{message}{count}"[: shutil.get_terminal_size().columns - 1])

    def clear(self) -> None:
        """Make room for a line that stays."""
        self._write("")

    def _write(self, line: str) -> None:
        if self._stream.isatty():
            self._stream.write(f"\r\x1b[K{line}", ending="")
