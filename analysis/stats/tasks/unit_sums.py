"""Statistics made of sums over units, for many entries: swapped between entries, resampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray, is_constant, ratio
from analysis.stats.comparison.metric_cells import scaled
from analysis.stats.correlation.pearson import r_of_sums


@dataclass(frozen=True)
class UnitSums:
    """A statistic of each entry (a metric, or a system) that is made of sums over units.

    Units are segments or systems. If two entries change places on some units, the sums of the
    first lose its own terms of these units and gain the other's: all swaps of all pairs of entries
    come from one matrix product.

    Parameters
    ----------
    terms : ndarray, shape (entries, sums, units)
        What each unit adds to each sum.
    of_sums : callable
        Makes values (…) of sums (sums × …), NaN where undefined.
    """

    terms: FloatArray
    of_sums: Callable[[FloatArray], FloatArray]

    @property
    def values(self) -> FloatArray:
        """Value of each entry."""
        return self.of_sums(self.terms.sum(axis=2).T)

    def differences(self, pairs: Sequence[tuple[int, int]], bits: FloatArray) -> FloatArray:
        """Return the first entry's value less the second's after each swap (pairs × draws).

        Parameters
        ----------
        pairs : sequence of (int, int)
        bits : ndarray of 0 and 1, shape (units, draws)
            1 where the two change places.
        """
        entries, sums, units = self.terms.shape
        moved = (self.terms.reshape(-1, units) @ bits).reshape(entries, sums, -1)
        totals = self.terms.sum(axis=2)[:, :, None]
        found = np.empty((len(pairs), bits.shape[1]))
        for place, (first, second) in enumerate(pairs):
            change = moved[second] - moved[first]
            found[place] = self.of_sums(totals[first] + change)
            found[place] -= self.of_sums(totals[second] - change)
        return found

    def resampled(self, counts: FloatArray) -> FloatArray:
        """Return the values (entries × draws) where units occur as often as `counts` says.

        Parameters
        ----------
        counts : ndarray, shape (units, draws)
        """
        entries, sums, units = self.terms.shape
        drawn = (self.terms.reshape(-1, units) @ counts).reshape(entries, sums, -1)
        return self.of_sums(drawn.swapaxes(0, 1))


def pearson_by_unit(metrics: FloatArray, human: FloatArray) -> UnitSums:
    """Return Pearson's r of each metric, all cells of all units pooled.

    Parameters
    ----------
    metrics : ndarray, shape (metrics, units, cells)
        NaN where missing.
    human : ndarray, shape (units, cells)

    Notes
    -----
    Both sides are standardised over the cells that they share, so that swapped scores are on one
    scale.
    """
    terms = np.empty((len(metrics), 6, metrics.shape[1]))
    for place, scores in enumerate(metrics):
        present = np.isfinite(scores) & np.isfinite(human)
        x, h = _standardised(scores, present), _standardised(human, present)
        parts = (present.astype(np.float64), x, h, x * x, h * h, x * h)
        terms[place] = [part.sum(axis=1) for part in parts]
    return UnitSums(terms, lambda sums: r_of_sums(np.moveaxis(sums, 0, -1)))


def ratio_by_unit(above: FloatArray, below: FloatArray) -> UnitSums:
    """Return Σ above / Σ below of each entry; both are entries × units.

    With 1 below where a unit is there, it is a mean over units.
    """
    return UnitSums(np.stack([above, below], axis=1), lambda sums: ratio(sums[0], sums[1]))


def mean_by_unit(values: FloatArray) -> UnitSums:
    """Return the mean of each entry over the units where it is not NaN (entries × units)."""
    return ratio_by_unit(np.nan_to_num(values), np.isfinite(values).astype(np.float64))


def _standardised(values: FloatArray, present: BoolArray) -> FloatArray:
    if is_constant(values[present]):
        return np.zeros(values.shape)
    return np.asarray(scaled(values[None], present, "standardised")[0])
