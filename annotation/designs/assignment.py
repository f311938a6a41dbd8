"""Which annotator rates which item: four designs of k ratings per item."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from operator import add
from typing import overload

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows, spreading

# Streams of one seed, so that the order of an annotator does not depend on the assignment.
_ASSIGNMENT, _ORDER = 1, 2


class DesignError(ValueError):
    """A design that cannot be made from these numbers; the message says what would do."""


@dataclass(frozen=True)
class Plan:
    """Who rates what.

    Parameters
    ----------
    dealt
        Per annotator the rows of the items, not in the order in which they are to be seen.
    queued
        For the shared queue: all rows, not in the order in which they are handed out; else empty.
    order
        Yields the places, among the rows of an annotator, who is known by number, or of the queue,
        in order. A preview needs the first of them alone, and this takes longest.
    """

    dealt: tuple[Rows, ...]
    queued: Rows
    order: Callable[[int, Rows], Iterator[int]]

    @property
    def lists(self) -> "Lists":
        """Per annotator the rows of the items, in the order in which they are to be seen."""
        return Lists(self)

    @cached_property
    def queue(self) -> Rows:
        """For the shared queue: all rows in the order in which they are handed out; else empty."""
        return self.ordered(0, self.queued)

    @property
    def first_list(self) -> Rows:
        """The rows of the first annotator, or of the shared queue, not in order."""
        return self.dealt[0] if self.dealt else self.queued

    def first_at(self, place: int) -> int:
        """Return the row that the first annotator sees at a place of their list, or the queue."""
        rows = self.first_list
        return int(rows[next(islice(self.order(0, rows), place, None))])

    def ordered(self, person: int, rows: Rows) -> Rows:
        """Put the rows of an annotator, or of the queue, in order."""
        return rows[np.fromiter(self.order(person, rows), np.intp, rows.size)]


class Lists(Sequence[Rows]):
    """The lists of a plan, each of which is put in order when it is asked for."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def __len__(self) -> int:
        return len(self._plan.dealt)

    @overload
    def __getitem__(self, place: int) -> Rows: ...

    @overload
    def __getitem__(self, place: slice) -> list[Rows]: ...

    def __getitem__(self, place: int | slice) -> Rows | list[Rows]:
        found = range(len(self))[place]
        if isinstance(found, range):
            return [self[person] for person in found]
        return self._plan.ordered(found, self._plan.dealt[found])


