"""Concordant pairs of many weightings at once, by counting along a sorted order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analysis.stats.arrays import FloatArray, IntArray

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
        self.values, self.human = values, human
        self.levels = range(int(self.codes.max()).bit_length() - 1, -1, -1)
        small = values.size <= LARGEST_KEPT
        self.kept = {level: self._level(level) for level in self.levels} if small else {}

    def concordant(self, weights: FloatArray) -> FloatArray:
        """Return the weighted number of concordant pairs of each column of weights (n × k)."""
        total = np.zeros(weights.shape[1])
        for level in self.levels:
            ones, before = self._before(weights, level)
            total += np.einsum("nk,nk->k", weights[ones], before)
        return total

    def concordant_of_each(self) -> FloatArray:
        """Return for each element the number of elements lower in both (unweighted)."""
        counts = np.zeros(self.order.size)
        one = np.ones((self.order.size, 1))
        for level in self.levels:
            ones, before = self._before(one, level)
            counts[ones] += before[:, 0]
        return counts

    def tau_b(self, weights: FloatArray) -> FloatArray:
        """Return tau-b of the elements that each column takes (0 or 1); NaN where constant."""
        taken = weights.sum(axis=0)
        all_pairs = taken * (taken - 1) / 2
        value_ties = self._ties(weights, (self.values,))
        human_ties = self._ties(weights, (self.human,))
        joint_ties = self._ties(weights, (self.values, self.human))
        apart = all_pairs - value_ties - human_ties + joint_ties
        balance = 2 * self.concordant(weights) - apart
        untied = (all_pairs - value_ties) * (all_pairs - human_ties)
        taus = np.full(taken.shape, np.nan)
        np.divide(balance, np.sqrt(np.maximum(untied, 1.0)), out=taus, where=untied > 0.5)
        return taus

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

    @staticmethod
    def _ties(weights: FloatArray, keys: tuple[FloatArray, ...]) -> FloatArray:
        """Return the weighted number of pairs that agree in all keys."""
        order = np.lexsort(keys)
        new = np.zeros(order.size, dtype=bool)
        new[0] = True
        for key in keys:
            new[1:] |= key[order][1:] != key[order][:-1]
        sums = np.add.reduceat(weights[order], np.flatnonzero(new), axis=0)
        ties: FloatArray = (sums * (sums - 1)).sum(axis=0) / 2
        return ties


def signed_concordance(values: FloatArray, human: FloatArray) -> FloatArray:
    """Return Σ_q s(value_p − value_q) · s(human_p − human_q) for each p, no two values equal.

    Parameters
    ----------
    values, human : ndarray, shape (n,)

    Examples
    --------
    >>> signed_concordance(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])).tolist()
    [2.0, 0.0, 0.0]
    """
    both_lower = ConcordanceOrder(values, human).concordant_of_each()
    lower_value = _rank_from_zero(values)
    _, codes, alike = np.unique(human, return_inverse=True, return_counts=True)
    lower_human = (np.cumsum(alike) - alike)[codes]
    higher_human = values.size - lower_human - alike[codes]
    order = np.lexsort((values, human))
    equal_human_lower_value = np.empty(values.size)
    equal_human_lower_value[order] = np.arange(values.size) - lower_human[order]
    lower_value_higher_human = lower_value - both_lower - equal_human_lower_value
    signed: FloatArray = 2 * both_lower - 2 * lower_value_higher_human + higher_human - lower_human
    return signed


def _rank_from_zero(values: FloatArray) -> FloatArray:
    ranks = np.empty(values.size)
    ranks[np.argsort(values)] = np.arange(values.size)
    return ranks
