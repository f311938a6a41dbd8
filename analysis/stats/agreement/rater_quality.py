"""One rater compared with the others: severity, spread, agreement, and careless answers."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import FloatArray, masked_means
from analysis.stats.correlation.metric_correlation import segment_level
from analysis.stats.resampling.bootstrap import STANDARD_BOOTSTRAP, Bootstrap
from analysis.stats.resampling.proportions import cluster_t_test
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import signature

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class RaterComparison:
    """How one rater's scores relate to those of the others on the same outputs.

    Parameters
    ----------
    severity : Result
        Mean of own score minus the mean of the others, over shared outputs: below 0 is severe.
        The interval is Student's t over segments.
    spread : Result
        Standard deviation of own scores over that of the others on the same outputs: above 1
        uses more of the scale.
    agreement : Result
        Pearson correlation with the mean of the others over shared outputs; the interval is a
        bootstrap over segments.
    """

    severity: Result
    spread: Result
    agreement: Result


def compared_with_others(
    scores: npt.ArrayLike, rater: int, bootstrap: Bootstrap | None = STANDARD_BOOTSTRAP
) -> RaterComparison:
    """Compare one rater with the others.

    Parameters
    ----------
    scores : array_like, shape (raters, segments, systems)
        NaN where a rater did not judge an output.
    rater : int
        Whose place to take.
    bootstrap : Bootstrap, optional

    Returns
    -------
    RaterComparison
        Each result undefined where the rater shares no, or too few, outputs with others.

    Raises
    ------
    ValueError
        If `scores` has not three dimensions.

    Examples
    --------
    >>> shown = compared_with_others([[[1.0, 2.0], [3.0, 5.0]], [[2.0, 3.0], [4.0, 6.0]]], 0, None)
    >>> shown.severity.value, shown.spread.value, round(shown.agreement.value, 6)
    (-1.0, 1.0, 1.0)
    """
    cube = np.asarray(scores, dtype=np.float64)
    if cube.ndim != 3:
        raise ValueError(f"expected raters × segments × systems, found {cube.ndim} dimensions")
    # Only what this rater rated: in a large study each rated few outputs.
    rated = np.isfinite(cube[rater])
    given, others = cube[rater][rated], _others(cube, rater, rated)
    means = masked_means(others, np.isfinite(others))
    shared = np.isfinite(means)
    own, mean = np.full((2, *cube.shape[1:]), np.nan)
    own[rated], mean[rated] = np.where(shared, given, np.nan), means
    return RaterComparison(
        severity=_severity(own - mean),
        spread=_spread(given, others, shared),
        agreement=_agreement(own, mean, bootstrap),
    )


def _others(cube: FloatArray, rater: int, outputs: npt.NDArray[np.bool_]) -> FloatArray:
    """Return the scores that all other raters gave to some outputs (raters × outputs)."""
    return np.delete(cube[:, outputs], rater, axis=0)


def _severity(difference: FloatArray) -> Result:
    name = signature("severity", against="mean of others", confidence=LEVEL)
    known = np.isfinite(difference)
    sizes = known.sum(axis=1)
    segments = sizes > 0
    n = int(known.sum())
    if n == 0:
        return Undefined("no output is shared with another rater", 0, "outputs", name)
    sums = np.where(known, difference, 0.0).sum(axis=1)[segments]
    p_value, interval = cluster_t_test(sums, sizes[segments], LEVEL, over="segments")
    return Estimate(
        value=float(sums.sum() / n),
        n=n,
        unit="outputs",
        signature=name,
        p_value=p_value,
        interval=interval,
        details={"segments": int(segments.sum()), "test": "no severity, Student's t over segments"},
    )


def _spread(own: FloatArray, others: FloatArray, shared: npt.NDArray[np.bool_]) -> Result:
    """Own standard deviation over the root mean square of the others', on the same outputs.

    Of the outputs that the rater rated; `shared` are those that others rated too.
    """
    name = signature("spread", against="others on shared outputs", ddof=0)
    variances, sizes = [], []
    for other in others:
        both = shared & np.isfinite(other)
        if both.sum() > 1:
            variances.append((own[both].var(), other[both].var()))
            sizes.append(int(both.sum()))
    n = int(shared.sum())
    if not variances:
        return Undefined("fewer than two outputs are shared with any rater", n, "outputs", name)
    mine, theirs = np.average(np.array(variances), axis=0, weights=sizes)
    if theirs == 0:
        return Undefined("the others gave one and the same score", n, "outputs", name)
    return Estimate(float(np.sqrt(mine / theirs)), n=n, unit="outputs", signature=name)


def _agreement(own: FloatArray, mean: FloatArray, bootstrap: Bootstrap | None) -> Result:
    variant = {"between": "one rater and the mean of the others"}
    return segment_level(own, mean, "pearson", bootstrap=bootstrap, variant=variant)


def output_means(scores: npt.ArrayLike) -> FloatArray:
    """Return the mean over raters of each output (segments × systems), NaN where nobody rated."""
    cube = np.asarray(scores, dtype=np.float64)
    return masked_means(cube, np.isfinite(cube))


def order_without(scores: npt.ArrayLike, rater: int, means: FloatArray | None = None) -> Result:
    """Compare the order of systems by all raters with that by all others.

    Parameters
    ----------
    scores : array_like, shape (raters, segments, systems)
        NaN where a rater did not judge an output.
    rater : int
        Whose scores are left out.
    means : ndarray, optional
        `output_means` of the scores, where they are known already.

    Returns
    -------
    Estimate or Undefined
        Kendall's tau-b between the system means; ``pairs`` counts pairs of systems,
        ``details["turned"]`` those that change their order. No interval: the raters are the same.
    """
    cube = np.asarray(scores, dtype=np.float64)
    name = signature("order-of-systems", between="all raters and all but one", ties="tau-b")
    outputs = output_means(cube) if means is None else means
    every = output_means(outputs)
    rated = np.isfinite(cube[rater])
    left = outputs.copy()
    left[rated] = output_means(_others(cube, rater, rated))
    others = output_means(left)
    both = np.isfinite(every) & np.isfinite(others)
    n = int(both.sum())
    if n < 2:
        return Undefined("fewer than two systems are left", n, "systems", name)
    before, after = every[both], others[both]
    upper = np.triu_indices(n, 1)
    signs = [np.sign(np.subtract.outer(means, means))[upper] for means in (before, after)]
    pairs = len(upper[0])
    untied = np.sqrt((signs[0] != 0).sum() * (signs[1] != 0).sum())
    if untied == 0:
        return Undefined("all systems are tied", n, "systems", name)
    product = signs[0] * signs[1]
    return Estimate(
        value=float(product.sum() / untied),
        n=n,
        unit="systems",
        signature=name,
        pairs=pairs,
        details={"turned": int((product < 0).sum())},
    )


@dataclass(frozen=True, slots=True)
class AnswerRuns:
    """How uniform a rater's answers are, in the order in which they were given.

    Parameters
    ----------
    longest : int
        Most equal answers in a row.
    commonest_share : float
        Share of the commonest answer; NaN without answers.
    n : int
    """

    longest: int
    commonest_share: float
    n: int


def answer_runs(values: npt.ArrayLike) -> AnswerRuns:
    """Count equal answers in a row, the sign of somebody who clicks on.

    Examples
    --------
    >>> answer_runs([3, 3, 3, 1, 3])
    AnswerRuns(longest=3, commonest_share=0.8, n=5)
    """
    answers = np.asarray(values, dtype=np.float64)
    answers = answers[np.isfinite(answers)]
    if not answers.size:
        return AnswerRuns(0, float("nan"), 0)
    changes = np.flatnonzero(np.diff(answers) != 0) + 1
    bounds = np.concatenate(([0], changes, [answers.size]))
    _, counts = np.unique(answers, return_counts=True)
    return AnswerRuns(
        int(np.diff(bounds).max()), float(counts.max() / answers.size), int(answers.size)
    )
