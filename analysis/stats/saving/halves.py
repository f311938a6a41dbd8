"""Two halves of the ratings of each output, so that one may choose and the other judge."""

from __future__ import annotations

import numpy as np

from analysis.stats.arrays import FloatArray


def halves_of_ratings(ratings: FloatArray, seed: int = 0) -> tuple[FloatArray, FloatArray]:
    """Return the mean of a random half of each output's ratings, and of the other half.

    Parameters
    ----------
    ratings : ndarray, shape (segments, systems, raters)
        NaN where there is none. Of an odd number, the second half has one more.
    seed : int

    Returns
    -------
    tuple of ndarray, shape (segments, systems)
        NaN where an output has fewer than two ratings.

    Examples
    --------
    >>> first, second = halves_of_ratings(np.array([[[1.0, 5.0], [2.0, np.nan]]]))
    >>> float(first[0, 0] + second[0, 0]), bool(np.isnan(first[0, 1]))
    (6.0, True)
    """
    there = np.isfinite(ratings)
    keys = np.where(there, np.random.default_rng(seed).random(ratings.shape), np.inf)
    ranks = keys.argsort(axis=2).argsort(axis=2)
    counts = there.sum(axis=2, keepdims=True)
    first = there & (ranks < counts // 2)
    both = counts[:, :, 0] > 1
    filled = np.where(there, ratings, 0.0)
    found = []
    for half in (first, there & ~first):
        sums, sizes = (filled * half).sum(axis=2), half.sum(axis=2)
        found.append(np.where(both, sums / np.maximum(sizes, 1), np.nan))
    return found[0], found[1]
