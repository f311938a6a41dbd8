"""Vectors of texts that are kept for the next time, within a bound of memory."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock

import numpy as np
import numpy.typing as npt

_ENTRY = 200
"""Bytes that a dictionary's entry takes besides its text and its array."""


class VectorCache:
    """The vectors of the texts that were used last.

    Parameters
    ----------
    most_bytes
        What texts and arrays may take together; the least recently used go first.
    """

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.used_bytes = 0
        self._kept: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        # Pages and a run may ask the same encoder from several threads.
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def found(self, texts: Iterable[str]) -> dict[str, npt.NDArray[np.float32]]:
        """Return the vectors that are kept of some texts."""
        with self._lock:
            kept = {text: self._kept[text] for text in texts if text in self._kept}
            for text in kept:
                self._kept.move_to_end(text)
        return kept

    def keep(self, vectors: Mapping[str, npt.NDArray[np.float32]]) -> None:
        """Keep vectors, of arrays that share no memory with larger ones."""
        with self._lock:
            for text, vector in vectors.items():
                replaced = self._kept.pop(text, None)
                if replaced is not None:
                    self.used_bytes -= _size(text, replaced)
                self._kept[text] = vector
                self.used_bytes += _size(text, vector)
            while self.used_bytes > self.most_bytes:
                text, vector = self._kept.popitem(last=False)
                self.used_bytes -= _size(text, vector)


def _size(text: str, vector: npt.NDArray[np.float32]) -> int:
    return sys.getsizeof(text) + vector.nbytes + _ENTRY
