"""Kendall's tau-b of swapped scores as linear and quadratic forms in the swap bits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray
from analysis.stats.comparison.swap_bits import Bits, Groups, form_of_coins, has_ties
from analysis.stats.correlation.concordance import (
    ConcordanceOrder,
    pairs_within,
    signed_concordance,
    tau_of,
)

Signs: TypeAlias = npt.NDArray[np.float32]
WIDEST_PAIRED_GROUP = 300
"""Up to so many members all pairs of a group are compared in a table, beyond by sorting."""


class SwappedTau:
    """Tau-b within each group after swapping scores of two metrics.

    Write σ = 1 − 2b for the coin of a member and s for the sign of a difference. With cross signs
    x_ij = s(x₁ᵢ − x₂ⱼ), concordant less discordant pairs of the two swapped metrics *differ* by a
    linear form in σ and *add up* to a quadratic one; so do their untied pairs. In a group without
    any tie among the scores of both metrics all denominators are the same, and the difference of
    the two taus is a linear form: one matrix product for all groups and pairs of metrics. Groups
    with ties take the quadratic form, in which single precision is exact (small whole numbers).

    Parameters
    ----------
    groups : Groups
        No group's human scores are constant.
    pairs : sequence of (int, int)
    may_be_constant : sequence of bool
        Whether, for a pair of metrics, some swap leaves a group constant (`may_become_constant`):
        means over unequal numbers of groups need the taus themselves, not only their difference.
    """

    def __init__(
        self, groups: Groups, pairs: Sequence[tuple[int, int]], may_be_constant: Sequence[bool]
    ) -> None:
        self.people = _People(groups)
        own = [_signs(scores, scores) for scores in groups.metrics]
        by_member = [_per_member(self.people.signs, signs) for signs in own]
        self.forms = [
            _PairForms(
                groups.metrics[[first, second]],
                self.people,
                (own[first], own[second]),
                by_member[first] - by_member[second],
                everywhere,
            )
            for (first, second), everywhere in zip(pairs, may_be_constant, strict=True)
        ]
        self.linear = np.stack([form.linear.ravel() for form in self.forms])

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients over the groups, see `SwappedPearson.sums`.

        Of groups without ties only the difference of the two is given, as one half of it and
        minus one half.
        """
        draws = bits.shape[2]
        coins = 1 - 2 * bits.astype(np.float32)
        half = (self.linear @ coins.reshape(-1, draws).astype(np.float64)) / 2
        sums = np.stack([half, -half], axis=1)
        counts = np.empty_like(sums)
        for index, form in enumerate(self.forms):
            tied, n_tied = form.tied_sums(coins)
            sums[index] += tied
            counts[index] = n_tied + form.untied_groups
        return sums, counts


class _People:
    """What comes from the human scores alone, computed once for all metrics."""

    def __init__(self, groups: Groups) -> None:
        both = groups.present[:, :, None] & groups.present[:, None, :]
        self.present = groups.present
        self.signs: Signs = _signs(groups.human, groups.human) * both
        self.pairs: Signs = (both & ~np.eye(both.shape[1], dtype=bool)).astype(np.float32)
        self.n_pairs = self.pairs.sum(axis=(1, 2), dtype=np.float64) / 2
        self.untied = np.abs(self.signs).sum(axis=(1, 2), dtype=np.float64) / 2


class _PairForms:
    """The forms of one pair of metrics: `linear` of groups without ties, the rest for others."""

    def __init__(
        self,
        scores: FloatArray,
        people: _People,
        own: tuple[Signs, Signs],
        own_difference: FloatArray,
        everywhere: bool,
    ) -> None:
        cross = _signs(*scores)
        matched = people.signs * cross
        weights = (own_difference + matched.sum(axis=2) - matched.sum(axis=1)) / 2
        tied = has_ties(scores, people.present) | everywhere
        self.tied = np.flatnonzero(tied)
        self.untied_groups = tied.size - self.tied.size
        scale = np.where(tied, 0.0, 1 / np.sqrt(people.n_pairs * people.untied))
        self.linear = weights * scale[:, None]
        if self.tied.size:
            one, other = (signs[self.tied] for signs in own)
            cross = cross[self.tied]
            human = people.signs[self.tied]
            self.human_untied = people.untied[self.tied, None]
            crossed = cross.swapaxes(1, 2)
            balance = _quadratic(human, one + other, cross - crossed)
            linear = weights[self.tied].astype(np.float32)
            one, other, cross = np.abs(one), np.abs(other), np.abs(cross)
            crossed = cross.swapaxes(1, 2)
            pairs = people.pairs[self.tied]
            untied = _quadratic(pairs, one + other, cross + crossed)
            untied_linear = (pairs * (one - other + cross - crossed)).sum(axis=2) / 2
            self.constants = np.stack([balance[0], untied[0]])[:, :, None]
            self.quadratic = np.concatenate([balance[1], untied[1]], axis=1)
            self.differences = np.stack([linear, untied_linear], axis=1)

    def tied_sums(self, coins: Signs) -> tuple[FloatArray, FloatArray]:
        """Sum both taus over the groups with ties, and count those that are defined."""
        draws = coins.shape[2]
        if not self.tied.size:
            return np.zeros((2, draws)), np.zeros((2, draws))
        mine = coins[self.tied] if self.untied_groups else coins
        members = mine.shape[1]
        product = self.quadratic @ mine
        product[:, :members] *= mine
        product[:, members:] *= mine
        total = product[:, :members].sum(axis=1) + self.constants[0]
        untied = product[:, members:].sum(axis=1) + self.constants[1]
        gaps = self.differences @ mine
        sums, counts = np.zeros((2, draws)), np.full((2, draws), float(self.tied.size))
        for side, sign in enumerate((1, -1)):
            # Twice the balance over twice the root: halves cancel but for one.
            pairs = (untied + sign * gaps[:, 1]).astype(np.float64)
            undefined = pairs < 0.5
            if undefined.any():
                counts[side] -= undefined.sum(axis=0)
                pairs[undefined] = np.inf
            pairs *= 2 * self.human_untied
            sums[side] = ((total + sign * gaps[:, 0]) / np.sqrt(pairs)).sum(axis=0)
        return sums, counts


