"""A learned metric and its simplest competitors, on cells that share nothing with the fit."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, IntArray
from analysis.stats.correlation.metric_correlation import system_level
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.learned.fits import (
    NestedFits,
    block_sums,
    fitted_weights,
    products,
    shares_or_equal,
)
from analysis.stats.resampling.bootstrap import (
    Bootstrap,
    bootstrap_draws,
    multiplicities,
    percentile_interval,
)
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

Contender = Literal["learned", "single", "equal"]
CONTENDERS: tuple[Contender, ...] = ("learned", "single", "equal")
"""Learned weights; the metric that correlates best in the training cells; equal weights."""
FEWEST_SYSTEMS = 3
MOST_WEIGHT_DRAWS = 200
"""Resamples of the intervals of weights: each is a fit of its own."""


@dataclass(frozen=True)
class LearnedMetric:
    """What learning weights is worth.

    Parameters
    ----------
    correlation, systems : mapping
        Pearson's r with human scores of each of `CONTENDERS`, over outputs and over system means.
    better : mapping
        r of the learned metric minus that of each competitor, over outputs.
    weights : tuple of Estimate or Undefined
        Share of each metric in the fit to all cells, which is never evaluated on them; `details`
        has the spread over the folds.
    fold_weights : ndarray, shape (segment folds, system folds, metrics)
        Shares by which the cells of a block are scored; fitted without its segments and systems.
    full_weights : ndarray, shape (metrics,)
    means, deviations : ndarray, shape (metrics,)
        By which scores are standardised: over all scored outputs, rated or not.
    chosen : ndarray, shape (metrics,)
        Share of the blocks in which each metric was the best single one.
    penalty : float
        Of the full fit.
    unlearned : int
        Blocks without a positive weight, where equal ones are taken.
    out_of_fold : ndarray, shape (segments, systems)
        The learned metric's scores; NaN where a metric that counts has none.
    cells, lost : int
        Cells on which all numbers rest, and rated cells that some metric, but not all, scored.
    reason : str
        Why nothing could be learned; empty where it could.
    """

    correlation: Mapping[str, Result]
    systems: Mapping[str, Result]
    better: Mapping[str, Result]
    weights: tuple[Result, ...]
    fold_weights: FloatArray
    full_weights: FloatArray
    means: FloatArray
    deviations: FloatArray
    chosen: FloatArray
    penalty: float
    unlearned: int
    out_of_fold: FloatArray
    cells: int
    lost: int
    reason: str = ""


def learned_metric(
    scores: npt.ArrayLike,
    human: npt.ArrayLike,
    segment_fold: npt.ArrayLike,
    system_fold: npt.ArrayLike,
    *,
    folds: tuple[int, int] | None = None,
    bootstrap: Bootstrap,
) -> LearnedMetric:
    """Learn non-negative weights of metrics and evaluate them by nested cross-validation.

    Segments and systems are divided into folds, which makes blocks of cells. The cells of a block
    are scored by weights that were fitted to cells of other segments **and** other systems; the
    penalty of that fit was chosen on inner blocks in the same way (Varma and Simon 2006; Cawley
    and Talbot 2010). What is fitted to all cells is never evaluated.

    Parameters
    ----------
    scores : array_like, shape (metrics, segments, systems)
        Oriented so that higher is better; NaN where missing.
    human : array_like, shape (segments, systems)
        NaN where missing.
    segment_fold, system_fold : array_like of int
        Fold of each segment and system, from 0.
    folds : tuple of int, optional
        How many folds there are of both, where the last ones may be empty here.
    bootstrap : Bootstrap
        Over segments: of the scores out of fold, and of the weights of the full fit.

    Returns
    -------
    LearnedMetric

    Raises
    ------
    ValueError
        If shapes differ.
    """
    values, human_scores = np.asarray(scores, dtype=np.float64), np.asarray(human, dtype=np.float64)
    rows, columns = np.asarray(segment_fold), np.asarray(system_fold)
    if values.ndim != 3 or values.shape[1:] != human_scores.shape:
        raise ValueError("expected metrics × segments × systems, and their human scores")
    if (len(rows), len(columns)) != human_scores.shape:
        raise ValueError("every segment and every system needs a fold")
    scored = np.isfinite(values)
    common = scored.all(axis=0) & np.isfinite(human_scores)
    lost = int((scored.any(axis=0) & np.isfinite(human_scores) & ~common).sum())
    means, deviations = _moments(values, np.asarray(scored.all(axis=0)))
    standardised = (values - means[:, None, None]) / deviations[:, None, None]
    cells = _Cells(standardised, human_scores, common, bootstrap)
    if reason := _objection(common, rows, columns, len(values)):
        return cells.nothing(reason, means, deviations, lost)
    filled = np.nan_to_num(standardised), np.nan_to_num(human_scores)
    sums = block_sums(*filled, common, rows, columns, folds)
    fits = NestedFits(sums)
    outer, penalty = fits.nested()
    shares = np.array([[shares_or_equal(each) for each in row] for row in outer])
    best = fits.best_single()
    one_hot = np.eye(len(values))[best]
    equal = np.full(shares.shape, 1 / len(values))
    by_contender: dict[str, FloatArray] = {
        name: _scored(standardised, weights, rows, columns)
        for name, weights in zip(CONTENDERS, (shares, one_hot, equal), strict=True)
    }
    correlation, better = cells.evaluated(by_contender, fits)
    full = fitted_weights(sums.sum(axis=(0, 1)), penalty)
    return LearnedMetric(
        correlation=correlation,
        systems={
            name: system_level(
                np.where(common, each, np.nan),
                np.where(common, human_scores, np.nan),
                variant=_variant(fits, name),
            )
            for name, each in by_contender.items()
        },
        better=better,
        weights=cells.weights(full, penalty, shares),
        fold_weights=shares,
        full_weights=shares_or_equal(full),
        means=means,
        deviations=deviations,
        chosen=np.bincount(best.ravel(), minlength=len(values)) / best.size,
        penalty=penalty,
        unlearned=int((~outer.any(axis=2)).sum()),
        out_of_fold=by_contender["learned"],
        cells=cells.n,
        lost=lost,
    )


def _moments(values: FloatArray, whole: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return means and deviations over outputs that every metric scored; a flat one has 1."""
    if not whole.any():
        return np.zeros(len(values)), np.ones(len(values))
    taken = values[:, whole]
    means, deviations = taken.mean(axis=1), taken.std(axis=1)
    flat = deviations <= 1e-12 * np.maximum(1, np.abs(means))
    return means, np.where(flat, 1.0, deviations)


