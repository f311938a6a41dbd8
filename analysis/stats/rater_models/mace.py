"""MACE: which raters know, and which guess.

Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), "Learning Whom to Trust with MACE".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import digamma

from analysis.stats.arrays import FloatArray
from analysis.stats.rater_models.labels import Labels

Fit = Literal["variational", "em"]
KNOWS_OR_GUESSES, STRATEGY = 0.5, 10.0
"""Priors of the variational fit: of knowing and of guessing, and of each label in guessing."""
SMOOTHING = 0.01
"""What EM adds to each count, over the number of labels."""
STARTS, MOST_STEPS = 10, 1_000
LABELS_FITTED = 200_000
"""Labels times starts of one model, unless a single start has more: each start takes many steps."""
STEADY = 1e-9


@dataclass(frozen=True, slots=True)
class Mace:
    """A fitted model.

    Parameters
    ----------
    competence : ndarray, shape (raters,)
        The weight of knowing; in a variational fit it and that of guessing sum to less than 1.
    strategy : ndarray, shape (raters, categories)
        The weights of labels where a rater guesses.
    posterior : ndarray, shape (items, categories)
        P(true label | labels) of each item.
    log_likelihood : float
    """

    competence: FloatArray
    strategy: FloatArray
    posterior: FloatArray
    log_likelihood: float


def bounded_starts(labels: int) -> int:
    """Return from how many starts a model of so many labels is fitted.

    Examples
    --------
    >>> bounded_starts(20_000), bounded_starts(100_000), bounded_starts(10_000_000)
    (10, 2, 1)
    """
    return max(1, min(STARTS, LABELS_FITTED // max(1, labels)))


def mace(labels: Labels, *, fit: Fit = "variational", starts: int = STARTS, seed: int = 0) -> Mace:
    """Fit the model from random starts; the best by its likelihood counts.

    A rater's label is the true one with the probability of competence, otherwise it is drawn from
    labels of the rater's own liking. All labels are equally likely to be true.

    Parameters
    ----------
    labels : Labels
        At most one of each rater for an item.
    fit : {"variational", "em"}
        With priors (the authors' default), or with smoothed counts.
    starts, seed : int

    Returns
    -------
    Mace

    Examples
    --------
    >>> item, rater = np.divmod(np.arange(24), 3)
    >>> label = np.array([0, 0, 0, 1, 1, 0] * 4)
    >>> found = mace(Labels(item, rater, label, 2), starts=10)
    >>> found.posterior.argmax(axis=1).tolist(), int(found.competence.argmin())
    ([0, 1, 0, 1, 0, 1, 0, 1], 2)
    """
    generator = np.random.default_rng(seed)
    found = [_fit(labels, fit, generator) for _ in range(starts)]
    return max(found, key=lambda each: each.log_likelihood)


def _fit(labels: Labels, fit: Fit, generator: np.random.Generator) -> Mace:
    raters, categories = labels.raters, labels.categories
    # Near even, as the authors' program begins: between 1 and 2 of everything, made shares.
    drawn = 1 + generator.random((raters, 2 + categories))
    guessing, knowing = (drawn[:, :2] / drawn[:, :2].sum(axis=1, keepdims=True)).T
    strategy = drawn[:, 2:] / drawn[:, 2:].sum(axis=1, keepdims=True)
    before = -np.inf
    for _ in range(MOST_STEPS):
        base = guessing[labels.rater] * strategy[labels.rater, labels.label]
        know = knowing[labels.rater]
        posterior, likelihood = _items(labels, base, know)
        if abs(likelihood - before) <= STEADY:
            break
        before = likelihood
        known = posterior[labels.item, labels.label] * know / (know + base)
        knew = np.bincount(labels.rater, known, raters)
        guessed = np.bincount(labels.rater, 1 - known, raters)
        cells = labels.rater * categories + labels.label
        given = np.bincount(cells, 1 - known, raters * categories).astype(np.float64)
        both = np.stack([guessed, knew], axis=1).astype(np.float64)
        prior_of_both, prior_of_labels = KNOWS_OR_GUESSES, STRATEGY
        if fit == "em":
            prior_of_both = prior_of_labels = SMOOTHING / categories
        weights, strategy = (
            _weights(counts, prior, fit)
            for counts, prior in (
                (both, prior_of_both),
                (given.reshape(raters, -1), prior_of_labels),
            )
        )
        guessing, knowing = weights.T
    return Mace(knowing, strategy, posterior, likelihood)


def _items(labels: Labels, base: FloatArray, know: FloatArray) -> tuple[FloatArray, float]:
    """Return each item's posterior and the log likelihood of all labels."""
    items, categories = labels.items, labels.categories
    cells = labels.item * categories + labels.label
    gain = np.bincount(cells, np.log1p(know / base), items * categories)
    joint = gain.reshape(items, categories)
    most = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - most)
    total = scaled.sum(axis=1, keepdims=True)
    likelihood = np.log(base).sum() + (np.log(total) + most).sum() - items * np.log(categories)
    return scaled / total, float(likelihood)


def _weights(counts: FloatArray, prior: float, fit: Fit) -> FloatArray:
    """Return the weights of a row of counts: geometric means under the prior, or shares."""
    with_prior = counts + prior
    totals = with_prior.sum(axis=1, keepdims=True)
    weights: FloatArray = (
        np.exp(digamma(with_prior) - digamma(totals))
        if fit == "variational"
        else with_prior / totals
    )
    return weights
