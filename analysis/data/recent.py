"""What was computed a moment ago, for whoever asks for the same again."""

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

KEPT = 2
"""Results that stay: in a very large study each takes some ten megabytes."""
V = TypeVar("V")


class Recent:
    """The results that were asked for last, by what they answer."""

    def __init__(self) -> None:
        self._results: dict[Hashable, Any] = {}

    def get(self, asked: Hashable, compute: Callable[[], V]) -> V:
        """Return a result, computed if it is not among the last."""
        # Threads that ask at once may both compute: they store the same.
        result: V = self._results.pop(asked) if asked in self._results else compute()
        self._results[asked] = result
        for oldest in list(self._results)[:-KEPT]:
            self._results.pop(oldest, None)
        return result