def _objection(common: BoolArray, rows: IntArray, columns: IntArray, metrics: int) -> str:
    """Say why nothing can be learned; empty if something can."""
    there = common.any(axis=1)
    systems, segments = int(common.any(axis=0).sum()), int(there.sum())
    folds = len(np.unique(rows[there]))
    if metrics < 2:
        return "weights need two metrics or more"
    if systems < FEWEST_SYSTEMS or len(np.unique(columns[common.any(axis=0)])) < FEWEST_SYSTEMS:
        return (
            f"{systems} rated systems are too few: fit, choice and test take different systems, "
            f"so {FEWEST_SYSTEMS} are needed"
        )
    if folds < FEWEST_SYSTEMS or segments < 2 * folds:
        return f"{segments} rated segments are too few for {max(folds, FEWEST_SYSTEMS)} folds"
    return ""


def _scored(
    standardised: FloatArray, weights: FloatArray, rows: IntArray, columns: IntArray
) -> FloatArray:
    """Return each cell's weighted mean by the weights of its block; what has weight 0 may lack."""
    found = np.zeros(standardised.shape[1:])
    for metric, values in enumerate(standardised):
        share = weights[:, :, metric][np.ix_(rows, columns)]
        found += np.where(share > 0, share * values, 0.0)
    return found


def _variant(fits: NestedFits, contender: str) -> dict[str, str | int]:
    return {
        "contender": contender,
        "metrics": fits.sums.shape[2] - 2,
        "segment-folds": fits.rows,
        "system-folds": fits.columns,
    }


