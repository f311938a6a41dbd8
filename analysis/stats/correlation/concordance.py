"""Concordant pairs of many weightings at once, by counting along a sorted order."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

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

    def equal_values(self, weights: FloatArray) -> FloatArray:
        """Return the weight of each run of equal values, from the lowest (runs × k)."""
        sums: FloatArray = np.add.reduceat(weights[self.order], self.value_starts, axis=0)
        return sums

    def tau_b(self, weights: FloatArray) -> FloatArray:
        """Return tau-b of the elements that each column takes; NaN where constant."""
        taken = weights.sum(axis=0)
        all_pairs = taken * (taken - 1) / 2
        value_ties = pairs_within(self.equal_values(weights))
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
    by_value, by_human = values.argsort(kind="stable"), human.argsort(kind="stable")
    lower_value, equal_value = _lower_and_equal(by_value, values)
    lower_human, equal_human = _lower_and_equal(by_human, human)
    by_both = np.lexsort((human, values))
    lower_pair, equal_pair = _lower_and_equal(by_both, values, human)
    lower_pair_of_human, _ = _lower_and_equal(np.lexsort((values, human)), human, values)
    both_lower = ConcordanceOrder(values, human).concordant_of_each()
    # Lower in one and higher in the other: what is lower in one, less both lower and less equal.
    value_only = lower_value - both_lower - (lower_pair_of_human - lower_human)
    human_only = lower_human - both_lower - (lower_pair - lower_value)
    apart = values.size - equal_value - equal_human + equal_pair
    signed: FloatArray = (apart - 2 * (value_only + human_only)).astype(np.float64)
    return signed


def _lower_and_equal(order: IntArray, *keys: FloatArray) -> tuple[IntArray, IntArray]:
    """Return, for each element, how many come before its equals in an order, and how many these."""
    starts = _starts(*(key[order] for key in keys))
    lengths = np.diff(np.append(starts, order.size))
    lower, equal = np.empty_like(order), np.empty_like(order)
    lower[order], equal[order] = np.repeat(starts, lengths), np.repeat(lengths, lengths)
    return lower, equal
