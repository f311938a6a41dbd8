"""Pearson's r of swapped scores, from sums that are linear in the swap bits."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.stats.arrays import FloatArray
from analysis.stats.comparison.swap_bits import MEMBERS_AT_ONCE, Bits, Groups

ROUNDING = 1e-13


class SwappedPearson:
    """Pearson's r within each group after swapping scores of two metrics.

    With bits b, Σb·x, Σb·x² and Σb·xh of each metric x come from one matrix product. The swapped
    first metric has Σx₁ − Σb·x₁ + Σb·x₂, the second what is left of Σx₁ + Σx₂: all pairs of
    metrics share the product.

    Parameters
    ----------
    groups : Groups
        No group's human scores are constant.
    pairs : sequence of (int, int)
        Which metrics are compared.
    """

    def __init__(self, groups: Groups, pairs: Sequence[tuple[int, int]]) -> None:
        self.pairs = pairs
        self.sizes = groups.present.sum(axis=1).astype(np.float64)[:, None]
        human = _centred(groups.human, groups)
        human /= np.sqrt((human**2).sum(axis=1, keepdims=True))
        # One centre per group for all metrics: r does not change, and little is lost to rounding.
        centre = groups.metrics.sum(axis=(0, 2)) / (self.sizes[:, 0] * groups.metrics.shape[0])
        scores = np.where(groups.present, groups.metrics - centre[:, None], 0.0)
        terms = np.stack([scores, scores**2, scores * human], axis=1)
        # (metrics · terms, groups, members) → (groups, metrics · terms, members)
        self.terms = terms.reshape(-1, *human.shape).transpose(1, 0, 2).copy()
        self.totals = self.terms.sum(axis=2)[:, :, None]

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients of both swapped metrics over the groups.

        Parameters
        ----------
        bits : ndarray of 0 and 1, shape (groups, members, draws)

        Returns
        -------
        sums, counts : ndarray, shape (pairs, 2, draws)
            Sum over the groups whose scores vary, and their number.
        """
        moved = self._moved(bits)
        sums = np.empty((len(self.pairs), 2, bits.shape[2]))
        counts = np.empty_like(sums)
        for index, (first, second) in enumerate(self.pairs):
            one, other = slice(3 * first, 3 * first + 3), slice(3 * second, 3 * second + 3)
            both = self.totals[:, one] + self.totals[:, other]
            swapped = moved[:, other] - moved[:, one]
            swapped += self.totals[:, one]
            sums[index, 0], counts[index, 0] = self._sum_of_r(swapped, both)
            np.subtract(both, swapped, out=swapped)
            sums[index, 1], counts[index, 1] = self._sum_of_r(swapped, both)
        return sums, counts

    def _moved(self, bits: Bits) -> FloatArray:
        members = bits.shape[1]
        if members <= MEMBERS_AT_ONCE:
            return np.asarray(self.terms @ bits.astype(np.float64))
        total = np.zeros((bits.shape[0], self.terms.shape[1], bits.shape[2]))
        for start in range(0, members, MEMBERS_AT_ONCE):
            part = slice(start, start + MEMBERS_AT_ONCE)
            total += self.terms[:, :, part] @ bits[:, part].astype(np.float64)
        return total

    # Not `r_of_sums`: human scores have length one already, and sums over groups are made in place.
    def _sum_of_r(self, swapped: FloatArray, both: FloatArray) -> tuple[FloatArray, FloatArray]:
        variation = swapped[:, 0] ** 2
        variation /= -self.sizes
        variation += swapped[:, 1]
        flat = variation <= ROUNDING * both[:, 1]
        if flat.any():
            variation[flat] = np.inf
        np.sqrt(variation, out=variation)
        np.divide(swapped[:, 2], variation, out=variation)
        return variation.sum(axis=0), flat.shape[0] - flat.sum(axis=0)


def _centred(values: FloatArray, groups: Groups) -> FloatArray:
    sizes = groups.present.sum(axis=1, keepdims=True)
    means = np.where(groups.present, values, 0.0).sum(axis=1, keepdims=True) / sizes
    return np.where(groups.present, values - means, 0.0)
