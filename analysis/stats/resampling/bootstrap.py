"""Bootstrap over units: seeded, vectorised, in bounded memory; and intervals of the draws.

A mean over drawn segments has the noise of the mean over all segments twice: that of the segments
that there are, and that of the drawing. A statistic over such means that noise pulls down, as the
correlation of system means or the share of system pairs in the right order, is therefore lower in
nearly every draw than in the data. With many systems the spread of the draws is small and
percentile limits lie below the value itself. The same holds for mean ratings over drawn annotators.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy

from analysis.stats.arrays import CELLS_IN_MEMORY, FloatArray, ratio_of_sums
from analysis.stats.results import Interval
from analysis.stats.signature import VariantValue

CELLS_KEPT = 80_000_000
"""Draws (resamples × units) that are kept for the next statistic, all together: 80 MB where no unit
or group occurs more than 255 times. Of a larger bootstrap none are."""
Counts: TypeAlias = npt.NDArray[np.integer[Any]]
ROUNDING = 1e-12
MOST_LEFT_OUT = 1000
"""Beyond so many units the jackknife leaves out blocks of them."""


_kept: "dict[tuple[bytes, Bootstrap], Counts]" = {}
"""Draws by what they depend on, those used last at the end."""
_keeping = Lock()


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How to resample; false where nothing is drawn.

    Parameters
    ----------
    resamples : int
        Number of draws. With 0 there are values alone: no interval that is drawn, no signature that
        names one.
    seed : int
        Seed of the generator; the same seed gives the same interval.
    level : float
        Coverage of the percentile interval.

    Raises
    ------
    ValueError
        If `resamples` is below 0 or `level` is not between 0 and 1.
    """

    resamples: int = 1000
    seed: int = 20190604
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.resamples < 0 or not 0 < self.level < 1:
            raise ValueError("a bootstrap has no fewer than 0 resamples, a level between 0 and 1")

    def __bool__(self) -> bool:
        """Whether anything is drawn."""
        return self.resamples > 0

    def variant(self, over: str, *, level_as: str = "level") -> dict[str, VariantValue]:
        """Return what belongs into the signature of a number that rests on this bootstrap."""
        if not self:
            return {}
        return {
            "bootstrap": over,
            "resamples": self.resamples,
            "seed": self.seed,
            level_as: self.level,
        }


STANDARD_BOOTSTRAP = Bootstrap()
"""1,000 resamples, 95 %, a fixed seed."""


