"""Reliability of mean ratings under weightings of segments, and by random halves of the raters."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from analysis.stats.arrays import BoolArray, FloatArray, IntArray, Level, as_cube, ratio
from analysis.stats.pieces import InPieces, at_once
from analysis.stats.resampling.bootstrap import Bootstrap, bootstrap_draws
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.signature import NO_VARIANT, Variant, signature

Reliability: TypeAlias = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, eq=False)
class RatedSegments:
    """Ratings as segments × systems × slots, and sums of each segment for reliabilities.

    Parameters
    ----------
    values : ndarray, shape (segments, systems, slots)
    counts, means : ndarray, shape (segments, systems)
        Ratings of each output, and their mean.
    """

    values: FloatArray
    counts: FloatArray
    means: FloatArray
    _drawn: dict[Hashable, tuple[float, FloatArray]] = field(init=False, default_factory=dict)

    @classmethod
    def of(cls, ratings: "npt.ArrayLike | RatedSegments") -> "RatedSegments":
        """Check ratings; raise ValueError unless they have three dimensions and are finite."""
        if isinstance(ratings, RatedSegments):
            return ratings
        values = as_cube(ratings)
        counts = np.isfinite(values).sum(axis=2).astype(np.float64)
        return cls(values, counts, ratio(np.nansum(values, axis=2), counts))

    def of_outputs(self, chosen: BoolArray) -> "RatedSegments":
        """Return the ratings of some outputs (segments × systems): these, where all are chosen."""
        if chosen[self.counts > 0].all():
            return self
        return RatedSegments.of(np.where(chosen[:, :, None], self.values, np.nan))

    def ratings_per_output(self) -> float:
        """Return the harmonic mean: noise of means is inverse to the number of ratings."""
        rated = self.counts[self.counts > 0]
        return float(rated.size / (1 / rated).sum())

    def resampled_reliability(
        self, bootstrap: Bootstrap, level: Level, *, k: float = 1.0, as_drawn: bool = False
    ) -> tuple[float, FloatArray]:
        """Return the reliability over all segments and that of each draw of segments.

        It is computed once, however many metrics are held against the same ratings. Parameters are
        those of `segment_reliability`, or of `system_reliability`.
        """
        key = (bootstrap, level, k, as_drawn)
        if key not in self._drawn:
            reliability = (
                segment_reliability(self, k)
                if level == "segment"
                else system_reliability(self, as_drawn=as_drawn)
            )
            segments = np.ones(len(self.counts))
            whole = float(reliability(segments[None, :])[0])
            self._drawn[key] = whole, bootstrap_draws(segments, reliability, bootstrap)
        return self._drawn[key]

    @cached_property
    def segment_sums(self) -> FloatArray:
        """Outputs, m, Σx, Σx², Σ(Σx)²/m and Σm² of each segment, from which ICC(1) follows."""
        rated = self.counts > 0
        total = float((self.means[rated] * self.counts[rated]).sum())
        mean = total / max(1.0, float(self.counts.sum()))
        centred = np.nan_to_num(self.values - mean, copy=False)
        sums = centred.sum(axis=2)
        squares = np.einsum("ijk,ijk->ij", centred, centred)
        by_mean = np.divide(sums**2, self.counts, out=np.zeros(sums.shape), where=rated)
        columns = [rated.astype(np.float64), self.counts, sums, squares, by_mean, self.counts**2]
        return np.stack([column.sum(axis=1) for column in columns], axis=1)


def single_reliability(sums: FloatArray) -> FloatArray:
    """Return ICC(1) from each row of `RatedSegments.segment_sums` added up, NaN where undefined."""
    outputs, n, total, squares, by_mean, counts_squared = sums.T
    within_df, between_df = n - outputs, outputs - 1
    usable = (within_df > 0) & (between_df > 0)
    safe = np.where(usable, n, 1.0)
    within = np.where(usable, squares - by_mean, 0.0) / np.where(usable, within_df, 1.0)
    between = np.where(usable, by_mean - total**2 / safe, 0.0) / np.where(usable, between_df, 1.0)
    per_output = (n - counts_squared / safe) / np.where(usable, between_df, 1.0)
    whole = between + (per_output - 1) * within
    reliability = np.full(n.shape, np.nan)
    np.divide(between - within, whole, out=reliability, where=usable & (whole > 0))
    return reliability


def reliability_of_mean(single: FloatArray, k: float) -> FloatArray:
    """Return ρ_k = k ρ₁ / (1 + (k − 1) ρ₁) (Spearman and Brown), NaN where not above zero."""
    usable = single > 0
    rho: FloatArray = np.where(
        usable, k * single / np.where(usable, 1 + (k - 1) * single, 1.0), np.nan
    )
    return rho


def segment_reliability(rated: RatedSegments, k: float) -> Reliability:
    """Return ρ_k of outputs under each weighting of segments."""
    sums = rated.segment_sums
    return lambda weights: reliability_of_mean(single_reliability(weights @ sums), k)


def system_reliability(rated: RatedSegments, *, as_drawn: bool = False) -> Reliability:
    """Return the reliability of system means under each weighting: 1 − noise / their variance.

    Parameters
    ----------
    rated : RatedSegments
        Systems that nobody rated do not enter.
    as_drawn : bool
        Of the very means of a drawing: a segment drawn twice brings the same noise twice. Else what
        as many other segments would have given: each brings its own noise, and the variance of the
        means is less what the drawing of segments adds to it on the average. Without this step the
        reliability is biased downward in all draws (Brennan 2007).

    Returns
    -------
    callable
        Weights (draws × segments) to reliabilities, NaN where not above zero.
    """
    sums = rated.segment_sums
    some = rated.counts.any(axis=0)
    ratings = rated.counts[:, some]
    known = ratings > 0
    means = np.where(known, rated.means[:, some], 0.0)
    noise = np.divide(1.0, ratings, out=np.zeros(known.shape), where=known)
    columns = np.column_stack([sums, known, means])
    ends = [sums.shape[1], sums.shape[1] + known.shape[1]]
    added = _variance_of_drawing(means, known)

    def reliability(weights: FloatArray) -> FloatArray:
        of_segments, counts, totals = np.split(weights @ columns, ends, axis=1)
        outputs, n, _, squares, by_mean, _ = of_segments.T
        within = (squares - by_mean) / np.where(n > outputs, n - outputs, np.nan)
        counts = np.where(counts > 0, counts, np.nan)
        spread = np.var(totals / counts, axis=1, ddof=1) if counts.shape[1] > 1 else np.nan
        if as_drawn:
            noise_sums = weights**2 @ noise
        else:
            noise_sums = weights @ noise
            # What is drawn once each adds nothing; one drawing on the average all of it.
            unequal = ((weights - 1) ** 2).sum(axis=1) / max(1, weights.shape[1] - 1)
            spread = spread - unequal * added
        rho = 1 - within * np.mean(noise_sums / counts**2, axis=1) / np.where(
            spread > 0, spread, np.nan
        )
        return np.where(rho > 0, rho, np.nan)

    return reliability


def _variance_of_drawing(means: FloatArray, known: BoolArray) -> float:
    """Return how much drawing segments adds to the variance of system means, on the average."""
    counts = np.maximum(known.sum(axis=0), 1)
    moved = np.where(known, means - means.sum(axis=0) / counts, 0.0) / counts
    if moved.shape[1] < 2:
        return 0.0
    return float(moved.var(axis=1, ddof=1).sum())


Statistic: TypeAlias = Callable[[FloatArray, FloatArray], Result]
SPLITS_OF_PIECE = 20


def split_half_steps(
    ratings: npt.ArrayLike,
    statistics: Sequence[Statistic],
    *,
    splits: int = 100,
    seed: int = 20190604,
    variant: Variant = NO_VARIANT,
) -> InPieces[list[Result]]:
    """How well one random half of the raters predicts the other half, as if it were a metric.

    For tau and accuracies, which have no formula for the ceiling. Each output's ratings are split
    at random into two halves of equal number, one left over being set aside; both halves are half
    as reliable as the whole panel, so that the value is low as a ceiling for metrics that are
    compared with the whole.

    Parameters
    ----------
    ratings : array_like, shape (segments, systems, raters)
        NaN where missing; outputs with one rating do not enter.
    statistics : sequence of callable
        Each takes "metric" and human matrices (segments × systems), returns an Estimate or
        Undefined, such as ``lambda a, b: tau_like(a, b, bootstrap=None)``; all see the same splits.
    splits, seed : int
    variant : mapping
        Further parts of the signature.

    Returns
    -------
    list of Estimate or Undefined
        Mean over the splits that have a value; ``details`` has their quantiles.

    Raises
    ------
    ValueError
        If there are no splits.
    """
    if splits < 1:
        raise ValueError("at least one split is needed")
    values = np.asarray(ratings, dtype=np.float64)
    outputs = int((RatedSegments.of(values).counts >= 2).sum())
    of_splits = yield [
        partial(
            _of_splits, values, statistics, range(splits)[start : start + SPLITS_OF_PIECE], seed
        )
        for start in range(0, splits, SPLITS_OF_PIECE)
    ]
    parts: Variant = {"splits": splits, "seed": seed, **variant}
    by_statistic = zip(*chain(*of_splits), strict=True)
    return [_mean_of_splits(results, outputs, parts) for results in by_statistic]


split_halves = at_once(split_half_steps)


def _of_splits(
    ratings: FloatArray, statistics: Sequence[Statistic], splits: range, seed: int
) -> tuple[tuple[Result, ...], ...]:
    """Return the statistics of some splits."""
    return tuple(
        tuple(statistic(one, other) for statistic in statistics)
        for one, other in _halves(ratings, splits, seed)
    )


def _halves(
    ratings: FloatArray, splits: range, seed: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Yield the mean ratings of both halves of some splits (segments × systems).

    Only what was rated is held, slots × outputs: most annotators of a large study rated few of its
    outputs.
    """
    segments, systems, raters = ratings.shape
    of_outputs = ratings.reshape(segments * systems, raters)
    present = np.isfinite(of_outputs)
    counts = present.sum(axis=1)
    output = np.nonzero(present)[0]
    slot = np.arange(output.size) - np.repeat(np.cumsum(counts) - counts, counts)
    values = np.zeros((int(counts.max(initial=0)), counts.size))
    values[slot, output] = of_outputs[present]
    keys = np.full(values.shape, np.inf)
    half = counts // 2
    bits = np.random.PCG64(seed)
    # A split takes one number for each output and rater: those before it are passed over.
    bits.advance(splits.start * present.size)
    generator = np.random.Generator(bits)
    for _ in splits:
        keys[slot, output] = generator.random(present.shape)[present]
        places = _places(keys)
        one, other = (
            ratio(np.where(chosen, values, 0.0).sum(axis=0), half).reshape(segments, systems)
            for chosen in (places < half, (places >= half) & (places < 2 * half))
        )
        yield one, other


def _places(keys: FloatArray) -> IntArray:
    """Return the place of each key in its column, counted from the lowest; no two are the same."""
    places = np.zeros(keys.shape, dtype=np.int64)
    for later in range(1, len(keys)):
        above = keys[:later] > keys[later]
        places[:later] += above
        places[later] = later - above.sum(axis=0)
    return places


def _mean_of_splits(results: Sequence[Result], outputs: int, parts: Variant) -> Result:
    name = signature(f"split-half {results[-1].signature.split('|')[0]}", **parts)
    values = [result.value for result in results if isinstance(result, Estimate)]
    if not values:
        return Undefined("no split has a value", outputs, "outputs", name)
    low, middle, high = np.quantile(values, [0.025, 0.5, 0.975])
    return Estimate(
        float(np.mean(values)),
        n=outputs,
        unit="outputs",
        signature=name,
        details={
            "splits": len(values),
            "splits_without_value": len(results) - len(values),
            "quantiles": {"0.025": float(low), "0.5": float(middle), "0.975": float(high)},
        },
    )
