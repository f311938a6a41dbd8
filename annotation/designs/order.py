"""The order in which one annotator sees items, and on which side a text stands."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.intp]
SIDES = 5
"""The stream of a campaign's seed from which an annotator's sides are drawn."""


def spread(
    segments: Sequence[int] | Rows, systems: Sequence[int] | Rows, seed: Sequence[int]
) -> Rows:
    """Put items in a random order that keeps the same source apart and mixes the systems.

    Parameters
    ----------
    segments, systems : n integers
        The segment and the system of each item.
    seed : integers
        For example the campaign's seed and the annotator's number; the same gives the same order.

    Returns
    -------
    n row numbers
        No two neighbours share a segment unless one segment has more than half of the items
        (rounded up), where it cannot be helped. The source is met again as late as possible:
        everybody's first item comes before anybody's second. Within that, the system that
        lags behind its share most comes next.

    Notes
    -----
    A greedy schedule: the segment with most items left goes first, as in scheduling tasks with a
    cool-down of one, which reaches a schedule without neighbours whenever there is one.

    Examples
    --------
    >>> order = spread([0, 0, 1, 1], [0, 1, 0, 1], seed=[7])
    >>> sorted(order.tolist())
    [0, 1, 2, 3]
    """
    return np.fromiter(spreading(segments, systems, seed), np.intp, len(segments))


def spreading(
    segments: Sequence[int] | Rows, systems: Sequence[int] | Rows, seed: Sequence[int]
) -> Iterator[int]:
    """Yield the row numbers of `spread`: who needs the first few does not wait for the others."""
    segment_of, system_of = np.asarray(segments, np.intp), np.asarray(systems, np.intp)
    random = np.random.default_rng(list(seed))
    names, counts = np.unique(system_of, return_counts=True)
    # Plain numbers: those of NumPy take much longer one at a time.
    segment_list, system_list = segment_of.tolist(), system_of.tolist()
    left: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for row in random.permutation(segment_of.size).tolist():
        left[segment_list[row]][system_list[row]].append(row)
    queue = _Queue(left, dict(zip(names.tolist(), counts.tolist(), strict=True)))
    last = -1
    for _ in range(segment_of.size):
        row = queue.take(last)
        yield row
        last = segment_list[row]


class _Queue:
    """Segments by how many items they have left, and in each such level by system."""

    def __init__(self, left: dict[int, dict[int, list[int]]], shares: dict[int, int]) -> None:
        self.left = left
        self.shares = shares
        self.used = dict.fromkeys(shares, 0)
        self.lag = {system: 0.5 / share for system, share in shares.items()}
        self.count = {segment: sum(map(len, items.values())) for segment, items in left.items()}
        # Entries are not removed when they cease to hold; `_candidate` drops them when met.
        self.levels: dict[int, dict[int, deque[int]]] = defaultdict(lambda: defaultdict(deque))
        self.top = max(self.count.values(), default=0)
        for segment in left:
            self._enter(segment)

    def take(self, last: int) -> int:
        """Take the next item, not of segment `last` where there is another."""
        for level in range(self.top, 0, -1):
            if level not in self.levels:
                continue
            if (found := self._best(level, last)) is not None:
                return self._remove(*found)
            if not any(self.levels[level].values()):
                del self.levels[level]
                # Segments have ever fewer items left: nothing comes to a level above all others.
                self.top = max(self.levels, default=0)
        system = next(system for system, rows in self.left[last].items() if rows)
        return self._remove(last, system)

    def _best(self, level: int, last: int) -> tuple[int, int] | None:
        """Return a segment of this level and its system that lags behind most."""
        systems = self.levels[level]
        most = min(systems, key=self.lag.__getitem__)
        if (segment := self._candidate(level, most, last)) is not None:
            return segment, most
        for system in sorted(systems, key=self.lag.__getitem__):
            if system != most and (segment := self._candidate(level, system, last)) is not None:
                return segment, system
        return None

    def _candidate(self, level: int, system: int, last: int) -> int | None:
        entries = self.levels[level][system]
        kept_back = False
        found = None
        while entries and found is None:
            segment = entries.popleft()
            if self.count[segment] != level or not self.left[segment][system]:
                continue
            if segment == last:
                kept_back = True
            else:
                found = segment
        if kept_back:
            entries.appendleft(last)
        return found

    def _remove(self, segment: int, system: int) -> int:
        row = self.left[segment][system].pop()
        self.used[system] += 1
        self.lag[system] = (self.used[system] + 0.5) / self.shares[system]
        self.count[segment] -= 1
        self._enter(segment)
        return row

    def _enter(self, segment: int) -> None:
        if level := self.count[segment]:
            entries = self.levels[level]
            for system, rows in self.left[segment].items():
                if rows:
                    entries[system].append(segment)


def sides(count: int, seed: Sequence[int]) -> NDArray[np.bool_]:
    """Say for each of an annotator's pairs whether the first text stands on side B.

    Pairs of positions get one of each, in random order: whenever the annotator stops, A and B
    were used equally often, give or take one.

    Examples
    --------
    >>> int(sides(10, seed=[3]).sum())
    5
    """
    random = np.random.default_rng(list(seed))
    heads = random.integers(0, 2, size=(count + 1) // 2, dtype=np.int8).astype(bool)
    return np.column_stack((heads, ~heads)).ravel()[:count]


def sides_with_controls(control: NDArray[np.bool_], seed: Sequence[int]) -> NDArray[np.bool_]:
    """Say the same for a list with controls in it: items and controls are balanced each apart.

    Otherwise what counts as a rating could stand on one side more often than on the other.

    Examples
    --------
    >>> control = np.array([False, False, True, False, False, True])
    >>> swapped = sides_with_controls(control, seed=[3])
    >>> int(swapped[control].sum()), int(swapped[~control].sum())
    (1, 2)
    """
    swapped = np.empty(control.size, bool)
    swapped[~control] = sides(int((~control).sum()), seed)
    swapped[control] = sides(int(control.sum()), [*seed, 1])
    return swapped
