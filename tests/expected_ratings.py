"""What the simulator's annotators give in expectation, in closed form.

The scale formulas hold for continuous scales (``step=0``), where nothing is rounded or
clipped; the choice formulas hold always.
"""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np

from demo.simulator import Annotator, FloatArray


@dataclass(frozen=True, slots=True)
class ScoreMoments:
    """Mean score per annotator (k) and covariance between annotators over items (k × k)."""

    mean: FloatArray
    covariance: FloatArray


@dataclass(frozen=True, slots=True)
class MeanSquares:
    """Expected mean squares of a crossed items × annotators analysis of variance."""

    items: float
    within: float
    annotators: float
    residual: float


def score_moments(
    annotators: list[Annotator],
    quality_mean: float,
    quality_variance: float,
    scale: tuple[float, float],
) -> ScoreMoments:
    """Return means and covariances of the scores that annotators give to random items.

    Parameters
    ----------
    annotators : list of Annotator
    quality_mean, quality_variance : float
        Of the items' true quality, of whatever distribution.
    scale : (low, high)

    Returns
    -------
    ScoreMoments
        With carelessness c and scale use s, two annotators' scores of the same item have
        covariance (1−c₁)s₁ · (1−c₂)s₂ · quality variance; the variance of one annotator's
        scores follows from the law of total variance over attentive and careless answers.
    """
    low, high = scale
    midpoint = (low + high) / 2
    severity, noise, careless, use = (
        np.array([getattr(one, name) for one in annotators], dtype=np.float64)
        for name in ("severity", "noise", "carelessness", "scale_use")
    )
    attentive_mean = midpoint + use * (quality_mean - midpoint) - severity
    attentive_variance = use**2 * quality_variance + noise**2
    mean = (1 - careless) * attentive_mean + careless * midpoint
    slope = (1 - careless) * use
    covariance = np.outer(slope, slope) * quality_variance
    variance = (
        (1 - careless) * attentive_variance
        + careless * (high - low) ** 2 / 12
        + careless * (1 - careless) * (attentive_mean - midpoint) ** 2
    )
    np.fill_diagonal(covariance, variance)
    return ScoreMoments(mean, covariance)


def expected_mean_squares(moments: ScoreMoments, items: int) -> MeanSquares:
    """Return the expected mean squares when these annotators rate ``items`` items each."""
    raters = len(moments.mean)
    if raters < 2 or items < 2:
        raise ValueError("an analysis of variance needs two annotators and two items")
    covariance = moments.covariance
    shared = float(covariance.sum()) / raters
    spread = float(np.trace(covariance)) - shared
    severity = float(np.var(moments.mean) * raters)
    return MeanSquares(
        items=shared,
        within=(spread + severity) / (raters - 1),
        annotators=(spread + items * severity) / (raters - 1),
        residual=spread / (raters - 1),
    )


def expected_icc(moments: ScoreMoments, items: int, form: int = 1, mean_of: int = 1) -> float:
    """Return the intraclass correlation that a crossed design of these annotators tends to.

    Parameters
    ----------
    moments : ScoreMoments
    items : int
        Number of items; matters for form 2 only.
    form : {1, 2, 3}
        One-way random, two-way random, two-way mixed (Shrout and Fleiss 1979).
    mean_of : int
        1 for a single rating, the number of annotators for their mean.

    Raises
    ------
    ValueError
        For any other form or ``mean_of``.

    Notes
    -----
    The ratio of expected mean squares; the estimate from finitely many items
    differs from it by sampling error and a bias of order 1/items.
    """
    raters = len(moments.mean)
    if mean_of not in (1, raters):
        raise ValueError("mean_of is 1 or the number of annotators")
    squares = expected_mean_squares(moments, items)
    error = {1: squares.within, 2: squares.residual, 3: squares.residual}.get(form)
    if error is None:
        raise ValueError("the forms are 1, 2 and 3")
    between_annotators = (squares.annotators - squares.residual) / items if form == 2 else 0.0
    if mean_of == 1:
        denominator = squares.items + (raters - 1) * error + raters * between_annotators
    else:
        denominator = squares.items + between_annotators
    return (squares.items - error) / denominator


def icc1_of_variances(quality: float, severity: float, noise: float) -> float:
    """Return ICC(1) where every rating has an annotator of its own, from three variances."""
    return quality / (quality + severity + noise)


def choice_probabilities(
    quality_first: float,
    quality_second: float,
    swapped: bool,
    annotator: Annotator,
    ties: float = 0.0,
) -> tuple[float, float, float]:
    """Return the probabilities that the first text, neither or the second is preferred.

    Parameters
    ----------
    quality_first, quality_second : float
    swapped : bool
        Whether the second text was shown first.
    annotator : Annotator
        With noise above 0.
    ties : float
        Half-width of the zone of ties; 0: ties are not offered.

    Raises
    ------
    ValueError
        When the annotator has no noise.

    Examples
    --------
    >>> choice_probabilities(50, 50, False, Annotator(noise=10))
    (0.5, 0.0, 0.5)
    """
    if annotator.noise <= 0:
        raise ValueError("without noise the choice is certain: simulate it instead")
    bias = -annotator.position_bias if swapped else annotator.position_bias
    advantage = annotator.scale_use * (quality_first - quality_second) + bias
    perceived = NormalDist(advantage, sqrt(2.0) * annotator.noise)
    second = perceived.cdf(-ties)
    first = 1.0 - perceived.cdf(ties)
    careless = annotator.carelessness
    offered = 3 if ties > 0 else 2
    guess = careless / offered
    tie_probability = (1 - careless) * (1.0 - first - second) + guess if ties > 0 else 0.0
    return (1 - careless) * first + guess, tie_probability, (1 - careless) * second + guess
