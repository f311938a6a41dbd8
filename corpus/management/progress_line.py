"""How far a command is, on one line of a terminal."""

from __future__ import annotations

import shutil

from django.core.management.base import OutputWrapper


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
