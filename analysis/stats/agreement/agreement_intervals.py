"""Intervals of agreement by drawing segments, systems or annotators; leave-one-annotator-out."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, Literal, get_args

import numpy as np

from analysis.stats.agreement.rater_pairs import (
    pearson_of_units,
    rater_pairs_of_units,
    weighted_pearson,
    weighted_percent_agreement,
    weighted_rater_pairs,
)
from analysis.stats.agreement.weighted_ratings import WeightedAgreement, WeightedRatings
from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, IntArray
from analysis.stats.resampling.annotator_resampling import (
    FEWEST_ANNOTATORS,
    RatedOutputs,
    annotator_batches,
)
from analysis.stats.resampling.bootstrap import (
    Bootstrap,
    bca_interval,
    bootstrap_draws,
    jackknife,
    multiplicities,
    percentile_interval,
)
from analysis.stats.resampling.proportions import at_the_edge
from analysis.stats.results import Interval

Over = Literal["units", "segments", "systems", "annotators", "segments and annotators"]
Method = Literal["percentile", "bca"]

BY_UNIT: Mapping[
    WeightedAgreement, Callable[[WeightedRatings], Callable[[FloatArray], FloatArray]]
] = {
    weighted_rater_pairs: rater_pairs_of_units,
    **{
        weighted_pearson(both_ways=both): partial(pearson_of_units, both_ways=both)
        for both in (False, True)
    },
}
"""Statistics that lay ratings out once for all draws of units, and how."""


@dataclass(frozen=True)
class AnnotatedUnits:
    """Ratings of units in slots, and who gave them.

    Parameters
    ----------
    values : ndarray, shape (units, slots)
        In file order, NaN after the last one.
    annotators : ndarray of int, shape (units, slots)
        Position of the annotator, −1 where there is no rating.
    segments : ndarray of int, shape (units,)
        Segment of each unit: its outputs, and all aspects of them, are drawn together.
    systems : ndarray of int, shape (units,), optional
        System of each unit, where systems may be drawn.
    """

    values: FloatArray
    annotators: IntArray
    segments: IntArray
    systems: IntArray | None = None

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return int(self.annotators.max(initial=-1)) + 1

    def drawn(self, annotators: FloatArray, units: FloatArray) -> WeightedRatings:
        """Return the ratings under weights of annotators and of units, one row a draw or one."""
        padded = np.column_stack([annotators, np.zeros(annotators.shape[0])])
        return WeightedRatings(self.values, padded[:, self.annotators], units)

    def batches(self) -> IntArray:
        """Return the batch of each annotator: those who stand in for each other."""
        return annotator_batches(self._by_annotator())

    def draws_of_annotators(self, bootstrap: Bootstrap) -> Iterator[FloatArray]:
        """Yield blocks of weights (draws × annotators), each drawn within its batch."""
        return RatedOutputs(self._by_annotator(), self.batches()).draws(bootstrap)

    def _by_annotator(self) -> FloatArray:
        cube = np.full((len(self.values), 1, self.n_annotators), np.nan)
        rows, slots = np.nonzero(self.annotators >= 0)
        cube[rows, 0, self.annotators[rows, slots]] = self.values[rows, slots]
        return cube


def agreement_interval(
    units: AnnotatedUnits,
    statistic: WeightedAgreement,
    *,
    over: Over,
    bootstrap: Bootstrap,
    method: Method = "percentile",
) -> tuple[Interval | None, dict[str, Any]]:
    """Return the interval of a statistic of agreement by resampling.

    Copies of one annotator never form a pair, see `analysis.stats.agreement.weighted_ratings`.
    Annotators are drawn within their batch. Below six annotators there is no interval over them:
    the facts then hold the lowest and highest value without one of them.

    Parameters
    ----------
    units : AnnotatedUnits
    statistic : callable
        A coefficient as a function of weights.
    over : {"units", "segments", "systems", "annotators", "segments and annotators"}
    bootstrap : Bootstrap
    method : {"percentile", "bca"}
        BCa (Efron 1987) where annotators are not drawn: its acceleration comes from leaving out
        each unit drawn.

    Returns
    -------
    interval : Interval or None
    facts : dict
        "resamples" and "degenerate_draws", draws in which the statistic is undefined; or
        "leave_one_annotator_out" with "lowest", "highest" and "undefined".

    Raises
    ------
    ValueError
        If `over` is unknown, BCa is asked of annotators, or systems are not known.
    """
    if over not in get_args(Over):
        raise ValueError(f"unknown units to resample: {over}")
    if method == "bca" and "annotators" in over:
        raise ValueError("with annotators drawn, intervals are percentile")
    if "annotators" in over and units.n_annotators < FEWEST_ANNOTATORS:
        return None, {
            "no_interval_because": f"fewer than {FEWEST_ANNOTATORS} annotators",
            "leave_one_annotator_out": leave_one_annotator_out(units, statistic),
        }
    codes = _codes(units, over)
    groups = int(codes.max()) + 1
    if "annotators" in over:
        draws = _draws_of_annotators(units, statistic, over, bootstrap)
        interval, degenerate = percentile_interval(draws, bootstrap, over)
    else:
        under, cells = _of_groups(units, statistic, codes)
        draws = bootstrap_draws(np.ones(groups), under, bootstrap, cells)
        if method == "bca":
            observed = float(under(np.ones((1, groups)))[0])
            left_out = jackknife(groups, under, max(1, units.values.size // groups))
            interval, degenerate = bca_interval(draws, observed, left_out, bootstrap, over)
        else:
            interval, degenerate = percentile_interval(draws, bootstrap, over)
    facts = {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
    if statistic is not weighted_percent_agreement or np.ptp(draws[np.isfinite(draws)]) > 0:
        return interval, facts
    if "annotators" in over:
        return None, facts | {"no_interval_because": "all resamples of annotators agree alike"}
    twice = np.isfinite(units.values).sum(axis=1) > 1
    edge = at_the_edge(
        float(np.nanmean(draws)), np.unique(codes[twice]).size, bootstrap.level, over=over
    )
    return edge or interval, facts


def leave_one_annotator_out(units: AnnotatedUnits, statistic: WeightedAgreement) -> dict[str, Any]:
    """Return the lowest and highest value without one annotator, and how many are undefined."""
    weights = 1.0 - np.eye(units.n_annotators)
    every = np.ones((1, len(units.values)))
    values = np.array([statistic(units.drawn(row[None, :], every))[0] for row in weights])
    known = values[np.isfinite(values)]
    return {
        "lowest": float(known.min()) if known.size else None,
        "highest": float(known.max()) if known.size else None,
        "undefined": int(values.size - known.size),
    }


def _of_groups(
    units: AnnotatedUnits, statistic: WeightedAgreement, codes: IntArray
) -> tuple[Callable[[FloatArray], FloatArray], int]:
    """Return a statistic as a function of weights of groups of units, and the cells of a group."""
    everybody, every = np.ones((1, units.n_annotators)), np.ones((1, len(units.values)))
    is_each = np.array_equal(codes, np.arange(codes.size))  # Then no copy of weights is needed.
    if lay_out := BY_UNIT.get(statistic):
        of_units = lay_out(units.drawn(everybody, every))
        return lambda weights: of_units(weights if is_each else weights[:, codes]), 1
    cells = max(1, units.values.size // (int(codes.max()) + 1))
    return lambda weights: statistic(units.drawn(everybody, weights[:, codes])), cells


def _draws_of_annotators(
    units: AnnotatedUnits, statistic: WeightedAgreement, over: Over, bootstrap: Bootstrap
) -> FloatArray:
    """Return the statistic in draws of annotators, and of segments where they are drawn, too."""
    codes, every = _codes(units, over), np.ones((1, len(units.values)))
    segments = chain.from_iterable(multiplicities(np.ones(codes.max() + 1), bootstrap))
    size = max(1, CELLS_IN_MEMORY // max(1, units.values.size))
    blocks = []
    for annotators in units.draws_of_annotators(bootstrap):
        for start in range(0, len(annotators), size):
            part, drawn = annotators[start : start + size], every
            if over != "annotators":
                drawn = np.array([next(segments) for _ in part])[:, codes]
            blocks.append(statistic(units.drawn(part, drawn)))
    return np.concatenate(blocks)


def _codes(units: AnnotatedUnits, over: Over) -> IntArray:
    """Return which of the things drawn each unit belongs to."""
    if over == "units":
        return np.arange(len(units.values))
    groups = units.systems if over == "systems" else units.segments
    if groups is None:
        raise ValueError("it is not known which system each unit is of")
    _, codes = np.unique(groups, return_inverse=True)
    return np.asarray(codes, dtype=np.int64)
