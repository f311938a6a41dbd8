"""Labels of items by raters, and models of true categories: Dawid and Skene, MACE.

Dawid and Skene (1979), "Maximum Likelihood Estimation of Observer Error-Rates Using the EM
Algorithm", Applied Statistics 28.

Hovy, Berg-Kirkpatrick, Vaswani and Hovy (2013), "Learning Whom to Trust with MACE".
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.special import digamma, logsumexp

from analysis.stats.arrays import FloatArray, IntArray
from analysis.stats.resampling.bootstrap import Bootstrap, bootstrap_draws, percentile_interval
from analysis.stats.results import Interval


@dataclass(frozen=True)
class Labels:
    """Labels in long form; a rater may label an item several times.

    Parameters
    ----------
    item, rater, label : ndarray of int, shape (labels,)
        Numbers from 0.
    categories : int
        How many labels there are to choose from, given or not.

    Raises
    ------
    ValueError
        If the three are of different lengths, empty, or a number is out of range.
    """

    item: IntArray
    rater: IntArray
    label: IntArray
    categories: int

    def __post_init__(self) -> None:
        columns = self.item, self.rater, self.label
        if not self.item.size or len({column.shape for column in columns}) > 1:
            raise ValueError("every label has an item and a rater, and there is one at least")
        if min(column.min() for column in columns) < 0 or self.label.max() >= self.categories:
            raise ValueError("items, raters and labels are numbered from 0")

    @property
    def items(self) -> int:
        """How many items there are."""
        return int(self.item.max()) + 1

    @property
    def raters(self) -> int:
        """How many raters there are."""
        return int(self.rater.max()) + 1

    @cached_property
    def counts(self) -> Any:
        """How often each rater gave each item each label: sparse, items × (raters × labels)."""
        columns = self.rater * self.categories + self.label
        shape = self.items, self.raters * self.categories
        return sparse.csr_array((np.ones(columns.size), (self.item, columns)), shape=shape)

    @cached_property
    def by_label(self) -> Any:
        """The counts the other way round: (raters × labels) × items."""
        return self.counts.T.tocsr()

    @cached_property
    def votes(self) -> FloatArray:
        """How often each item was given each label: items × labels."""
        return votes(self.item, self.label, self.items, self.categories)


def votes(
    item: npt.NDArray[np.int64], label: npt.NDArray[np.int64], items: int, categories: int
) -> FloatArray:
    """Count labels by item and label."""
    cells = np.bincount(item * categories + label, minlength=items * categories)
    return cells.reshape(items, categories).astype(np.float64)


def entropy(distributions: npt.ArrayLike) -> FloatArray:
    """Return the entropy of each row in bits; 0 where all agree.

    Examples
    --------
    >>> entropy([[1, 0], [2, 2]]).tolist()
    [0.0, 1.0]
    """
    table = np.asarray(distributions, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = table / table.sum(axis=1, keepdims=True)
        bits = np.where(shares > 0, shares * np.log2(shares), 0.0)
    found: FloatArray = np.abs(bits.sum(axis=1))
    return found


Start = Literal["average", "majority"]
STEADY = 1e-9
STEADY_ENOUGH = 1e-4
"""Of a resample, whose chance is larger by far."""
MOST_EM_STEPS = 5_000


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
    most_steps: int = MOST_EM_STEPS,
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


Fit = Literal["variational", "em"]
KNOWS_OR_GUESSES, STRATEGY = 0.5, 10.0
"""Priors of the variational fit: of knowing and of guessing, and of each label in guessing."""
SMOOTHING = 0.01
"""What EM adds to each count, over the number of labels."""
STARTS, MOST_STEPS = 10, 1_000
LABELS_FITTED = 200_000
"""Labels times starts of one model, unless a single start has more: each start takes many steps."""


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
