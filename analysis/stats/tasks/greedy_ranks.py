"""Ranks of significance, as the WMT metrics tasks give them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import as_vector


def greedy_ranks(
    values: npt.ArrayLike, p_values: npt.ArrayLike, *, level: float = 0.05
) -> list[int]:
    """Return the rank of each entry: 1 for the best cluster, then 2, ….

    Entries are visited from the highest value down. Each takes the rank of the one before it,
    unless some entry that has this rank already is significantly better: then the next rank begins
    with it (Freitag et al. 2022, 2023). So no two entries of one rank differ significantly. Two of
    different ranks may not differ significantly either.

    Parameters
    ----------
    values : array_like, shape (n,)
        NaN, undefined, has rank 0 and is not compared.
    p_values : array_like, shape (n, n)
        Entry i, j: how likely i would be so much better than j by chance. NaN where unknown.
    level : float

    Examples
    --------
    >>> p = [[1, 0.2, 0.01], [0.8, 1, 0.3], [0.99, 0.7, 1]]
    >>> greedy_ranks([0.9, 0.8, 0.7], p)
    [1, 1, 2]
    """
    scores = as_vector(values)
    chances = np.asarray(p_values, dtype=np.float64)
    ranks, rank = [0] * scores.size, 1
    with_this: list[int] = []
    for entry in np.argsort(-scores, kind="stable").tolist():
        if np.isnan(scores[entry]):
            continue
        if any(chances[other, entry] <= level for other in with_this):
            rank, with_this = rank + 1, []
        with_this.append(entry)
        ranks[entry] = rank
    return ranks
