"""Dawid and Skene's model: true categories, and how each rater confuses them.

Dawid and Skene (1979), "Maximum Likelihood Estimation of Observer Error-Rates Using the EM
Algorithm", Applied Statistics 28.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import logsumexp

from analysis.stats.arrays import FloatArray
from analysis.stats.rater_models.labels import Labels
from analysis.stats.resampling.bootstrap import Bootstrap, bootstrap_draws, percentile_interval
from analysis.stats.results import Interval

Start = Literal["average", "majority"]
STEADY = 1e-9
STEADY_ENOUGH = 1e-4
"""Of a resample, whose chance is larger by far."""
MOST_STEPS = 5_000


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """A fitted model.

    Parameters
    ----------
    prevalence : ndarray, shape (categories,)
        How frequent each true category is.
    confusion : ndarray, shape (raters, categories, categories)
        P(label | true category) of each rater, true categories in rows.
    posterior : ndarray, shape (items, categories)
        P(true category | labels) of each item.
    log_likelihood : float
    steps : int
    converged : bool
    """

    prevalence: FloatArray
    confusion: FloatArray
    posterior: FloatArray
    log_likelihood: float
    steps: int
    converged: bool

    @property
    def accuracy(self) -> FloatArray:
        """P(a rater's label is the true category), over items as frequent as here."""
        right: FloatArray = np.einsum("j,kjj->k", self.prevalence, self.confusion)
        return right


def dawid_skene(
    labels: Labels,
    *,
    start: Start | FloatArray = "average",
    weights: FloatArray | None = None,
    steady: float = STEADY,
    most_steps: int = MOST_STEPS,
) -> DawidSkene:
    """Fit the model by EM, without smoothing.

    The likelihood has several maxima, so the start belongs to the result: the paper's is each
    item's shares of labels.

    Parameters
    ----------
    labels : Labels
        Of each item at least one.
    start : {"average", "majority"} or ndarray, shape (items, categories)
        Each item's shares of labels; its most frequent label, the first of several; or given.
    weights : ndarray, shape (items,), optional
        How often each item counts, as in a resample.
    steady : float
        EM ends when no posterior changes by more.
    most_steps : int

    Returns
    -------
    DawidSkene

    Examples
    --------
    >>> item, rater = np.divmod(np.arange(12), 3)
    >>> label = np.array([0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 1])
    >>> found = dawid_skene(Labels(item, rater, label, 2))
    >>> found.posterior.round(2)[:, 0].tolist(), found.accuracy.round(2).tolist()
    ([1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.75])
    """
    posterior = _start(labels, start)
    count = np.ones(labels.items) if weights is None else weights
    counts = labels.counts
    shape = labels.raters, labels.categories, labels.categories
    steps, moved = 0, np.inf
    while True:
        weighted = posterior * count[:, None]
        prevalence = weighted.sum(axis=0) / count.sum()
        # Rater × label × true category.
        given = (labels.by_label @ weighted).reshape(shape)
        totals = given.sum(axis=1, keepdims=True)
        confusion = np.divide(given, totals, out=np.zeros(shape), where=totals > 0)
        with np.errstate(divide="ignore"):
            joint = np.log(prevalence) + counts @ np.log(confusion).reshape(-1, shape[2])
        # What a resample leaves out may be impossible under it, and says nothing.
        joint[count == 0] = 0.0
        of_items = logsumexp(joint, axis=1, keepdims=True)
        updated = np.exp(joint - of_items)
        moved = float(np.abs(updated - posterior)[count > 0].max())
        posterior, steps = updated, steps + 1
        if moved <= steady or steps >= most_steps:
            break
    return DawidSkene(
        prevalence=prevalence,
        confusion=confusion.transpose(0, 2, 1),
        posterior=posterior,
        log_likelihood=float((of_items[:, 0] * count)[count > 0].sum()),
        steps=steps,
        converged=moved <= steady,
    )


def _start(labels: Labels, start: Start | FloatArray) -> FloatArray:
    if isinstance(start, np.ndarray):
        return start
    votes = labels.votes
    if (votes.sum(axis=1) == 0).any():
        raise ValueError("every item needs a label")
    if start == "majority":
        first = votes.argmax(axis=1)
        certain: FloatArray = np.eye(labels.categories)[first]
        return certain
    shares: FloatArray = votes / votes.sum(axis=1, keepdims=True)
    return shares


@dataclass(frozen=True, slots=True)
class DawidSkeneIntervals:
    """Intervals of a fitted model; None where resamples say nothing."""

    prevalence: tuple[Interval | None, ...]
    accuracy: tuple[Interval | None, ...]


def dawid_skene_intervals(
    labels: Labels, fitted: DawidSkene, bootstrap: Bootstrap
) -> DawidSkeneIntervals:
    """Return percentile intervals of prevalence and accuracy, by resampling items.

    Each resample begins at the fitted posterior, so that it finds the same one of several maxima.
    """

    def of(multiplicities: FloatArray) -> FloatArray:
        rows = []
        for weights in multiplicities:
            found = dawid_skene(
                labels, start=fitted.posterior, weights=weights, steady=STEADY_ENOUGH
            )
            rows.append(np.concatenate([found.prevalence, found.accuracy]))
        return np.array(rows)

    draws = bootstrap_draws(np.ones(labels.items), of, bootstrap)
    limits = [percentile_interval(column, bootstrap, "items")[0] for column in draws.T]
    return DawidSkeneIntervals(
        tuple(limits[: labels.categories]), tuple(limits[labels.categories :])
    )
