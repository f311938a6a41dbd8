"""The order of outputs that follows from what they are, not from how they came in.

A study gives the same numbers wherever it is: what is hashed or resampled is in this order, which
an archive keeps. Only the order of ratings is that in which they were given, since some statistics
depend on it; an archive keeps that too.
"""

from hashlib import sha256

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


def is_kept(order: Integers) -> bool:
    """Whether outputs are stored in their natural order."""
    return bool((order == np.arange(len(order))).all())


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
