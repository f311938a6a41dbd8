"""Which annotator rates which item: four designs of k ratings per item."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.designs.order import Rows, spread

# Streams of one seed, so that the order of an annotator does not depend on the assignment.
_ASSIGNMENT, _ORDER = 1, 2


class DesignError(ValueError):
    """A design that cannot be made from these numbers; the message says what would do."""


@dataclass(frozen=True)
class Plan:
    """Who rates what.

    Parameters
    ----------
    lists
        Per annotator the rows of the items, in the order in which they are to be seen.
    queue
        For the shared queue: all rows in the order in which they are handed out; else empty.
    """

    lists: tuple[Rows, ...]
    queue: Rows


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
    random = np.random.default_rng([seed, _ASSIGNMENT])
    load = np.zeros(annotators, np.intp)
    met = np.zeros((annotators, annotators), np.intp)
    chosen: list[list[int]] = [[] for _ in range(annotators)]
    for row in random.permutation(segments.size):
        team: list[int] = []
        for _ in range(k):
            # One sort by load, then meetings, then chance; nobody twice.
            among = met[team].sum(axis=0)
            keys = np.lexsort((random.random(annotators), among, load))
            team.append(next(int(person) for person in keys if person not in team))
        for person in team:
            load[person] += 1
            met[person, team] += 1
            chosen[person].append(int(row))
    return _ordered([np.array(rows, np.intp) for rows in chosen], segments, systems, seed)


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


def shared_queue(segments: Rows, systems: Rows, annotators: int, k: int, seed: int) -> Plan:
    """Hand out the least-rated item next; nothing is assigned beforehand.

    Raises
    ------
    DesignError
        If there are fewer annotators than `k`: nobody rates an item twice.
    """
    _enough_annotators(annotators, k)
    return Plan((), spread(segments, systems, [seed, _ORDER]))


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
    lists = tuple(
        rows[spread(segments[rows], systems[rows], [seed, _ORDER, person])]
        for person, rows in enumerate(chosen)
    )
    return Plan(lists, np.empty(0, np.intp))
