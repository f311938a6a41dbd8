"""Values that are kept in memory while they are used."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any, Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class RecentlyUsed(Generic[Key, Value]):
    """Values by their keys, of which those that were used longest ago go first.

    Parameters
    ----------
    most
        What all may take together.
    size
        What one takes; by default values are counted.
    """

    def __init__(self, most: int, size: Callable[[Any, Any], int] = lambda key, value: 1) -> None:
        self.most = most
        self._size, self._used = size, 0
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        # Pages and a run may ask from several threads.
        self._lock = Lock()

    def found(self, keys: Iterable[Key]) -> dict[Key, Value]:
        """Return the values that are kept of some keys."""
        with self._lock:
            kept = {key: self._kept[key] for key in keys if key in self._kept}
            for key in kept:
                self._kept.move_to_end(key)
        return kept

    def keep(self, values: Mapping[Key, Value]) -> None:
        """Keep values; arrays should share no memory with larger ones."""
        with self._lock:
            for key, value in values.items():
                if key in self._kept:
                    self._used -= self._size(key, self._kept.pop(key))
                self._kept[key] = value
                self._used += self._size(key, value)
            while self._used > self.most:
                self._used -= self._size(*self._kept.popitem(last=False))
