"""Rounds of the shared queue of a campaign that may stop: some segments at a time, at random.

With all segments open at once, hardly one would have all of its ratings before the last is rated.
In rounds, the first segments are complete early, and after each round it can be decided which
systems the next one still needs. Segments come in an order that is drawn beforehand, which no
rating changes: that is what a confidence sequence rests on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows, spread

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
