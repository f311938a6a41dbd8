"""The correlation of "choose the best setting", estimated on segments that did not choose."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray
from analysis.stats.correlation.pearson import r_of_sums, row_sums
from analysis.stats.resampling.bootstrap import Bootstrap, percentile_interval
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

FOLDS = 5
REPEATS = 50
RESAMPLES = Bootstrap(resamples=500)


@dataclass(frozen=True, slots=True)
class NestedSelection:
    """What choosing among settings is worth.

    Parameters
    ----------
    honest : Estimate or Undefined
        Pearson r of the choice on segments held out from it.
    in_sample : tuple of float or None
        Pearson r of each setting over all segments, on the same cells.
    chosen : tuple of float
        Share of the inner choices that fell on each setting.
    cells : int
        Cells where human raters and every setting have a score; all numbers here rest on them.
    lost : int
        Cells that human raters and some, but not all settings have.
    """

    honest: Result
    in_sample: tuple[float | None, ...]
    chosen: tuple[float, ...]
    cells: int
    lost: int


def nested_selection(
    candidates: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    folds: int = FOLDS,
    repeats: int = REPEATS,
    bootstrap: Bootstrap = RESAMPLES,
) -> NestedSelection:
    """Estimate by nested cross-validation how well the best setting agrees with human raters.

    Choosing the setting with the highest correlation and reporting that correlation is too
    optimistic (Cawley and Talbot 2010; Varma and Simon 2006). Here segments are divided into folds;
    on all folds but one the setting with the highest pooled Pearson r is chosen (nothing else is
    fitted, so that the inner estimate is that correlation itself), and its scores of the held-out
    fold, standardised by mean and deviation of the other folds, are kept. r is computed over the
    kept scores of all folds, and averaged over several divisions.

    Parameters
    ----------
    candidates : array_like, shape (settings, segments, systems)
        Scores oriented so that higher is better; NaN where missing.
    human : array_like, shape (segments, systems)
        Human scores; NaN where missing.
    folds, repeats : int
        Folds of a division, and divisions.
    bootstrap : Bootstrap
        Draws of segments, each with a division of its own and the whole procedure anew. Copies of
        a segment stay in one fold.

    Returns
    -------
    NestedSelection
        Undefined with fewer segments than twice the folds, and where a choice cannot be made.

    Raises
    ------
    ValueError
        If shapes differ, there is no setting, or there are fewer than two folds.
    """
    scores, human_scores = (
        np.asarray(candidates, dtype=np.float64),
        np.asarray(human, dtype=np.float64),
    )
    if scores.ndim != 3 or not len(scores) or scores.shape[1:] != human_scores.shape or folds < 2:
        raise ValueError(
            "expected settings × segments × systems, their human scores, and two folds"
        )
    rated = np.isfinite(human_scores)
    common = np.isfinite(scores).all(axis=0) & rated
    lost = int((np.isfinite(scores).any(axis=0) & rated & ~common).sum())
    sums = np.stack([row_sums(score, human_scores, common) for score in scores], axis=1)
    sums = sums[common.any(axis=1)]
    in_sample = r_of_sums(sums.sum(axis=0))
    honest, chosen = _estimated(sums, folds, repeats, bootstrap)
    return NestedSelection(
        honest=honest,
        in_sample=tuple(None if np.isnan(r) else float(r) for r in in_sample),
        chosen=tuple(chosen.tolist()),
        cells=int(common.sum()),
        lost=lost,
    )


def _estimated(
    sums: FloatArray, folds: int, repeats: int, bootstrap: Bootstrap
) -> tuple[Result, FloatArray]:
    segments, settings = sums.shape[:2]
    name = signature(
        "nested-selection-pearson",
        folds=folds,
        repeats=repeats,
        settings=settings,
        **bootstrap.variant("segments"),
    )
    chosen = np.zeros(settings)
    if segments < 2 * folds:
        reason = f"{segments} rated segments are too few for {folds} folds"
        return Undefined(reason, segments, "segments", name), chosen
    generator = np.random.default_rng(bootstrap.seed)
    found = np.full(repeats, np.nan)
    for repeat in range(repeats):
        found[repeat], choices = _divided(sums, np.ones(segments), folds, generator)
        np.add.at(chosen, choices, 1 / (repeats * folds))
    if np.isnan(found).any():
        reason = "in some division human scores or every setting's scores do not vary"
        return Undefined(reason, segments, "segments", name), chosen
    draws = np.full(bootstrap.resamples, np.nan)
    for draw in range(bootstrap.resamples):
        weights = generator.multinomial(segments, np.full(segments, 1 / segments)).astype(float)
        draws[draw], _ = _divided(sums, weights, folds, generator)
    interval, degenerate = percentile_interval(draws, bootstrap, "segments")
    details = {
        "lowest of the divisions": float(found.min()),
        "highest of the divisions": float(found.max()),
        "degenerate_draws": degenerate,
    }
    value = float(found.mean())
    estimate = Estimate(
        value, n=segments, unit="segments", signature=name, interval=interval, details=details
    )
    return estimate, chosen


def _divided(
    sums: FloatArray, weights: FloatArray, folds: int, generator: np.random.Generator
) -> tuple[float, npt.NDArray[np.int64]]:
    """Return the held-out r of one division, and what was chosen in each fold."""
    fold_of = generator.permutation(np.arange(len(sums)) % folds)
    member = (fold_of == np.arange(folds)[:, None]) * weights
    held_out = np.tensordot(member, sums, axes=1)
    training = held_out.sum(axis=0) - held_out
    inner = r_of_sums(training)
    choices = np.where(np.isnan(inner), -np.inf, inner).argmax(axis=1)
    rows = np.arange(folds)
    if np.isnan(inner[rows, choices]).any():
        return float("nan"), choices
    kept = _standardised(held_out[rows, choices], training[rows, choices])
    return float(r_of_sums(kept.sum(axis=0))), choices


def _standardised(sums: FloatArray, by: FloatArray) -> FloatArray:
    """Return sums as those of (x − mean) / deviation, both taken from other sums."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    mean = by[:, 1] / by[:, 0]
    deviation = np.sqrt(by[:, 3] / by[:, 0] - mean**2)
    moved = (x - n * mean) / deviation
    squares = (xx - 2 * mean * x + n * mean**2) / deviation**2
    products = (xy - mean * y) / deviation
    return np.stack([n, moved, y, squares, yy, products], axis=-1)
