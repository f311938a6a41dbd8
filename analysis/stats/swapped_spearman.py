"""Spearman's correlation of swapped scores: exact ranks by counting along the joint order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.swap_bits import Bits, Groups


class SwappedSpearman:
    """Pearson's r of mid-ranks within each group, ranked anew after each swap.

    The scores of both metrics are sorted once, together. A draw takes one of each member's two
    scores; running counts of what it takes, along the joint order, are the ranks.

    Parameters
    ----------
    groups : Groups
        No group's human scores are constant.
    pairs : sequence of (int, int)
    """

    def __init__(self, groups: Groups, pairs: Sequence[tuple[int, int]]) -> None:
        ranks = scipy.stats.rankdata(
            np.where(groups.present, groups.human, np.nan), axis=1, nan_policy="omit"
        )
        human = np.nan_to_num(ranks - np.nanmean(ranks, axis=1, keepdims=True))
        human /= np.sqrt((human**2).sum(axis=1, keepdims=True))
        self.twice = np.concatenate([human, human], axis=1)
        self.present = groups.present
        self.sizes = groups.present.sum(axis=1).astype(np.float64)[:, None]
        self.orders = [
            _joint_order(np.concatenate([groups.metrics[first], groups.metrics[second]], axis=1))
            for first, second in pairs
        ]

    def sums(self, bits: Bits) -> tuple[FloatArray, FloatArray]:
        """Sum the coefficients over the groups, see `SwappedPearson.sums`."""
        stays = (1 - bits) * self.present[:, :, None]
        moves = bits * self.present[:, :, None]
        taken = np.concatenate([stays, moves], axis=1)
        left = np.concatenate([moves, stays], axis=1)
        sums = np.empty((len(self.orders), 2, bits.shape[2]))
        counts = np.empty_like(sums)
        for index, order in enumerate(self.orders):
            for side, chosen in enumerate((taken, left)):
                sums[index, side], counts[index, side] = self._sum_of_rho(chosen, *order)
        return sums, counts

    def _sum_of_rho(
        self, chosen: Bits, order: IntArray, start: IntArray, end: IntArray
    ) -> tuple[FloatArray, FloatArray]:
        groups, twice, draws = chosen.shape
        offsets = twice * np.arange(groups)[:, None]

        def rows(table: npt.NDArray[Any], places: IntArray) -> npt.NDArray[Any]:
            taken: npt.NDArray[Any] = table.reshape(-1, draws)[(places + offsets).ravel()]
            return taken.reshape(groups, twice, draws)

        weights = rows(chosen, order).astype(np.float64)
        running = np.cumsum(weights, axis=1)
        ranks = rows(running - weights, start)
        ranks += rows(running, end)
        ranks -= self.sizes[:, :, None]
        ranks /= 2
        human = np.take_along_axis(self.twice, order, axis=1)
        weights *= ranks
        products = np.einsum("gmk,gm->gk", weights, human)
        variation = np.einsum("gmk,gmk->gk", weights, ranks)
        flat = variation < 0.25
        variation[flat] = np.inf
        rho = products / np.sqrt(variation)
        return rho.sum(axis=0), flat.shape[0] - flat.sum(axis=0)


def _joint_order(values: FloatArray) -> tuple[IntArray, IntArray, IntArray]:
    """Sort each row; return the order and, by place, the first and last place of equal values."""
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    places = np.broadcast_to(np.arange(values.shape[1]), values.shape)
    new = np.ones(values.shape, dtype=bool)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    last = np.ones(values.shape, dtype=bool)
    last[:, :-1] = new[:, 1:]
    start = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    end = np.minimum.accumulate(np.where(last, places, values.shape[1])[:, ::-1], axis=1)[:, ::-1]
    return order, start, end
