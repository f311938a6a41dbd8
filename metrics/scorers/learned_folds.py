"""Folds of segments and systems by hashes of their names: the same wherever they are computed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

SEGMENT_FOLDS = 5
MOST_SYSTEM_FOLDS = 5


def segment_fold(key: str, seed: int) -> int:
    """Return the fold of a segment.

    Examples
    --------
    >>> [segment_fold(key, 1) for key in ("s1", "s2", "s3")]
    [1, 1, 2]
    """
    return _number(key, seed) % SEGMENT_FOLDS


def system_folds(names: Iterable[str], seed: int) -> dict[str, int]:
    """Return the fold of each system, so that folds are of equal size or differ by one.

    Examples
    --------
    >>> sorted(system_folds("abcdef", 1).values())
    [0, 0, 1, 2, 3, 4]
    """
    ordered = sorted(names, key=lambda name: (_number(name, seed), name))
    folds = max(1, min(MOST_SYSTEM_FOLDS, len(ordered)))
    return {name: place % folds for place, name in enumerate(ordered)}


def _number(name: str, seed: int) -> int:
    return int.from_bytes(sha256(f"{seed}\n{name}".encode()).digest()[:8], "big")
