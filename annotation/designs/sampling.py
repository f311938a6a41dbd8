"""A random sample of segments in which every stratum has its share."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows

_SAMPLE = 4
"""The stream of a campaign's seed from which its segments are drawn."""


def stratified_sample(strata: Sequence[Hashable], size: int, seed: int) -> Rows:
    """Draw rows without replacement, from each stratum in proportion to its size.

    Parameters
    ----------
    strata : sequence of n labels
        The stratum of each row.
    size : int
        How many rows are drawn; all where there are not more.
    seed : int

    Returns
    -------
    sorted integers
        The rows that were drawn. Within a stratum each row is equally likely. The number drawn
        from a stratum differs from its exact share by less than one; who gets the rows that are
        left after rounding down is decided by the largest remainder, among equal ones by chance.

    References
    ----------
    Cochran, W. G. (1977). Sampling Techniques, 3rd edition, chapter 5 (proportional allocation).

    Examples
    --------
    >>> stratified_sample(["a", "a", "a", "b", "b", "b"], 2, seed=1).tolist()
    [1, 5]
    """
    if size >= len(strata):
        return np.arange(len(strata))
    random = np.random.default_rng([seed, _SAMPLE])
    numbers = {stratum: number for number, stratum in enumerate(dict.fromkeys(strata))}
    of_row = np.array([numbers[stratum] for stratum in strata], np.intp)
    counts = _allocated(np.bincount(of_row), size, random)
    drawn = [
        random.choice(np.flatnonzero(of_row == number), count, replace=False)
        for number, count in enumerate(counts)
    ]
    return np.sort(np.concatenate(drawn))


def _allocated(sizes: NDArray[np.intp], size: int, random: np.random.Generator) -> NDArray[np.intp]:
    """Share a sample out over strata in proportion to their sizes."""
    # In whole numbers, so that equal remainders are equal.
    counts, remainders = np.divmod(sizes * size, sizes.sum())
    left = size - int(counts.sum())
    by_remainder = np.lexsort((random.random(len(sizes)), -remainders))
    counts[by_remainder[:left]] += 1
    return counts
