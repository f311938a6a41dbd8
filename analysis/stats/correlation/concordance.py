"""Concordant pairs of many weightings at once, by counting along a sorted order."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, IntArray

WIDEST_TABLE = 200
"""Elements up to which every two are compared in a table, beyond by sorting."""
PRODUCT_AT_ONCE = 200_000
"""Multiplications below which a product stays in one thread and its numbers in the cache."""
LARGEST_KEPT = 300_000
"""Elements up to which the order of every level is kept between weightings."""


class _Level(NamedTuple):
    """One bit of the human rank: whose bit is 0, whose is 1, and who of the former precede."""

    zeros: IntArray
    ones: IntArray
    until: IntArray
    since: IntArray


class ConcordanceOrder:
    """Elements with a value and a human score, sorted once, weighted as often as wanted.

    The sum over pairs p, q with value_q < value_p and human_q < human_p of weight_p · weight_q is
    taken bit by bit of the human rank, from the highest: elements that share the higher bits stay
    together in the order of values, and each whose bit is 1 meets those before it whose bit is 0.
    O(n log d) for d distinct human scores, as Knight (1966) but for all weightings together.

    Parameters
    ----------
    values, human : ndarray, shape (n,)
    """

    def __init__(self, values: FloatArray, human: FloatArray) -> None:
        # Of equal values the higher human score comes first: such a pair is not concordant.
        self.order: IntArray = np.lexsort((-human, values))
        _, ranks = np.unique(human, return_inverse=True)
        self.codes: IntArray = ranks[self.order].astype(np.int64)
        ordered = values[self.order]
        self.value_starts = _starts(ordered)
        self.joint_starts = _starts(ordered, self.codes)
        self.human_order: IntArray = np.argsort(ranks, kind="stable")
        self.human_starts = _starts(ranks[self.human_order])
        self.levels = range(int(self.codes.max()).bit_length() - 1, -1, -1)
        small = values.size <= LARGEST_KEPT
        self.kept = {level: self._level(level) for level in self.levels} if small else {}

    def balance(self, weights: FloatArray) -> FloatArray:
        """Return concordant less discordant pairs of each column of weights (n × k)."""
        concordant = np.zeros(weights.shape[1])
        for level in self.levels:
            ones, before = self._before(weights, level)
            concordant += np.einsum("nk,nk->k", weights[ones], before)
        ordered = weights[self.order]
        taken = weights.sum(axis=0)
        apart = (
            taken * (taken - 1) / 2
            - pairs_within(np.add.reduceat(ordered, self.value_starts, axis=0))
            - self._human_ties(weights)
            + pairs_within(np.add.reduceat(ordered, self.joint_starts, axis=0))
        )
        difference: FloatArray = 2 * concordant - apart
        return difference

    def concordant_of_each(self) -> FloatArray:
        """Return for each element the number of elements lower in both (unweighted)."""
        counts = np.zeros(self.order.size)
        one = np.ones((self.order.size, 1))
        for level in self.levels:
            ones, before = self._before(one, level)
            counts[ones] += before[:, 0]
        return counts

    def tau_b(self, weights: FloatArray) -> FloatArray:
        """Return tau-b of the elements that each column takes; NaN where constant."""
        taken = weights.sum(axis=0)
        all_pairs = taken * (taken - 1) / 2
        value_ties = pairs_within(np.add.reduceat(weights[self.order], self.value_starts, axis=0))
        untied = (all_pairs - value_ties) * (all_pairs - self._human_ties(weights))
        return tau_of(self.balance(weights), untied)

    def _human_ties(self, weights: FloatArray) -> FloatArray:
        return pairs_within(np.add.reduceat(weights[self.human_order], self.human_starts, axis=0))

    def _before(self, weights: FloatArray, level: int) -> tuple[IntArray, FloatArray]:
        """Return the elements whose bit is 1 and the weight of those before them with bit 0."""
        zeros, ones, until, since = self.kept.get(level) or self._level(level)
        running = np.zeros((zeros.size + 1, weights.shape[1]))
        np.cumsum(weights[zeros], axis=0, out=running[1:])
        return ones, running[until] - running[since]

    def _level(self, level: int) -> _Level:
        prefixes = self.codes >> (level + 1)
        places = np.argsort(prefixes, kind="stable")
        bit = ((self.codes[places] >> level) & 1).astype(bool)
        zeros_before = np.cumsum(~bit)
        ones = np.flatnonzero(bit)
        starts = np.searchsorted(prefixes[places], prefixes[places[ones]], side="left")
        since = np.concatenate([[0], zeros_before])[starts]
        elements = self.order[places]
        return _Level(elements[~bit], elements[ones], zeros_before[ones], since)


def _starts(*keys: npt.NDArray[np.generic]) -> IntArray:
    """Return where runs of elements begin that are equal in all keys."""
    new = np.zeros(keys[0].size, dtype=bool)
    new[0] = True
    for key in keys:
        new[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(new)


def pairs_within(sums: FloatArray) -> FloatArray:
    """Return the number of pairs within runs of the given weights (runs × k)."""
    pairs: FloatArray = (np.einsum("rk,rk->k", sums, sums) - sums.sum(axis=0)) / 2
    return pairs


def tau_of(balance: FloatArray, untied: FloatArray) -> FloatArray:
    """Return balance / √untied, with untied the product of both sides' pairs that are not tied."""
    taus = np.full(balance.shape, np.nan)
    np.divide(balance, np.sqrt(np.maximum(untied, 1.0)), out=taus, where=untied > 0.5)
    return taus