@dataclass(frozen=True, slots=True)
class _Cells:
    """Standardised scores of metrics and human scores, of which the common cells are compared."""

    standardised: FloatArray
    human: FloatArray
    common: BoolArray
    bootstrap: Bootstrap

    @property
    def n(self) -> int:
        """How many cells are compared."""
        return int(self.common.sum())

    def evaluated(
        self, by_contender: Mapping[str, FloatArray], fits: NestedFits
    ) -> tuple[dict[str, Result], dict[str, Result]]:
        """Return r of each contender and the differences, with intervals on the same resamples."""
        sums = np.stack(
            [row_sums(each, self.human, self.common) for each in by_contender.values()], axis=1
        )
        sums = sums[self.common.any(axis=1)]
        segments = len(sums)
        values = r_of_sums(sums.sum(axis=0))
        draws = bootstrap_draws(
            np.ones(segments),
            lambda weights: r_of_sums(np.tensordot(weights, sums, axes=1)),
            self.bootstrap,
            sums[0].size,
        )

        def result(value: float, drawn: FloatArray, name: str) -> Result:
            if not np.isfinite(value):
                reason = "the scores of one side do not vary"
                return Undefined(reason, self.n, "outputs", name)
            interval, degenerate = percentile_interval(drawn, self.bootstrap, "segments")
            details = {"segments": segments, "degenerate_draws": degenerate}
            return Estimate(
                float(value), self.n, "outputs", name, interval=interval, details=details
            )

        variants = self.bootstrap.variant("segments")
        correlation = {
            name: result(
                values[place],
                draws[:, place],
                signature("pearson-out-of-fold", **_variant(fits, name), **variants),
            )
            for place, name in enumerate(by_contender)
        }
        better = {
            name: result(
                values[0] - values[place],
                draws[:, 0] - draws[:, place],
                signature("difference-of-pearson-out-of-fold", **_variant(fits, name), **variants),
            )
            for place, name in enumerate(by_contender)
            if place
        }
        return correlation, better

    def weights(self, full: FloatArray, penalty: float, shares: FloatArray) -> tuple[Result, ...]:
        """Return the shares of the full fit, with intervals, and their spread over folds."""
        drawn = replace(self.bootstrap, resamples=min(MOST_WEIGHT_DRAWS, self.bootstrap.resamples))
        name = signature(
            "learned-weight",
            fit="non-negative least squares",
            penalty=penalty,
            metrics=len(full),
            **drawn.variant("segments"),
        )
        n = self.n
        if not full.any():
            reason = "no metric correlates positively with human scores"
            return tuple(Undefined(reason, n, "outputs", name) for _ in full)
        draws = np.full((drawn.resamples, len(full)), np.nan)
        if drawn:
            counts = np.concatenate(list(multiplicities(np.ones(len(self.human)), drawn)))
            size = len(full) + 2
            sums = np.zeros((len(counts), size * size))
            filled = np.nan_to_num(self.standardised), np.nan_to_num(self.human)
            for start, rows in products(*filled, self.common):
                of_segments = (rows.transpose(0, 2, 1) @ rows).reshape(len(rows), -1)
                sums += counts[:, start : start + len(rows)] @ of_segments
            for place, each in enumerate(sums.reshape(-1, size, size)):
                weights = fitted_weights(each, penalty)
                draws[place] = weights if weights.any() else np.nan
        flat = shares.reshape(-1, len(full))
        found = []
        for place, share in enumerate(full.tolist()):
            interval, degenerate = percentile_interval(draws[:, place], drawn, "segments")
            spread = {
                "lowest of the folds": float(flat[:, place].min()),
                "highest of the folds": float(flat[:, place].max()),
                "standard deviation over folds": float(flat[:, place].std()),
                "degenerate_draws": degenerate,
            }
            found.append(Estimate(share, n, "outputs", name, interval=interval, details=spread))
        return tuple(found)

    def nothing(
        self, reason: str, means: FloatArray, deviations: FloatArray, lost: int
    ) -> LearnedMetric:
        """Return what is known where no weights can be learned."""
        metrics = len(self.standardised)
        name = signature(
            "pearson-out-of-fold", metrics=metrics, **self.bootstrap.variant("segments")
        )
        nothing = Undefined(reason, self.n, "outputs", name)
        every: dict[str, Result] = dict.fromkeys(CONTENDERS, nothing)
        return LearnedMetric(
            correlation=every,
            systems=every,
            better=dict.fromkeys(CONTENDERS[1:], nothing),
            weights=(nothing,) * metrics,
            fold_weights=np.empty((0, 0, metrics)),
            full_weights=np.zeros(metrics),
            means=means,
            deviations=deviations,
            chosen=np.zeros(metrics),
            penalty=0.0,
            unlearned=0,
            out_of_fold=np.full(self.human.shape, np.nan),
            cells=self.n,
            lost=lost,
            reason=reason,
        )