def fixed_batches(
    segments: Rows,
    systems: Rows,
    annotators: int,
    k: int,
    seed: int,
    sets: int | None = None,
    batch_of: Rows | None = None,
) -> Plan:
    """Split the segments in sets; each annotator of a set rates every output of its segments.

    Parameters
    ----------
    segments, systems : n integers
    annotators, k : int
        Each set has `k` annotators. Sets are dealt out in turn, so that loads differ by one set
        at most.
    sets : int, optional
        As many as give each annotator one set (annotators // k) unless said.
    batch_of : n integers, optional
        The set of each item where the sets are given, numbered from 0; else they are drawn.

    Raises
    ------
    DesignError
        If there are fewer annotators than `k`, more sets than segments, or more annotators than
        there is work for.
    """
    _enough_annotators(annotators, k)
    found = np.unique(segments)
    if batch_of is not None:
        sets = int(batch_of.max()) + 1
    sets = sets or max(annotators // k, 1)
    if sets > found.size:
        raise DesignError(f"{sets} sets of {found.size} segments; at most {found.size} sets")
    if annotators > sets * k:
        raise DesignError(
            f"{sets} sets with {k} annotators each are for {sets * k} annotators, "
            f"not {annotators}; the others would have nothing to do"
        )
    if batch_of is None:
        random = np.random.default_rng([seed, _ASSIGNMENT])
        parts = np.array_split(random.permutation(found), sets)
        rows_of = [np.flatnonzero(np.isin(segments, part)) for part in parts]
    else:
        rows_of = [np.flatnonzero(batch_of == batch) for batch in range(sets)]
    chosen: list[list[Rows]] = [[] for _ in range(annotators)]
    for place in range(sets * k):
        chosen[place % annotators].append(rows_of[place // k])
    return _ordered([np.concatenate(rows) for rows in chosen], segments, systems, seed)


def balanced_overlap(segments: Rows, systems: Rows, annotators: int, k: int, seed: int) -> Plan:
    """Give each item `k` random annotators, with equal loads and evenly mixed pairs.

    Loads differ by one at most: an item goes to those with the least to do; among these to those
    who met each other least, then at random.

    Raises
    ------
    DesignError
        If there are fewer annotators than `k`.
    """
    _enough_annotators(annotators, k)
    return _ordered(_dealt_out(segments.size, annotators, k, seed), segments, systems, seed)


@lru_cache(maxsize=4)
def _dealt_out(count: int, annotators: int, k: int, seed: int) -> tuple[Rows, ...]:
    """Return the rows of each annotator, in the order in which they were dealt out.

    Kept, as form, preview and start of a campaign ask for the same, one after the other.
    """
    random = np.random.default_rng([seed, _ASSIGNMENT])
    rows = random.permutation(count)
    people = np.fromiter(_teams(random, count, annotators, k), np.intp, count * k)
    dealt = rows[np.argsort(people, kind="stable") // k]
    dealt.setflags(write=False)
    ends = np.cumsum(np.bincount(people, minlength=annotators))
    return tuple(np.split(dealt, ends[:-1]))


def _teams(random: np.random.Generator, count: int, annotators: int, k: int) -> Iterator[int]:
    """Choose `k` annotators for each of `count` items: by load, then meetings, then chance.

    Loads differ by one at most, so that it is enough to know who has the least to do.
    """
    met = [[0] * annotators for _ in range(annotators)]
    least: set[int] = set()
    for by_chance in _by_chance(random, count, annotators, k):
        team: list[int] = []
        waiting: list[int] = []
        for order in by_chance:
            if not least:
                # Everybody has as much to do now; the team has this item and waits for the next.
                waiting = team.copy()
                least = set(range(annotators)).difference(team)
            free = filter(least.__contains__, order)
            if team:
                meetings = met[team[0]]
                for person in team[1:]:
                    meetings = list(map(add, meetings, met[person]))
                # The first of those who met the team least.
                team.append(min(free, key=meetings.__getitem__))
            else:
                team.append(next(free))
            least.remove(team[-1])
        least.update(waiting)
        for person in team:
            row = met[person]
            for other in team:
                row[other] += 1
        yield from team


def _by_chance(
    random: np.random.Generator, count: int, annotators: int, k: int
) -> Iterator[list[list[int]]]:
    """Yield for each item all annotators in random order, `k` times."""
    # So few at a time that Python does not look for garbage among them.
    at_once = max(1, 10_000 // (annotators * k))
    for start in range(0, count, at_once):
        drawn = random.random((min(at_once, count - start), k, annotators))
        yield from drawn.argsort(axis=-1, kind="stable").tolist()


def latin_square(segments: Rows, systems: Rows, annotators: int, k: int, seed: int) -> Plan:
    """Let each annotator see each segment once, the systems rotated over annotators.

    Every block of as many annotators as there are systems rates each item once; `k` blocks give
    `k` ratings.

    Raises
    ------
    DesignError
        If a segment lacks a system or has one twice, or the annotators are not `k` for each
        system.
    """
    names = np.unique(systems)
    found, place = np.unique(segments, return_inverse=True)
    table = np.full((found.size, names.size), -1, np.intp)
    table[place, np.searchsorted(names, systems)] = np.arange(segments.size)
    if segments.size != table.size or (table < 0).any():
        raise DesignError("a Latin square needs one output of every system for every segment")
    if annotators != k * names.size:
        raise DesignError(
            f"a Latin square of {names.size} systems with {k} ratings per item needs "
            f"{k * names.size} annotators, not {annotators}"
        )
    random = np.random.default_rng([seed, _ASSIGNMENT])
    chosen: list[Rows] = []
    for _ in range(k):
        # Balanced rotations: each starts for equally many segments, so that everybody meets
        # each system equally often, give or take one.
        start = random.permutation(np.arange(found.size) % names.size)
        turned = random.permutation(names.size)
        chosen += [
            table[np.arange(found.size), turned[(start + person) % names.size]]
            for person in range(names.size)
        ]
    return _ordered(chosen, segments, systems, seed)


def shared_queue(
    segments: Rows, systems: Rows, annotators: int, k: int, seed: int, *, in_rounds: bool = False
) -> Plan:
    """Hand out the least-rated item next; nothing is assigned beforehand.

    Parameters
    ----------
    segments, systems : n integers
    annotators, k, seed : int
    in_rounds : bool
        Whether some segments come after the others, as where a campaign may stop early.

    Raises
    ------
    DesignError
        If there are fewer annotators than `k`: nobody rates an item twice.
    """
    _enough_annotators(annotators, k)
    if in_rounds:
        from annotation.designs.segments import queue_in_rounds

        ordered = queue_in_rounds(segments, systems, [seed, _ORDER], seed)
        return Plan((), np.arange(segments.size), lambda person, rows: iter(ordered.tolist()))
    rows = np.arange(segments.size)
    return Plan((), rows, lambda person, rows: spreading(segments, systems, [seed, _ORDER]))


DESIGNS: dict[str, Callable[..., Plan]] = {
    "fixed_batches": fixed_batches,
    "balanced_overlap": balanced_overlap,
    "latin_square": latin_square,
    "shared_queue": shared_queue,
}


def _enough_annotators(annotators: int, k: int) -> None:
    if k < 1:
        raise DesignError(f"{k} ratings per item; at least 1")
    if annotators < k:
        raise DesignError(
            f"{k} ratings per item need at least {k} annotators, not {annotators}: "
            "nobody rates an item twice"
        )


def _ordered(chosen: Sequence[NDArray[np.intp]], segments: Rows, systems: Rows, seed: int) -> Plan:
    def order(person: int, rows: Rows) -> Iterator[int]:
        return spreading(segments[rows], systems[rows], [seed, _ORDER, person])

    return Plan(tuple(chosen), np.empty(0, np.intp), order)
