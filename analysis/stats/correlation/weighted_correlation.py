"""Correlations under many weightings of the rows at once, and their bootstrap-t intervals."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from analysis.stats.arrays import BoolArray, FloatArray, masked_means, ratio_of_sums
from analysis.stats.correlation.concordance import WIDEST_TABLE, product, signs, tau_b_of_weights
from analysis.stats.correlation.pearson import (
    SMALLEST_GROUP,
    r_of_sums,
    row_sums,
    rowwise_coefficients,
)
from analysis.stats.resampling.bootstrap import Bootstrap, multiplicities
from analysis.stats.resampling.resampled_sums import SumStatistic
from analysis.stats.results import Interval

Arrangement = Literal["pooled", "by row", "by column", "column means"]
WeightedCoefficient = Literal["pearson", "spearman", "kendall-tau-b"]
WeightedStatistic: TypeAlias = Callable[[FloatArray], FloatArray]
SUMS_OF_R = 6
"""What `row_sums` returns of each row."""


def weighted_correlation(
    first: FloatArray,
    second: FloatArray,
    coefficient: WeightedCoefficient,
    arrangement: Arrangement,
) -> WeightedStatistic:
    """Return a function from row weights (draws × rows) to one correlation per draw.

    A row of whole weight w stands for w copies of it, so that weights which count draws give the
    correlation of the resampled matrices, ties between copies included.

    Parameters
    ----------
    first, second : ndarray, shape (rows, columns)
        A cell enters where both are present.
    coefficient : {"pearson", "spearman", "kendall-tau-b"}
    arrangement : {"pooled", "by row", "by column", "column means"}
        All cells; the mean over rows or over columns of each one's correlation, those in which a
        side is constant left out; or the correlation of the columns' means.

    Returns
    -------
    callable
        NaN where a draw is degenerate.
    """
    if is_of_sums(coefficient, arrangement):
        return correlation_of_sums(first, second, coefficient, arrangement)
    both = np.isfinite(first) & np.isfinite(second)
    parts = [
        _of_ranks(first[:, part], second[:, part], both[:, part], coefficient)
        for part in _parts(both, arrangement)
    ]

    def mean_of_parts(weights: FloatArray) -> FloatArray:
        values = np.array([part(weights) for part in parts]).reshape(-1, weights.shape[0])
        return masked_means(values, np.isfinite(values))

    return mean_of_parts


def is_of_sums(coefficient: WeightedCoefficient, arrangement: Arrangement) -> bool:
    """Say whether a correlation follows from sums over rows: not with ranks of cells of rows."""
    return coefficient == "pearson" or arrangement in ("by row", "column means")


def correlation_of_sums(
    first: FloatArray,
    second: FloatArray,
    coefficient: WeightedCoefficient,
    arrangement: Arrangement,
) -> SumStatistic:
    """Return a correlation as a statistic of sums over rows, where it is one: see `is_of_sums`.

    Parameters are those of `weighted_correlation`.
    """
    both = np.isfinite(first) & np.isfinite(second)
    if arrangement == "by row":
        values, _ = rowwise_coefficients(first, second, coefficient)
        known = np.isfinite(values)
        return SumStatistic(np.column_stack([np.where(known, values, 0.0), known]), ratio_of_sums)
    if arrangement == "column means":
        sides = [np.where(both, values, 0.0) for values in (first, second)]
        return SumStatistic(
            np.hstack([both, *sides]), lambda sums: _of_column_means(sums, coefficient)
        )
    parts = [
        row_sums(first[:, part], second[:, part], both[:, part])
        for part in _parts(both, arrangement)
    ]
    return SumStatistic(np.hstack(parts or [np.zeros((len(first), SUMS_OF_R))]), _mean_r)


def _parts(both: BoolArray, arrangement: Arrangement) -> list[slice]:
    """Return the columns that are correlated together, where enough cells have both sides."""
    columns = both.shape[1]
    parts = [slice(columns)]
    if arrangement == "by column":
        parts = [slice(column, column + 1) for column in range(columns)]
    return [part for part in parts if both[:, part].sum() >= SMALLEST_GROUP]


def _mean_r(sums: FloatArray) -> FloatArray:
    """Return the mean of r over parts of the columns in which both sides vary."""
    r = r_of_sums(sums.reshape(len(sums), sums.shape[1] // SUMS_OF_R, SUMS_OF_R))
    return masked_means(r, np.isfinite(r), axis=1)


def _of_column_means(sums: FloatArray, coefficient: WeightedCoefficient) -> FloatArray:
    counts, first, second = np.split(sums, 3, axis=1)
    counts = np.where(counts > 0, counts, np.nan)
    values, _ = rowwise_coefficients(first / counts, second / counts, coefficient)
    return values


def _of_ranks(
    first: FloatArray, second: FloatArray, both: BoolArray, coefficient: WeightedCoefficient
) -> WeightedStatistic:
    rows = np.nonzero(both)[0]
    of_cells = rank_correlation(first[both], second[both], coefficient)
    return lambda weights: of_cells(weights.T[rows])


def rank_correlation(
    first: FloatArray, second: FloatArray, coefficient: WeightedCoefficient
) -> WeightedStatistic:
    """Return Spearman's ρ or tau-b of two vectors as a function of weights (cells × draws)."""
    if coefficient == "kendall-tau-b":
        return tau_b_of_weights(first, second)
    ranks = [_ranks(values) for values in (first, second)]

    def rho(weights: FloatArray) -> FloatArray:
        x, y = (of_weights(weights) for of_weights in ranks)
        xy, xx, yy = (np.einsum("nk,nk,nk->k", weights, a, b) for a, b in ((x, y), (x, x), (y, y)))
        varies = (xx > 0.1) & (yy > 0.1)
        root = np.sqrt(np.where(varies, xx * yy, 1.0))
        return np.where(varies, np.clip(xy / root, -1.0, 1.0), np.nan)

    return rho


