"""Bootstrap over units: seeded, vectorised over resamples, in bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from analysis.stats.arrays import FloatArray
from analysis.stats.results import Interval

CELLS_IN_MEMORY = 4_000_000
CELLS_KEPT = 1_000_000


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """How to resample.

    Parameters
    ----------
    resamples : int
        Number of draws.
    seed : int
        Seed of the generator; the same seed gives the same interval.
    level : float
        Coverage of the percentile interval.

    Raises
    ------
    ValueError
        If `resamples` is below 1 or `level` is not between 0 and 1.
    """

    resamples: int = 1000
    seed: int = 20190604
    level: float = 0.95

    def __post_init__(self) -> None:
        if self.resamples < 1 or not 0 < self.level < 1:
            raise ValueError("a bootstrap needs at least one resample and a level between 0 and 1")

    def variant(self, over: str) -> dict[str, str | int | float]:
        """Return what belongs into the signature of a number that rests on this bootstrap."""
        return {
            "bootstrap": over,
            "resamples": self.resamples,
            "seed": self.seed,
            "level": self.level,
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
    """
    generator = np.random.default_rng(bootstrap.seed)
    n_units, groups = int(frequencies.sum()), frequencies.size
    block = max(1, CELLS_IN_MEMORY // max(1, groups * cells_per_unit))
    all_single = groups == n_units
    if all_single and block >= bootstrap.resamples and groups * bootstrap.resamples <= CELLS_KEPT:
        yield _kept_draws(groups, bootstrap)
        return
    for start in range(0, bootstrap.resamples, block):
        size = min(block, bootstrap.resamples - start)
        if all_single:
            yield _single_draws(generator, groups, size)
        else:
            counts = generator.multinomial(n_units, frequencies / n_units, size=size)
            yield counts.astype(np.float64)


def _single_draws(generator: np.random.Generator, groups: int, size: int) -> FloatArray:
    drawn = generator.integers(0, groups, size=(size, groups))
    drawn += np.arange(size)[:, None] * groups
    counts = np.bincount(drawn.ravel(), minlength=size * groups).reshape(size, groups)
    return counts.astype(np.float64)


@lru_cache(maxsize=8)
def _kept_draws(groups: int, bootstrap: Bootstrap) -> FloatArray:
    """Draw once for all statistics of a report that resample as many units with one seed."""
    draws = _single_draws(np.random.default_rng(bootstrap.seed), groups, bootstrap.resamples)
    draws.flags.writeable = False
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
