"""Weighted averages over tasks, with intervals, tests of every two entries, and ranks.

An entry is a metric, or a system. A column is a task, or several whose pairs are pooled. All
columns of one study see the same coins: what a coin of a segment swaps, it swaps in every
statistic of segments of that study, and so for systems.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray, as_vector
from analysis.stats.resampling.permutation import SLACK, holm, random_bytes


class Statistic(Protocol):
    """A statistic of several entries that can be swapped between them, and resampled."""

    @property
    def values(self) -> FloatArray: ...
    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray: ...
    def resampled(self, counts: FloatArray) -> FloatArray: ...


@dataclass(frozen=True, slots=True)
class Units:
    """The segments of a study, or its systems: what is swapped and resampled."""

    study: str
    level: str
    size: int


@dataclass(frozen=True)
class Part:
    """A statistic on one study.

    Parameters
    ----------
    statistic : Statistic
    entries : tuple of int
        What each of its entries is among all entries.
    units : Units
    taken : ndarray of int
        The units that the statistic reads, in its order.
    share : float
        Of the column; parts of a column are pooled by their shares.
    """

    statistic: Statistic
    entries: tuple[int, ...]
    units: Units
    taken: IntArray
    share: float = 1.0


@dataclass(frozen=True)
class Column:
    """One value for each entry, of one part or of several that are pooled.

    Parameters
    ----------
    parts : tuple of Part
    weight : float
        In the average.
    lowest : float
        Lowest possible value. With −1 a value r enters the average as (r + 1) / 2 where that is
        asked for.
    """

    parts: tuple[Part, ...]
    weight: float = 1.0
    lowest: float = 0.0

    @cached_property
    def entries(self) -> tuple[int, ...]:
        """Entries that all of its parts have, with a value."""
        found = [
            {
                entry
                for entry, value in zip(part.entries, part.statistic.values, strict=True)
                if np.isfinite(value)
            }
            for part in self.parts
        ]
        return tuple(sorted(set.intersection(*found))) if found else ()

    def places(self, part: Part) -> list[int]:
        """Return where the column's entries are among a part's."""
        there = {entry: place for place, entry in enumerate(part.entries)}
        return [there[entry] for entry in self.entries]


def pooled_values(column: Column, n_entries: int) -> FloatArray:
    """Return the value of each entry in a column, NaN where it has none."""
    found = np.full(n_entries, np.nan)
    if column.entries:
        found[list(column.entries)] = sum(
            part.share * part.statistic.values[column.places(part)] for part in column.parts
        )
    return found


class Averaging:
    """The columns, and how values of them become an average.

    Parameters
    ----------
    columns : sequence of Column
    n_entries : int
    unit_range : bool
        Whether values of columns that begin at −1 enter as (v + 1) / 2.
    """

    def __init__(self, columns: Sequence[Column], n_entries: int, unit_range: bool) -> None:
        self.columns, self.n_entries = columns, n_entries
        total = sum(column.weight for column in columns)
        halved = [column.lowest < 0 and unit_range for column in columns]
        self.factors = [
            column.weight / total * (0.5 if half else 1.0)
            for column, half in zip(columns, halved, strict=True)
        ]
        self.offset = sum(factor for factor, half in zip(self.factors, halved, strict=True) if half)
        everywhere = [set(column.entries) for column in columns]
        self.entries = sorted(set.intersection(*everywhere)) if everywhere else []
        self.units = {part.units for column in columns for part in column.parts}

    def with_average(self, by_column: Sequence[FloatArray]) -> list[FloatArray]:
        """Return values of columns (entries × …), and the average of them last."""
        average = np.full(by_column[0].shape, np.nan)
        parts = zip(self.factors, by_column, strict=True)
        average[self.entries] = self.offset + sum(
            factor * values[self.entries] for factor, values in parts
        )
        return [*by_column, average]


Correction = Literal["none", "holm"]
MOST_DIFFERENCES = 2_500_000
"""Differences (pairs × draws) that are held at once: 20 MB for each column."""


@dataclass(frozen=True)
class Compared:
    """Values of entries with what is known of their differences.

    Parameters
    ----------
    values, low, high : ndarray, shape (entries,)
        NaN where undefined.
    p_values : ndarray, shape (entries, entries)
        Entry i, j: the share of swaps in which i exceeds j by at least as much as seen,
        (c + 1) / (k + 1). NaN where one is undefined.
    adjusted : ndarray, shape (entries, entries)
        The p-values on which ranks rest: the same, or adjusted for the number of pairs.
    ranks : tuple of int
        By `greedy_ranks`; 0 where undefined.
    degenerate : ndarray of int, shape (entries,)
        Resamples without a value.
    """

    values: FloatArray
    low: FloatArray
    high: FloatArray
    p_values: FloatArray
    adjusted: FloatArray
    ranks: tuple[int, ...]
    degenerate: IntArray


def compare_over_tasks(
    columns: Sequence[Column],
    n_entries: int,
    *,
    unit_range: bool,
    correction: Correction = "none",
    draws: int = 1000,
    permutations: int | None = None,
    seed: int = 20190604,
    level: float = 0.05,
    confidence: float = 0.95,
) -> tuple[tuple[Compared, ...], Compared]:
    """Compare entries in each column, and by the weighted average of all columns.

    The average is Σ w·v / Σ w, of entries that have a value in every column; with `unit_range`
    values of columns that begin at −1 enter as (v + 1) / 2. Two entries change places on random
    units, in all columns at once, and each column and the average are computed anew: PERM-INPUT
    for statistics of segments and PERM-SYS for those of systems, of Deutsch, Dror and Roth (2021),
    one test for all tasks together. It is one-sided, as in the WMT metrics tasks. Intervals are
    percentiles over resampled units.

    Parameters
    ----------
    columns : sequence of Column
    n_entries : int
    unit_range : bool
    correction : {"none", "holm"}
        "none": ranks rest on the one-sided p-values as they are, as in the WMT metrics tasks.
        "holm": on two-sided ones, adjusted for the number of pairs of each column.
    draws, seed : int
        Of intervals, and of tests.
    permutations : int, optional
        Draws of tests; as many as of intervals without it.
    level : float
        p up to which a difference parts ranks.
    confidence : float

    Returns
    -------
    columns : tuple of Compared
    average : Compared
    """
    asked = Averaging(columns, n_entries, unit_range)
    values = asked.with_average([pooled_values(column, n_entries) for column in columns])
    permutations = permutations or draws
    counted = _count_extreme(asked, values, permutations, seed)
    drawn = _resampled(asked, draws, seed)
    found = []
    for place, own in enumerate(values):
        p_values = (counted[place] + 1) / (permutations + 1)
        p_values[~np.isfinite(own)] = np.nan
        p_values[:, ~np.isfinite(own)] = np.nan
        adjusted = p_values if correction == "none" else _by_holm(own, p_values)
        tail = 50 * (1 - confidence)
        low, high = _percentiles(drawn[place], own, tail)
        found.append(
            Compared(
                own,
                low,
                high,
                p_values,
                adjusted,
                tuple(greedy_ranks(own, adjusted, level=level)),
                np.asarray((~np.isfinite(drawn[place])).sum(axis=1)),
            )
        )
    return tuple(found[:-1]), found[-1]


def _by_holm(values: FloatArray, p_values: FloatArray) -> FloatArray:
    """Return two-sided p-values, adjusted, where the row is the higher one, and 1 elsewhere."""
    known = np.flatnonzero(np.isfinite(values))
    first, second = known[np.array(np.triu_indices(known.size, k=1))]
    smaller = np.minimum(p_values[first, second], p_values[second, first])
    found = np.full(p_values.shape, np.nan)
    found[np.ix_(known, known)] = 1.0
    is_first = values[first] > values[second]
    rows, columns = np.where(is_first, first, second), np.where(is_first, second, first)
    found[rows, columns] = holm(np.minimum(1.0, 2 * smaller))
    return found


def _count_extreme(
    asked: Averaging, values: Sequence[FloatArray], draws: int, seed: int
) -> list[FloatArray]:
    """Count, for each column and the average, swaps with a difference as large as seen (i × j)."""
    shape = (asked.n_entries, asked.n_entries)
    counted = [np.zeros(shape) for _ in values]
    pairs_of = [list(combinations(column.entries, 2)) for column in asked.columns]
    of_average = list(combinations(asked.entries, 2))
    places = [{pair: place for place, pair in enumerate(pairs)} for pairs in pairs_of]
    rows = [np.array([place[pair] for pair in of_average], dtype=np.int64) for place in places]
    widest = max([1, *map(len, pairs_of)])
    for bits in _coins(asked.units, draws, seed, MOST_DIFFERENCES // widest):
        total: FloatArray | float = 0.0
        for place, column in enumerate(asked.columns):
            if not pairs_of[place]:
                continue
            drawn = _resampled_differences(column, pairs_of[place], bits)
            _add_extreme(counted[place], values[place], pairs_of[place], drawn)
            if of_average:
                total = total + asked.factors[place] * drawn[rows[place]]
        if of_average:
            _add_extreme(counted[-1], values[-1], of_average, np.asarray(total))
    return counted


def _resampled_differences(
    column: Column, pairs: Sequence[tuple[int, int]], bits: dict[Units, FloatArray]
) -> FloatArray:
    total: FloatArray | float = 0.0
    for part in column.parts:
        there = {entry: place for place, entry in enumerate(part.entries)}
        mine = [(there[first], there[second]) for first, second in pairs]
        found = part.statistic.differences(mine, bits[part.units][part.taken])
        total = total + part.share * found
    return np.asarray(total)


def _add_extreme(
    counted: FloatArray, values: FloatArray, pairs: Sequence[tuple[int, int]], drawn: FloatArray
) -> None:
    """Add the draws in which first exceeds second as seen, and second first as seen.

    A draw without a value counts as extreme: the p-value is not made smaller by it.
    """
    first, second = np.array(pairs).T
    seen = (values[first] - values[second])[:, None]
    slack = SLACK * np.maximum(1.0, np.abs(seen))
    counted[first, second] += (~(drawn < seen - slack)).sum(axis=1)
    counted[second, first] += (~(drawn > seen + slack)).sum(axis=1)


def _coins(
    units: set[Units], draws: int, seed: int, most: int
) -> Iterator[dict[Units, FloatArray]]:
    """Yield coins of all units in blocks of draws (units × draws)."""
    ordered = sorted(units, key=lambda each: (each.study, each.level))
    generators = [np.random.default_rng([seed, place]) for place in range(len(ordered))]
    largest = max([1, *(each.size for each in ordered)])
    block = max(8, min(most, CELLS_IN_MEMORY // largest, draws) // 8 * 8)
    for start in range(0, draws, block):
        size = min(block, draws - start)
        shapes = [(each.size, -(-size // 8)) for each in ordered]
        yield {
            each: np.unpackbits(random_bytes(generator, shape), axis=1, count=size).astype(float)
            for each, generator, shape in zip(ordered, generators, shapes, strict=True)
        }


def _resampled(asked: Averaging, draws: int, seed: int) -> list[FloatArray]:
    """Return values of each column and of the average on resampled units (entries × draws)."""
    ordered = sorted(asked.units, key=lambda each: (each.study, each.level))
    # Another stream than that of the coins.
    generators = {each: [seed, place, 1] for place, each in enumerate(ordered)}
    by_column = []
    for column in asked.columns:
        found = np.full((asked.n_entries, draws), np.nan)
        if column.entries:
            found[list(column.entries)] = sum(
                part.share
                * _resampled_part(part, generators[part.units], draws)[column.places(part)]
                for part in column.parts
            )
        by_column.append(found)
    return asked.with_average(by_column)


def _resampled_part(part: Part, seed: Sequence[int], draws: int) -> FloatArray:
    """Resample the units that a statistic reads: statistics that read the same see the same."""
    generator = np.random.default_rng(list(seed))
    n = part.taken.size
    block = max(1, CELLS_IN_MEMORY // max(1, n))
    found = []
    for start in range(0, draws, block):
        size = min(block, draws - start)
        drawn = generator.integers(0, n, size=(size, n)) + np.arange(size)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        found.append(part.statistic.resampled(counts.T.astype(float)))
    return np.concatenate(found, axis=1)


def _percentiles(drawn: FloatArray, own: FloatArray, tail: float) -> tuple[FloatArray, FloatArray]:
    limits = np.full((2, own.size), np.nan)
    for place in np.flatnonzero(np.isfinite(own)):
        good = drawn[place][np.isfinite(drawn[place])]
        if good.size > 1:
            limits[:, place] = np.percentile(good, [tail, 100 - tail])
    return limits[0], limits[1]


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