class WideSwappedTau:
    """The same for large groups, by counting along sorted orders.

    The linear form is half of each member's concordance of its first score, less that of its
    second, with all scores of both metrics. Groups with ties count the pairs of the first metric;
    what that form and the first leave are the second's.

    Parameters
    ----------
    groups : Groups
    pairs : sequence of (int, int)
    may_be_constant : sequence of bool
    """

    def __init__(
        self, groups: Groups, pairs: Sequence[tuple[int, int]], may_be_constant: Sequence[bool]
    ) -> None:
        self.linear = np.zeros((len(pairs), *groups.human.shape))
        self.tied: list[list[_TiedGroup]] = [[] for _ in pairs]
        for index, (pair, everywhere) in enumerate(zip(pairs, may_be_constant, strict=True)):
            for group in range(groups.human.shape[0]):
                self._prepare(groups, index, pair, group, everywhere)

    def _prepare(
        self, groups: Groups, index: int, pair: tuple[int, int], group: int, everywhere: bool
    ) -> None:
        kept = groups.present[group]
        values = np.concatenate([groups.metrics[metric, group, kept] for metric in pair])
        human = groups.human[group, kept]
        n = human.size
        twice = np.concatenate([human, human])
        score = signed_concordance(values, twice)
        linear = (score[:n] - score[n:]) / 2
        _, alike = np.unique(human, return_counts=True)
        n_pairs = n * (n - 1) / 2
        untied = n_pairs - float((alike * (alike - 1) / 2).sum())
        if everywhere or np.unique(values).size < values.size:
            order = ConcordanceOrder(values, twice)
            runs = order.equal_values(np.ones((2 * n, 1)))
            self.tied[index].append(_TiedGroup(group, kept, order, runs, linear, n_pairs, untied))
        else:
            self.linear[index, group, kept] = linear / np.sqrt(n_pairs * untied)

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients over the groups, see `SwappedTau.sums`."""
        half = form_of_coins(self.linear.reshape(self.linear.shape[0], -1), bits) / 2
        sums = np.stack([half, -half], axis=1)
        counts = np.empty_like(sums)
        for index, tied in enumerate(self.tied):
            counts[index] = bits.shape[0] - len(tied)
            for group in tied:
                taus = group.taus(bits)
                sums[index] += np.nan_to_num(taus)
                counts[index] += np.isfinite(taus)
        return sums, counts


class _TiedGroup(NamedTuple):
    """A large group with ties: both scores of its members sorted, and the linear form."""

    group: int
    present: BoolArray
    order: ConcordanceOrder
    runs: FloatArray
    linear: FloatArray
    pairs: float
    untied_by_people: float

    def taus(self, bits: Bits) -> FloatArray:
        """Return both taus of each draw (2 × draws), NaN where a metric is constant."""
        moved = bits[self.group, self.present].astype(np.float64)
        weights = np.concatenate([1 - moved, moved])
        balance = self.order.balance(weights)
        alike = self.order.equal_values(weights)
        other = balance - form_of_coins(self.linear[None], bits[[self.group]][:, self.present])[0]
        ties = [pairs_within(sums) for sums in (alike, self.runs - alike)]
        return np.stack(
            [
                tau_of(side, (self.pairs - tied) * self.untied_by_people)
                for side, tied in zip((balance, other), ties, strict=True)
            ]
        )


def _signs(left: FloatArray, right: FloatArray) -> Signs:
    """Return s(leftᵢ − rightⱼ) of each group (groups × members × members)."""
    above = left[:, :, None] > right[:, None, :]
    below = left[:, :, None] < right[:, None, :]
    return np.subtract(above, below, dtype=np.float32)


def _per_member(human: Signs, signs: Signs) -> FloatArray:
    summed: FloatArray = (human * signs).sum(axis=2, dtype=np.float64)
    return summed


def _quadratic(factor: Signs, same: Signs, changed: Signs) -> tuple[Signs, Signs]:
    """Return the constant and the matrix of a sum over pairs that keep or change their sides."""
    quarter = factor / 4
    return (quarter * (same + changed)).sum(axis=(1, 2)), quarter * (same - changed)