def _ranks(values: FloatArray) -> WeightedStatistic:
    """Return how far mid-ranks of the copies that weights stand for lie above their mean."""
    if values.size <= WIDEST_TABLE:
        [table] = signs(values)
        return lambda weights: product(table, weights) / 2
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(starts, order.size))

    def ranks(weights: FloatArray) -> FloatArray:
        runs = np.add.reduceat(weights[order], starts, axis=0)
        middle = np.cumsum(runs, axis=0) - runs / 2 - weights.sum(axis=0) / 2
        found = np.empty(weights.shape)
        found[order] = np.repeat(middle, lengths, axis=0)
        return found

    return ranks


ROUNDING = 1e-12
"""Errors up to this, and correlations as near to ±1, differ from 0 and ±1 by rounding only."""
VANISHING = 1e-9
"""A draw whose standard error is below this share of the observed one has too few units in it."""


@dataclass(frozen=True, slots=True)
class FunctionOfSums:
    """A correlation that depends on the units only through weighted sums of their terms.

    It must not change when all weights are multiplied by one number.

    Parameters
    ----------
    statistic : SumStatistic
    gradient : callable
        Takes sums (draws × terms) and values (draws,), NaN where undefined; returns the values'
        derivatives by the sums (draws × terms).
    """

    statistic: SumStatistic
    gradient: Callable[[FloatArray, FloatArray], FloatArray]

    @property
    def n_units(self) -> int:
        """Return the number of units."""
        return len(self.statistic.per_unit)

    def with_errors(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the value and its standard error under each row of weights (draws × units).

        The error is that of the infinitesimal jackknife (Jaeckel 1972), times √(n / (n − 1)): the
        influence of a unit is its terms times the gradient, and a unit drawn twice counts twice.
        """
        sums = weights @ self.statistic.per_unit
        values = self.statistic.of_sums(sums)
        influences = self.gradient(sums, values) @ self.statistic.per_unit.T
        squares = np.einsum("du,du,du->d", weights, influences, influences)
        n = weights.sum(axis=1)
        return values, np.sqrt(squares * n / np.maximum(n - 1, 1))


@dataclass(frozen=True, slots=True)
class StudentisedDraws:
    """The observed value on its scale, its standard error, and the draws' t values.

    Parameters
    ----------
    value, error : float
        Of artanh(value), Fisher's z.
    ts : ndarray
        (value of the draw − observed value) / standard error of the draw; degenerate draws, which
        have none, are left out.
    degenerate : int
    """

    value: float
    error: float
    ts: FloatArray
    degenerate: int

    def centred(self) -> "StudentisedDraws":
        """Return the draws less their median, for values that lie low in nearly every draw.

        See `analysis.stats.resampling.bootstrap`.
        """
        return replace(self, ts=self.ts - np.median(self.ts)) if self.ts.size else self

    def interval(self, level: float, over: str) -> Interval | None:
        """Return the equal-tailed interval; None with fewer than two draws or without an error."""
        if self.ts.size < 2 or not 0 < self.error < np.inf:
            return None
        tail = (1 - level) / 2
        high, low = np.quantile(self.ts, [tail, 1 - tail])
        limits = np.tanh(self.value - self.error * np.array([low, high]))
        return Interval(
            float(limits[0]), float(limits[1]), level, f"studentised bootstrap over {over}"
        )


def studentised_draws(statistic: FunctionOfSums, bootstrap: Bootstrap) -> StudentisedDraws:
    """Resample units and studentise each draw by its own standard error.

    Bootstrap-t (Efron and Tibshirani 1993, section 12.5) on the scale artanh(value), which
    keeps limits within −1 and 1 and makes the error of a correlation nearly the same everywhere.
    Draws are those that the other intervals take with the same seed.

    Parameters
    ----------
    statistic : FunctionOfSums
    bootstrap : Bootstrap

    Returns
    -------
    StudentisedDraws
    """
    value, error = _on_scale(statistic, np.ones((1, statistic.n_units)))
    # Weights, influences and a product of them.
    blocks = [
        _on_scale(statistic, weights)
        for weights in multiplicities(np.ones(statistic.n_units), bootstrap, cells_per_unit=3)
    ]
    values, errors = (np.concatenate(side) for side in zip(*blocks, strict=True))
    good = np.isfinite(values) & np.isfinite(errors) & (errors > VANISHING * error[0])
    ts = (values[good] - value[0]) / errors[good]
    return StudentisedDraws(float(value[0]), float(error[0]), ts, int((~good).sum()))


def _on_scale(statistic: FunctionOfSums, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    values, errors = statistic.with_errors(weights)
    inside = (np.abs(values) < 1 - ROUNDING) & (errors > ROUNDING)
    kept = np.where(inside, values, 0.0)
    return (
        np.where(inside, np.arctanh(kept), np.nan),
        np.where(inside, errors / (1 - kept**2), np.nan),
    )


def is_function_of_sums(coefficient: WeightedCoefficient, arrangement: Arrangement) -> bool:
    """Say whether a correlation is a smooth function of sums over rows, which has a gradient."""
    return coefficient == "pearson" or arrangement == "by row"


def correlation_with_gradient(
    first: FloatArray,
    second: FloatArray,
    coefficient: WeightedCoefficient,
    arrangement: Arrangement,
) -> FunctionOfSums:
    """Write a correlation of matrices as a function of sums over their rows.

    Parameters are those of `weighted_correlation`, whose values these are.

    Raises
    ------
    ValueError
        If it is none, see `is_function_of_sums`.
    """
    if not is_function_of_sums(coefficient, arrangement):
        raise ValueError(
            f"no studentised interval of {coefficient} of {arrangement} scores, whose ranks change "
            "from draw to draw: choose percentile or bca"
        )
    statistic = correlation_of_sums(first, second, coefficient, arrangement)
    gradients = {"by row": _gradient_of_mean, "column means": _gradient_of_column_means}
    return FunctionOfSums(statistic, gradients.get(arrangement, _gradient_of_mean_r))


def _gradient_of_mean(sums: FloatArray, values: FloatArray) -> FloatArray:
    count = np.where(sums[:, 1] > 0, sums[:, 1], np.nan)
    return np.stack([1 / count, -values / count], axis=1)


def _gradient_of_mean_r(sums: FloatArray, values: FloatArray) -> FloatArray:
    """Return the derivatives of each part's r by n, x, y, xx, yy and xy, shared out over parts."""
    by_part = sums.reshape(-1, SUMS_OF_R)
    r = r_of_sums(by_part)
    usable = np.isfinite(r)
    n, x, y, xx, yy, _ = np.where(usable[:, None], by_part, [1, 0, 0, 1, 1, 0]).T
    x, y = x / n, y / n
    x_spread, y_spread = xx / n - x * x, yy / n - y * y
    scale, half = 1 / np.sqrt(x_spread * y_spread), np.where(usable, r, 0.0) / 2
    by_sum = [
        x * y * scale - half * (x * x / x_spread + y * y / y_spread),
        2 * half * x / x_spread - y * scale,
        2 * half * y / y_spread - x * scale,
        -half / x_spread,
        -half / y_spread,
        scale,
    ]
    gradients = np.where(usable, np.stack(by_sum) / n, 0.0).T.reshape(len(sums), -1)
    defined = np.maximum(usable.reshape(len(sums), -1).sum(axis=1), 1)
    return np.asarray(gradients / defined[:, None], dtype=np.float64)


def _gradient_of_column_means(sums: FloatArray, values: FloatArray) -> FloatArray:
    counts, *totals = np.split(sums, 3, axis=1)
    counts = np.where(counts > 0, counts, np.nan)
    means = [total / counts for total in totals]
    x, y = (_standardised(side) for side in means)
    by_means = [
        (other - values[:, None] * own) / spread[:, None]
        for (own, spread), (other, _) in ((x, y), (y, x))
    ]
    members = np.isfinite(counts).sum(axis=1, keepdims=True)
    by_totals = [side / (counts * members) for side in by_means]
    by_counts = -sum(side * mean for side, mean in zip(by_totals, means, strict=True))
    gradient = np.hstack([by_counts, *by_totals])
    return np.where(np.isfinite(values)[:, None], np.nan_to_num(gradient), 0.0)


def _standardised(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each row standardised over what is present, and its standard deviation."""
    known = np.isfinite(values)
    counts = np.maximum(known.sum(axis=1, keepdims=True), 1)
    centred = values - np.where(known, values, 0.0).sum(axis=1, keepdims=True) / counts
    spread = np.sqrt(np.where(known, centred**2, 0.0).sum(axis=1, keepdims=True) / counts)
    spread = np.where(spread > 0, spread, np.nan)
    return centred / spread, spread[:, 0]
