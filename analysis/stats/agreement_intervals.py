"""Intervals of agreement by drawing segments, annotators, or both; leave-one-annotator-out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from analysis.stats.annotator_resampling import (
    FEWEST_ANNOTATORS,
    RatedOutputs,
    annotator_batches,
)
from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.resampling import Bootstrap, multiplicities, percentile_interval
from analysis.stats.results import Interval
from analysis.stats.weighted_agreement import DrawnRatings, WeightedAgreement

Over = Literal["units", "segments", "annotators", "segments and annotators"]
CELLS_IN_MEMORY = 1_000_000


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
    """

    values: FloatArray
    annotators: IntArray
    segments: IntArray

    @property
    def n_annotators(self) -> int:
        """Number of annotators."""
        return int(self.annotators.max(initial=-1)) + 1

    def drawn(self, annotators: FloatArray, units: FloatArray) -> DrawnRatings:
        """Return the ratings under weights of annotators and of units, one row a draw or one."""
        padded = np.column_stack([annotators, np.zeros(annotators.shape[0])])
        return DrawnRatings(self.values, padded[:, self.annotators], units)

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
) -> tuple[Interval | None, dict[str, Any]]:
    """Return the percentile interval of a statistic of agreement.

    Copies of one annotator never form a pair of raters, see `analysis.stats.weighted_agreement`.
    Annotators are drawn within their batch. Below six annotators there is no interval over them:
    the facts then hold the lowest and highest value without one of them.

    Parameters
    ----------
    units : AnnotatedUnits
    statistic : callable
        Of `analysis.stats.weighted_agreement`.
    over : {"units", "segments", "annotators", "segments and annotators"}
    bootstrap : Bootstrap

    Returns
    -------
    interval : Interval or None
    facts : dict
        "resamples" and "degenerate_draws", draws in which the statistic is undefined; or
        "leave_one_annotator_out" with "lowest", "highest" and "undefined".

    Raises
    ------
    ValueError
        If `over` is unknown.
    """
    if over not in get_args(Over):
        raise ValueError(f"unknown units to resample: {over}")
    if "annotators" in over and units.n_annotators < FEWEST_ANNOTATORS:
        return None, {
            "no_interval_because": f"fewer than {FEWEST_ANNOTATORS} annotators",
            "leave_one_annotator_out": leave_one_annotator_out(units, statistic),
        }
    blocks = []
    for annotators, drawn in _weights(units, over, bootstrap):
        size = max(1, CELLS_IN_MEMORY // max(1, units.values.size))
        for start in range(0, max(len(annotators), len(drawn)), size):
            part = [
                weights if len(weights) == 1 else weights[start : start + size]
                for weights in (annotators, drawn)
            ]
            blocks.append(statistic(units.drawn(*part)))
    interval, degenerate = percentile_interval(np.concatenate(blocks), bootstrap, over)
    return interval, {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}


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


def _weights(
    units: AnnotatedUnits, over: Over, bootstrap: Bootstrap
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield blocks of weights of annotators and of units, a single row for what is not drawn."""
    if over == "annotators":
        for annotators in units.draws_of_annotators(bootstrap):
            yield annotators, np.ones((1, len(units.values)))
        return
    codes = np.arange(len(units.values)) if over == "units" else units.segments
    _, codes = np.unique(codes, return_inverse=True)
    if over in ("units", "segments"):
        for weights in multiplicities(np.ones(codes.max() + 1), bootstrap):
            yield np.ones((1, units.n_annotators)), weights[:, codes]
        return
    segments = _rows(multiplicities(np.ones(codes.max() + 1), bootstrap))
    for annotators in units.draws_of_annotators(bootstrap):
        weights = np.array([next(segments) for _ in range(len(annotators))])
        yield annotators, weights[:, codes]


def _rows(blocks: Iterator[FloatArray]) -> Iterator[FloatArray]:
    for block in blocks:
        yield from block
