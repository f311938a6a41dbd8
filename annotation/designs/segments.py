"""Which segments are rated: a stratified random sample, and rounds of the shared queue.

A campaign that may stop opens some segments at a time: with all of them open at once, hardly one
would have all of its ratings before the last is rated. In rounds, the first segments are complete
early, and after each round it can be decided which systems the next one still needs. Segments come
in an order that is sampled beforehand, which no rating changes: a confidence sequence rests on it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows, spread

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


SEGMENTS = 10
"""Segments of a round: enough to keep outputs of one source apart."""
_ORDER = 6


def segments_in_order(segments: Sequence[int] | Rows, seed: int) -> Rows:
    """Return the different segments in the order in which they are rated.

    Examples
    --------
    >>> sorted(segments_in_order([4, 4, 7, 9], seed=1).tolist())
    [4, 7, 9]
    """
    different = np.unique(np.asarray(segments, np.intp))
    return np.random.default_rng([seed, _ORDER]).permutation(different)


def rounds_of(segments: Rows, seed: int) -> NDArray[np.intp]:
    """Return the round of each item, from 0."""
    ordered = segments_in_order(segments, seed)
    by_key = np.argsort(ordered)
    place = by_key[np.searchsorted(ordered[by_key], segments)]
    return np.asarray(place // SEGMENTS, np.intp)


def queue_in_rounds(segments: Rows, systems: Rows, seed: Sequence[int], first: int) -> Rows:
    """Return the rows of all items, round after round; within one, sources are kept apart.

    Parameters
    ----------
    segments, systems
        Of each item.
    seed
        Mixes the items of a round.
    first
        The campaign's seed, which orders the segments.
    """
    number = rounds_of(segments, first)
    parts = [np.empty(0, np.intp)]
    by_round = np.argsort(number, kind="stable")
    ends = np.cumsum(np.bincount(number))
    for each, rows in enumerate(np.split(by_round, ends[:-1])):
        parts.append(rows[spread(segments[rows], systems[rows], [*seed, each])])
    return np.concatenate(parts)


@dataclass(frozen=True)
class Rounds:
    """Places in a queue of rounds, each of which has as many numbers for its items.

    Parameters
    ----------
    number
        The round of each item, from 0.
    places
        Of each item, from 1.
    width
        How many numbers each round has.
    """

    number: NDArray[np.intp]
    places: NDArray[np.intp]
    width: int

    @property
    def count(self) -> int:
        """How many rounds there are."""
        return int(self.number.max()) + 1

    @property
    def at_start(self) -> dict[str, int]:
        """What a campaign keeps of its rounds when it starts: the first is open."""
        return {"rounds": self.count, "width": self.width, "open": 1}


def laid_out(segments: Rows, queue: Rows, seed: int) -> Rounds:
    """Number the items of a queue so that the numbers of a round stand together.

    Parameters
    ----------
    segments
        Of each item.
    queue
        Rows of all items, round after round.
    seed
        The campaign's seed.
    """
    number = rounds_of(segments, seed)
    sizes = np.bincount(number)
    width = int(sizes.max())
    of_place = number[queue]
    begins = np.cumsum(sizes) - sizes
    places = np.empty(queue.size, np.intp)
    places[queue] = of_place * width + np.arange(queue.size) - begins[of_place] + 1
    return Rounds(number, places, width)