def multiplicities(
    frequencies: FloatArray, bootstrap: Bootstrap, cells_per_unit: int = 1
) -> Iterator[FloatArray]:
    """Yield how often each distinct unit occurs in each resample.

    Drawing N units with replacement from N, of which groups are alike, is a multinomial draw over
    the groups: alike units are drawn together and memory stays small.

    Parameters
    ----------
    frequencies : ndarray, shape (groups,)
        How many units each group holds; all ones where every unit is its own group.
    bootstrap : Bootstrap
    cells_per_unit : int
        Numbers that the caller makes per unit and resample; sets the size of a block.

    Yields
    ------
    ndarray, shape (resamples of this block, groups)
        One block without rows where nothing is drawn.
    """
    if not bootstrap:
        yield np.empty((0, frequencies.size))
        return
    groups = frequencies.size
    block = max(1, CELLS_IN_MEMORY // max(1, groups * cells_per_unit))
    if groups * bootstrap.resamples > CELLS_KEPT:
        for counts in _drawn(frequencies, bootstrap, block):
            yield counts.astype(np.float64)
        return
    kept = _kept_draws(np.ascontiguousarray(frequencies, dtype=np.float64), bootstrap)
    for start in range(0, bootstrap.resamples, block):
        yield kept[start : start + block].astype(np.float64)


def _drawn(frequencies: FloatArray, bootstrap: Bootstrap, block: int) -> Iterator[Counts]:
    """Draw how often each group occurs, in blocks whose size does not change the draws."""
    n_units, groups = int(frequencies.sum()), frequencies.size
    generator = np.random.default_rng(bootstrap.seed)
    for start in range(0, bootstrap.resamples, block):
        size = min(block, bootstrap.resamples - start)
        if groups == n_units:
            drawn = generator.integers(0, groups, size=(size, groups))
            drawn += np.arange(size)[:, None] * groups
            counts = np.bincount(drawn.ravel(), minlength=size * groups)
            yield counts.reshape(size, groups)
        else:
            yield generator.multinomial(n_units, frequencies / n_units, size=size)


def _kept_draws(frequencies: FloatArray, bootstrap: Bootstrap) -> Counts:
    """Draw once for all statistics of a report that resample the same groups with one seed."""
    key = frequencies.tobytes(), bootstrap
    with _keeping:
        draws = _kept.pop(key, None)
    if draws is None:
        block = max(1, CELLS_IN_MEMORY // max(1, frequencies.size))
        blocks = _drawn(frequencies, bootstrap, block)
        small = [counts.astype(np.min_scalar_type(counts.max(initial=0))) for counts in blocks]
        draws = np.concatenate(small)
        draws.flags.writeable = False
    with _keeping:
        _kept[key] = draws
        while sum(each.nbytes for each in _kept.values()) > CELLS_KEPT and len(_kept) > 1:
            del _kept[next(iter(_kept))]
    return draws


def bootstrap_draws(
    frequencies: FloatArray,
    statistic: Callable[[FloatArray], FloatArray],
    bootstrap: Bootstrap,
    cells_per_unit: int = 1,
) -> FloatArray:
    """Compute `statistic` on every resample.

    Parameters
    ----------
    frequencies : ndarray, shape (groups,)
    statistic : callable
        Takes multiplicities (resamples × groups), returns one value per resample, NaN where the
        resample is degenerate.
    bootstrap : Bootstrap
    cells_per_unit : int

    Returns
    -------
    ndarray, shape (resamples,)
    """
    blocks = [
        statistic(weights) for weights in multiplicities(frequencies, bootstrap, cells_per_unit)
    ]
    return np.concatenate(blocks)


def percentile_interval(
    draws: FloatArray, bootstrap: Bootstrap, over: str
) -> tuple[Interval | None, int]:
    """Return the percentile interval of the draws and how many of them were degenerate.

    Degenerate draws (NaN) are left out of the percentiles; with fewer than two others there is no
    interval. Efron and Tibshirani (1993), chapter 13.

    Examples
    --------
    >>> interval, degenerate = percentile_interval(
    ...     np.array([0.1, 0.2, 0.3, np.nan]), Bootstrap(4, level=0.5), "units")
    >>> round(interval.low, 2), degenerate
    (0.15, 1)
    """
    good = draws[np.isfinite(draws)]
    degenerate = int(draws.size - good.size)
    if good.size < 2:
        return None, degenerate
    tail = (1 - bootstrap.level) / 2
    low, high = np.quantile(good, [tail, 1 - tail])
    method = f"percentile bootstrap over {over}"
    return Interval(float(low), float(high), bootstrap.level, method), degenerate


def resampled_interval(
    frequencies: FloatArray,
    statistic: Callable[[FloatArray], FloatArray],
    bootstrap: Bootstrap,
    over: str,
    cells_per_unit: int = 1,
) -> tuple[Interval | None, dict[str, Any]]:
    """Return a statistic's percentile interval, and the numbers of resamples and degenerate draws.

    Parameters are those of `bootstrap_draws` and `percentile_interval`.
    """
    draws = bootstrap_draws(frequencies, statistic, bootstrap, cells_per_unit)
    interval, degenerate = percentile_interval(draws, bootstrap, over)
    return interval, {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}


def interval_of_ratio(
    above: npt.ArrayLike, below: npt.ArrayLike, groups: npt.ArrayLike, bootstrap: Bootstrap
) -> tuple[Interval | None, dict[str, Any]]:
    """Return the interval of Σ above / Σ below by drawing groups, and facts of the draws.

    Of a single group there is none: it says nothing of how much groups differ.
    """
    _, codes = np.unique(np.asarray(groups), return_inverse=True)
    sums = np.stack([np.bincount(codes, np.asarray(side)) for side in (above, below)], axis=1)
    interval, facts = resampled_interval(
        np.ones(len(sums)), lambda weights: ratio_of_sums(weights @ sums), bootstrap, "segments"
    )
    return interval if len(sums) > 1 else None, facts


def jackknife(
    n_units: int, statistic: Callable[[FloatArray], FloatArray], cells_per_unit: int = 1
) -> FloatArray:
    """Compute `statistic` with each unit left out, or each of a thousand blocks of units.

    Parameters
    ----------
    n_units : int
    statistic : callable
        As in `bootstrap_draws`.
    cells_per_unit : int

    Returns
    -------
    ndarray, shape (min(n_units, MOST_LEFT_OUT),)
    """
    block_of_unit = np.arange(n_units) * min(n_units, MOST_LEFT_OUT) // max(1, n_units)
    n_blocks = int(block_of_unit[-1]) + 1
    size = max(1, CELLS_IN_MEMORY // max(1, n_units * cells_per_unit))
    values = [
        statistic(
            (
                block_of_unit[None, :] != np.arange(start, min(start + size, n_blocks))[:, None]
            ).astype(np.float64)
        )
        for start in range(0, n_blocks, size)
    ]
    return np.concatenate(values)


def bca_interval(
    draws: FloatArray, observed: float, left_out: FloatArray, bootstrap: Bootstrap, over: str
) -> tuple[Interval | None, int]:
    """Return the bias-corrected and accelerated interval, and the number of degenerate draws.

    Efron (1987). The bias is the normal quantile of the share of draws below the observed value
    (draws equal to it count half), the acceleration comes from the skewness of the jackknife.

    Parameters
    ----------
    draws : ndarray, shape (resamples,)
    observed : float
    left_out : ndarray
        From `jackknife`; NaN does not enter.
    bootstrap : Bootstrap
    over : str

    Returns
    -------
    interval : Interval or None
        None with fewer than two good draws, or if all lie on one side of the observed value.
    degenerate : int
    """
    good = draws[np.isfinite(draws)]
    degenerate = int(draws.size - good.size)
    # Sums in another order differ by rounding; an interval must not depend on that.
    equal = np.abs(good - observed) <= ROUNDING * max(1.0, abs(observed))
    below = float(((good < observed) & ~equal).sum() + equal.sum() / 2) / max(1, good.size)
    if good.size < 2 or not 0 < below < 1:
        return None, degenerate
    gaps = left_out[np.isfinite(left_out)]
    gaps = gaps.mean() - gaps if gaps.size else gaps
    squares = float((gaps**2).sum())
    acceleration = float((gaps**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
    bias = float(scipy.special.ndtri(below))
    tail = (1 - bootstrap.level) / 2
    shifted = bias + scipy.special.ndtri([tail, 1 - tail])
    places = scipy.special.ndtr(bias + shifted / (1 - acceleration * shifted))
    low, high = np.quantile(good, np.sort(places))
    return Interval(
        float(low), float(high), bootstrap.level, f"BCa bootstrap over {over}"
    ), degenerate


CentringScale = Literal["plain", "fisher"]
"""On which all draws are moved by as much: as they are, or Fisher's z for Pearson's r."""
CENTRED: dict[str, str] = {"centred": "enclosed"}
"""What such an interval adds to a signature."""
NO_BOUNDS = (-np.inf, np.inf)
NEAREST_TO_ONE = 1 - 1e-15


def centred_draws(
    draws: FloatArray,
    observed: float,
    *,
    scale: CentringScale = "plain",
    bounds: tuple[float, float] = NO_BOUNDS,
) -> FloatArray:
    """Add to all draws what their median lacks of the observed value.

    The additive correction of bias (Efron and Tibshirani 1993, chapter 10) with the median in the
    place of the mean, as limits are quantiles.

    Parameters
    ----------
    draws : ndarray
        NaN where degenerate; such a draw stays NaN.
    observed : float
    scale : {"plain", "fisher"}
    bounds : tuple of float
        Moved draws beyond them are set to them.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> centred_draws(np.array([0.6, 0.7, 0.8, np.nan]), 0.75).round(2).tolist()
    [0.65, 0.75, 0.85, nan]
    """
    if not np.isfinite(draws).any():
        return draws
    if scale == "fisher":
        places = np.arctanh(np.clip(draws, -NEAREST_TO_ONE, NEAREST_TO_ONE))
        middle = np.arctanh(np.clip(observed, -NEAREST_TO_ONE, NEAREST_TO_ONE))
        moved = np.tanh(places + (middle - np.nanmedian(places)))
    else:
        moved = np.clip(draws + (observed - np.nanmedian(draws)), *bounds)
    at_observed = np.abs(moved - observed) <= ROUNDING * max(1.0, abs(observed))
    return np.where(at_observed, observed, moved)


def enclosing(one: Interval | None, other: Interval | None) -> Interval | None:
    """Return the interval from the lower of two lower limits to the higher of the upper ones."""
    if one is None or other is None:
        return one or other
    low, high = min(one.low, other.low), max(one.high, other.high)
    return Interval(low, high, one.level, f"{one.method}, enclosing the centred one")


def interval_of_draws(
    draws: FloatArray,
    observed: float,
    bootstrap: Bootstrap,
    over: str,
    *,
    scale: CentringScale | None = None,
    bounds: tuple[float, float] = NO_BOUNDS,
) -> tuple[Interval | None, dict[str, Any]]:
    """Return the percentile interval of draws, and the numbers of resamples and degenerate draws.

    With a scale the interval encloses that of the draws centred on it as well, and so the observed
    value whatever the draws. Centring alone is too narrow with few systems, where the draws spread
    to the left because they are few, and percentiles alone miss the value with many; in simulations
    the two together cover what studies of as many segments and raters give in 95 to 99 %
    (``docs/statistics/uncertainty.md``).
    """
    interval, degenerate = percentile_interval(draws, bootstrap, over)
    if scale is not None:
        moved = centred_draws(draws, observed, scale=scale, bounds=bounds)
        interval = enclosing(interval, percentile_interval(moved, bootstrap, over)[0])
    return interval, {"resamples": bootstrap.resamples, "degenerate_draws": degenerate}
