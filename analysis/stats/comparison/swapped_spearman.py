"""Spearman's correlation of swapped scores: a linear form in the coins, and ranks where tied."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.comparison.swap_bits import Bits, Groups, form_of_coins, has_ties


class SwappedSpearman:
    """Pearson's r of mid-ranks within each group, ranked anew after each swap.

    With people's ranks centred and scaled to length one, ρ is Σ human · rank over the root of the
    ranks' variation. The sums of the two swapped metrics *differ* by a linear form in the coins:
    each score's own rank among all scores of both metrics, times the human rank, and the human
    ranks of the scores above less those below it. In a group without any tie among the scores of
    both metrics the variation is always the same, and the difference of the two ρ is a linear
    form. In groups with ties the first metric's ranks are running counts along the joint order of
    the scores of both; what they leave are the second's.

    Parameters
    ----------
    groups : Groups
        No group's human scores are constant.
    pairs : sequence of (int, int)
    may_be_constant : sequence of bool
        As in `analysis.stats.comparison.swapped_tau.SwappedTau`.
    """

    def __init__(
        self, groups: Groups, pairs: Sequence[tuple[int, int]], may_be_constant: Sequence[bool]
    ) -> None:
        present = groups.present
        ranks = scipy.stats.rankdata(
            np.where(present, groups.human, np.nan), axis=1, nan_policy="omit"
        )
        human = np.nan_to_num(ranks - np.nanmean(ranks, axis=1, keepdims=True))
        human /= np.sqrt((human**2).sum(axis=1, keepdims=True))
        self.forms = [
            _PairRanks(groups, (first, second), human, everywhere)
            for (first, second), everywhere in zip(pairs, may_be_constant, strict=True)
        ]
        self.linear = np.stack([form.linear.ravel() for form in self.forms])

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients over the groups, see `comparison.swapped_tau.SwappedTau.sums`.

        Of groups without ties only the difference of the two is given, as one half of it and
        minus one half.
        """
        half = form_of_coins(self.linear, bits) / 2
        sums = np.stack([half, -half], axis=1)
        counts = np.empty_like(sums)
        for index, form in enumerate(self.forms):
            tied, n_tied = form.tied_sums(bits)
            sums[index] += tied
            counts[index] = n_tied + form.untied_groups
        return sums, counts


class _PairRanks:
    """One pair of metrics: `linear` of groups without ties, runs of equal scores of the others."""

    def __init__(
        self, groups: Groups, pair: tuple[int, int], human: FloatArray, everywhere: bool
    ) -> None:
        tied = has_ties(groups.metrics[list(pair)], groups.present) | everywhere
        self.tied = np.flatnonzero(tied)
        self.untied_groups = tied.size - self.tied.size
        sizes = groups.present.sum(axis=1).astype(np.float64)
        joint = np.concatenate([groups.metrics[metric] for metric in pair], axis=1)
        group, place = np.nonzero(np.tile(groups.present, 2))
        order = np.lexsort((joint[group, place], group))
        group, place = group[order], place[order]
        values, human = joint[group, place], np.tile(human, 2)[group, place]
        starts = np.flatnonzero(
            np.append(True, (values[1:] != values[:-1]) | (group[1:] != group[:-1]))
        )
        weights = np.zeros(joint.shape)
        weights[group, place] = _rank_and_humans_above(human, starts, group)
        members = groups.present.shape[1]
        linear = (weights[:, :members] - weights[:, members:]) / 2
        self.linear = np.where(tied, 0.0, np.sqrt(12 / (sizes**3 - sizes)))[:, None] * linear
        if not self.tied.size:
            return
        self.differences, self.sizes = linear[self.tied], sizes[self.tied, None]
        mine = tied[group]
        position = np.cumsum(tied) - 1
        self.places = position[group[mine]] * joint.shape[1] + place[mine]
        self.human = human[mine, None]
        first_of_run = np.zeros(group.size, dtype=bool)
        first_of_run[starts] = True
        self.runs = np.flatnonzero(first_of_run[mine])
        self.lengths = np.diff(np.append(self.runs, self.places.size))[:, None]
        group_of_run = group[mine][self.runs]
        self.groups = np.flatnonzero(np.append(True, group_of_run[1:] != group_of_run[:-1]))

    def tied_sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum both ρ over the groups with ties, and count those that are defined."""
        draws = bits.shape[2]
        sums, counts = np.zeros((2, draws)), np.full((2, draws), float(self.tied.size))
        if not self.tied.size:
            return sums, counts
        mine = bits[self.tied]
        taken = np.concatenate([1 - mine, mine], axis=1).reshape(-1, draws)
        weights = taken[self.places].astype(np.float64)
        alike = np.add.reduceat(weights, self.runs, axis=0)
        weights *= self.human
        humans = np.add.reduceat(weights, self.runs, axis=0)
        # Ranks go on from group to group: people's are centred, so that nothing comes of it.
        humans *= np.cumsum(alike, axis=0) - alike / 2
        products = np.add.reduceat(humans, self.groups, axis=0)
        differences = np.einsum("gm,gmk->gk", self.differences, 1 - 2.0 * mine)
        for side in range(2):
            # Σ (rank − mean)² = (n³ − Σ t³) / 12 over runs of t equal scores.
            cubes = np.add.reduceat(alike * alike * alike, self.groups, axis=0)
            variation = (self.sizes**3 - cubes) / 12
            flat = variation < 0.25
            variation[flat] = np.inf
            sums[side] = (products / np.sqrt(variation)).sum(axis=0)
            counts[side] -= flat.sum(axis=0)
            products, alike = products - differences, self.lengths - alike
        return sums, counts


def _rank_and_humans_above(human: FloatArray, starts: IntArray, group: IntArray) -> FloatArray:
    """Return human · rank + Σ human of higher scores, equal ones counting half, of each score.

    Scores come group by group in rising order; `starts` says where runs of equal ones begin.
    """
    lengths = np.diff(np.append(starts, human.size))
    middle = starts + lengths / 2 - np.searchsorted(group, group[starts])
    sums = np.add.reduceat(human, starts)
    # Human ranks are centred: what is not above weighs as much, with the other sign.
    above = sums / 2 - np.cumsum(sums)
    whole: FloatArray = human * np.repeat(middle, lengths) + np.repeat(above, lengths)
    return whole
