"""Ways to spend a number of ratings on a comparison of systems, compared with each other.

Segments are drawn at random, or by what rating them is worth; means are of the ratings alone, or
with a metric's scores of all segments. All four estimate the same, the differences of two systems
over all segments, by one estimator, which is the generalised regression estimator of Särndal,
Swensson and Wretman (1992): with equal chances it is prediction-powered inference (Angelopoulos,
Duchi and Zrnic 2023), and with unequal ones active inference (Zrnic and Candès 2024).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, as_matrix
from analysis.stats.saving.segment_sample import choose_segments

RANDOM, CHOSEN, POWERED, BOTH = "random", "chosen", "prediction-powered", "chosen and powered"
WAYS = (RANDOM, CHOSEN, POWERED, BOTH)
DRAWS = 100
FEWEST_SEGMENTS = 5


@dataclass(frozen=True, slots=True)
class WayOfRating:
    """What a way of spending ratings gives, in the mean over samples and pairs of systems.

    Parameters
    ----------
    way : str
        One of `WAYS`.
    segments : int
        How many are rated.
    told_apart : float
        Share of pairs of systems whose 95 % interval leaves 0 out.
    half_width : float
        Mean half-width of these intervals.
    covered : float
        Share of the intervals that hold the difference over all segments.
    """

    way: str
    segments: int
    told_apart: float
    half_width: float
    covered: float


def ways_of_rating(
    human: npt.ArrayLike,
    metric: npt.ArrayLike | None,
    worth: FloatArray,
    count: int,
    *,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = 0.95,
) -> tuple[WayOfRating, ...]:
    """Draw samples of segments in each way, and say what their ratings would have given.

    The study's segments are taken for all that there are: intervals are about them.

    Parameters
    ----------
    human : array_like, shape (segments, systems)
        Without gaps.
    metric : array_like, same shape, optional
        Without gaps; where it is None, the ways that need one are left out.
    worth : ndarray, shape (segments,)
        What rating a segment is worth, see `choose_segments`.
    count : int
        Segments that are rated, in all systems.
    draws, seed : int
    level : float

    Returns
    -------
    tuple of WayOfRating
        In the order of `WAYS`.

    Raises
    ------
    ValueError
        If shapes differ, values are missing, or there are not more segments than are rated.
    """
    y = as_matrix(human)
    f = np.zeros_like(y) if metric is None else as_matrix(metric)
    if f.shape != y.shape or not (np.isfinite(y).all() and np.isfinite(f).all()):
        raise ValueError("ratings and scores are of all outputs of the same segments and systems")
    if not FEWEST_SEGMENTS <= count < len(y):
        raise ValueError(f"{count} of {len(y)} segments cannot be sampled")
    flat = np.ones(len(y))
    samples = {
        RANDOM: _samples(flat, count, draws, seed),
        CHOSEN: _samples(worth, count, draws, seed),
    }
    found = []
    for way, drawn, powered in (
        (RANDOM, RANDOM, False),
        (CHOSEN, CHOSEN, False),
        (POWERED, RANDOM, True),
        (BOTH, CHOSEN, True),
    ):
        if powered and metric is None:
            continue
        sums = np.zeros(3)
        pairs = 0
        for truth, estimate, error in _estimates(y, f, samples[drawn], powered=powered):
            freedom = count - (2 if powered else 1)
            reach = float(stdtrit(freedom, (1 + level) / 2)) * error
            sums[0] += (np.abs(estimate) > reach).mean(axis=0).sum()
            sums[1] += reach.mean(axis=0).sum()
            sums[2] += (np.abs(estimate - truth) <= reach).mean(axis=0).sum()
            pairs += len(truth)
        told, width, covered = (sums / pairs).tolist() if pairs else (np.nan,) * 3
        found.append(WayOfRating(way, count, told, width, covered))
    return tuple(found)


@dataclass(frozen=True)
class _Samples:
    """Weights of segments, draws × segments, 0 for those that were not drawn.

    `weight` is 1 / π of each; a variance sums `scale × (residual / π)²`, and its centre is that of
    residuals / π by `scale`.
    """

    weight: FloatArray
    scale: FloatArray


def _samples(worth: FloatArray, count: int, draws: int, seed: int) -> _Samples:
    weight = np.zeros((draws, len(worth)))
    scale = np.zeros_like(weight)
    for row in range(draws):
        sample = choose_segments(worth, count, seed=seed + row)
        inclusion = np.asarray(sample.inclusion, dtype=np.float64)
        weight[row, sample.chosen] = 1 / inclusion
        scale[row, sample.chosen] = (1 - inclusion) * count / (count - 1)
    return _Samples(weight, scale)


def _estimates(
    y: FloatArray, f: FloatArray, samples: _Samples, *, powered: bool
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """Yield, of some pairs at a time, true differences, estimates and errors (draws × pairs)."""
    pairs = list(combinations(range(y.shape[1]), 2))
    at_once = max(1, CELLS_IN_MEMORY // len(y))
    for start in range(0, len(pairs), at_once):
        some = np.array(pairs[start : start + at_once])
        d = y[:, some[:, 0]] - y[:, some[:, 1]]
        g = f[:, some[:, 0]] - f[:, some[:, 1]]
        truth = d.mean(axis=0)
        # About their means sums of squares lose no digits.
        estimate, error = _of_pairs(d - truth, g - g.mean(axis=0), samples, powered=powered)
        yield truth, truth + estimate, error


def _of_pairs(
    d: FloatArray, g: FloatArray, samples: _Samples, *, powered: bool
) -> tuple[FloatArray, FloatArray]:
    """Return the estimate of each centred difference in each sample, and its standard error."""
    weight = samples.weight
    total = weight.sum(axis=1, keepdims=True)
    mean = weight @ d / total
    slope, shift = np.zeros_like(mean), np.zeros_like(mean)
    if powered:
        shift = weight @ g / total
        spread = weight @ g**2 / total - shift**2
        common = weight @ (d * g) / total - mean * shift
        slope = np.divide(common, spread, out=np.zeros_like(mean), where=spread > 0)
    # A residual is d − slope g − (mean − slope shift); its sums come from those of d and g.
    rest = mean - slope * shift
    squares = samples.scale * weight**2
    variance = squares @ d**2 - 2 * rest * (squares @ d) + rest**2 * squares.sum(1, keepdims=True)
    centre = samples.scale * weight
    middle = centre @ d - rest * centre.sum(1, keepdims=True)
    if powered:
        variance += slope**2 * (squares @ g**2) - 2 * slope * (squares @ (d * g))
        variance += 2 * rest * slope * (squares @ g)
        middle -= slope * (centre @ g)
    whole = samples.scale.sum(axis=1, keepdims=True)
    variance -= np.divide(middle**2, whole, out=np.zeros_like(middle), where=whole > 0)
    return rest, np.sqrt(np.maximum(variance, 0.0)) / total
