"""The arrays that studies are read into, their order, and what was lately computed of them."""

from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from metrics.runs.packed_scores import pack

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


_digests: dict[tuple[int, str, bytes], str] = {}
DIGESTS_KEPT = 2000


def order_of_outputs(
    segments: Integers, systems: Integers, variants: Integers, *, is_system: NDArray[np.bool_]
) -> Integers:
    """Return the ordinals of outputs in their natural order, as an archive lists them.

    Sources and references come first, segment by segment; then the outputs system by system.

    Parameters
    ----------
    segments, systems
        Place of each output's segment and system in the study.
    variants
        Which of several texts of a system for one segment.
    is_system
        Whether it is the output of a system: no source and no reference.
    """
    outer = np.where(is_system, systems, segments)
    inner = np.where(is_system, segments, systems)
    return np.lexsort((variants, inner, outer, is_system)).astype(np.int64)


def digest_in_order(run: int, content_sha256: str, scores: Floats, order_sha256: bytes) -> str:
    """Return the hash that a run would have if outputs were stored in their natural order.

    Parameters
    ----------
    run, content_sha256
        A run and the hash of its scores as they are stored: those are hashed once in a process.
    scores
        Outputs × fields in their natural order.
    order_sha256
        Hash of the stored ordinals in their natural order.
    """
    key = (run, content_sha256, order_sha256)
    if key not in _digests:
        while len(_digests) >= DIGESTS_KEPT:
            _digests.pop(next(iter(_digests)))
        _digests[key] = sha256(pack(scores)).hexdigest()
    return _digests[key]


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