def signed_concordance(values: FloatArray, human: FloatArray) -> FloatArray:
    """Return Σ_q s(value_p − value_q) · s(human_p − human_q) for each p.

    Parameters
    ----------
    values, human : ndarray, shape (n,)

    Examples
    --------
    >>> signed_concordance(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).tolist()
    [2.0, 0.0, 0.0]
    """
    if values.size <= WIDEST_TABLE:
        return np.asarray(np.prod(signs(values, human), axis=0).sum(axis=1))
    lower = ConcordanceOrder(values, human).concordant_of_each()
    higher = ConcordanceOrder(-values, -human).concordant_of_each()
    by_value, by_human = (np.unique(side, return_inverse=True)[1] for side in (values, human))
    pairs = by_value * human.size + by_human
    apart = values.size - _alike(by_value) - _alike(by_human) + _alike(pairs)
    return 2 * (lower + higher) - apart


def tau_b_of_weights(values: FloatArray, human: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Return `ConcordanceOrder.tau_b`, of few elements by comparing every two of them."""
    if values.size > WIDEST_TABLE:
        return ConcordanceOrder(values, human).tau_b
    of_values, of_human = signs(values, human)
    tables = of_values * of_human, np.abs(of_values), np.abs(of_human)

    def tau_b(weights: FloatArray) -> FloatArray:
        pairs = [np.einsum("nk,nk->k", weights, product(table, weights)) / 2 for table in tables]
        return tau_of(pairs[0], pairs[1] * pairs[2])

    return tau_b


def product(table: FloatArray, weights: FloatArray) -> FloatArray:
    """Return table @ weights, in products so small that one thread takes each."""
    step = max(1, PRODUCT_AT_ONCE // table.size)
    starts = range(0, max(1, weights.shape[1]), step)
    return np.hstack([table @ weights[:, start : start + step] for start in starts])


def signs(*sides: FloatArray) -> list[FloatArray]:
    """Return the signs of all differences of each side (n × n)."""
    return [np.sign(np.subtract.outer(side, side)) for side in sides]


def _alike(codes: IntArray) -> IntArray:
    """Return for each element how many have its code."""
    _, place, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return np.asarray(counts[place], dtype=np.int64)
