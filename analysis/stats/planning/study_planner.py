"""How many segments and raters means of systems and correlations need, by an earlier study."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy

from analysis.stats.arrays import FloatArray
from analysis.stats.planning.variance_components import VarianceComponents
from analysis.stats.results import Undefined
from analysis.stats.signature import signature


@dataclass(frozen=True, slots=True)
class Plan:
    """A study large enough for what was asked.

    Parameters
    ----------
    segments, raters, systems : int
        Every output of every system on every segment is rated by `raters`.
    ratings : int
        What human raters must give: segments × systems × raters.
    expected : float
        Half-width of the interval, or power, that this size is expected to have.
    signature : str
    """

    segments: int
    raters: int
    systems: int
    ratings: int
    expected: float
    signature: str


LEVEL = 0.95


def margin_of_system_difference(
    components: VarianceComponents, segments: int, raters: int
) -> float:
    """Return the half-width of the interval of the difference of two systems' means.

    z √(2 × relative error) over new segments and raters, every rater rating all
    (`VarianceComponents.relative_error`).
    """
    return z_of(LEVEL) * math.sqrt(2 * components.relative_error(segments, raters))


def margin_of_system_mean(components: VarianceComponents, segments: int, raters: int) -> float:
    """Return the half-width of the interval of one system's mean over new segments and raters.

    z √(absolute error): what shifts all systems alike counts as well
    (`VarianceComponents.absolute_error`).
    """
    return z_of(LEVEL) * math.sqrt(components.absolute_error(segments, raters))


def segments_for_system_difference(
    components: VarianceComponents, half_width: float, raters: int
) -> Plan | Undefined:
    """Find the fewest segments for an interval of a system difference of given half-width.

    Parameters
    ----------
    components : VarianceComponents
    half_width : float
        In units of the ratings.
    raters : int

    Returns
    -------
    Plan or Undefined
        Undefined where raters that favour systems differently keep the interval wider however many
        segments there are: more raters are needed.

    Raises
    ------
    ValueError
        If the half-width or the number of raters is not above zero.
    """
    reason = "raters differ too much in how they see the systems: more raters are needed"
    of_error = components.relative_error
    return _of_means("plan-system-difference", components, of_error, 2, half_width, raters, reason)


def segments_for_system_mean(
    components: VarianceComponents, half_width: float, raters: int
) -> Plan | Undefined:
    """Find the fewest segments for an interval of one system's mean of given half-width.

    Parameters, result and errors are those of `segments_for_system_difference`; here the severity
    of few raters sets the limit.
    """
    reason = "raters differ too much in how severe they are: more raters are needed"
    of_error = components.absolute_error
    return _of_means("plan-system-mean", components, of_error, 1, half_width, raters, reason)


def _of_means(
    statistic: str,
    components: VarianceComponents,
    error: Callable[[float, float], float],
    means: int,
    half_width: float,
    raters: int,
    reason: str,
) -> Plan | Undefined:
    """Find the fewest segments for an interval of so many means; undefined if none are enough."""
    if half_width <= 0 or raters < 1:
        raise ValueError("half-width and raters must be above zero")
    name = signature(statistic, half_width=half_width, confidence=LEVEL)
    limit = error(math.inf, raters)
    allowed = (half_width / z_of(LEVEL)) ** 2 / means - limit
    if allowed <= 0:
        return Undefined(reason, raters, "raters", name)
    segments = max(2, math.ceil((error(1, raters) - limit) / allowed - 1e-9))
    expected = z_of(LEVEL) * math.sqrt(means * error(segments, raters))
    return plan_of(segments, raters, components.systems, expected, name)


def plan_of(segments: int, raters: int, systems: int, expected: float, name: str) -> Plan:
    """Return the plan of a study in which every rater rates everything."""
    return Plan(segments, raters, systems, segments * systems * raters, expected, name)


def z_of(level: float) -> float:
    """Return the quantile of the normal distribution for a two-sided interval."""
    return float(scipy.stats.norm.ppf((1 + level) / 2))


SEGMENTS_SIMULATED = 20_000
SEED = 20190604
TRUE_SOURCES = ("system", "segment", "system × segment")
NOISE_SOURCES = ("rater", "segment × rater", "system × rater", "residual")


def segments_for_correlation(
    components: VarianceComponents, correlation: float, half_width: float, raters: int
) -> Plan | Undefined:
    """Find the fewest segments for an interval of pooled Pearson's r of given half-width.

    Parameters
    ----------
    components : VarianceComponents
    correlation : float
        Of the metric with scores that endlessly many raters would give.
    half_width : float
    raters : int

    Returns
    -------
    Plan or Undefined
        For an interval by resampling segments, see `segments_for_metric_difference`.

    Raises
    ------
    ValueError
        If the correlation is not inside (−1, 1), or half-width or raters are not above zero.
    """
    if half_width <= 0 or raters < 1 or not -1 < correlation < 1:
        raise ValueError("half-width and raters must be above zero, the correlation inside (−1, 1)")
    name = signature(
        "plan-correlation", correlation=correlation, half_width=half_width, confidence=LEVEL
    )
    if is_flat(components):
        return Undefined("the outputs do not differ in these components", 0, "segments", name)
    spread = spread_of_correlation(components, correlation, raters)
    segments = max(2, math.ceil((z_of(LEVEL) * spread / half_width) ** 2))
    expected = z_of(LEVEL) * spread / math.sqrt(segments)
    return plan_of(segments, raters, components.systems, expected, name)


def segments_for_metric_difference(
    components: VarianceComponents,
    first: float,
    second: float,
    between: float,
    raters: int,
    *,
    power: float = 0.8,
) -> Plan | Undefined:
    """Find the fewest segments that tell two metrics apart by pooled Pearson's r.

    Outputs follow the components as normal variables, the systems being the same in every study;
    each metric has its correlation with the scores of endlessly many raters and independent noise
    beyond; each segment has its own panel. The spread of the difference between the two
    correlations over samples of segments comes from its influence function, averaged over 20,000
    simulated segments. Power is that of a two-sided test, or of an interval by resampling segments
    that excludes zero.

    Parameters
    ----------
    components : VarianceComponents
    first, second, between : float
        Pearson's r of each metric with noise-free human scores, and of the two metrics.
    raters : int
    power : float

    Returns
    -------
    Plan or Undefined
        Undefined where the metrics have equal correlations: no study tells them apart.

    Raises
    ------
    ValueError
        If the three correlations cannot occur together, or another value is out of range.
    """
    determinant = 1 - first**2 - second**2 - between**2 + 2 * first * second * between
    if max(map(abs, (first, second, between))) >= 1 or determinant <= 0:
        raise ValueError("no metrics have these three correlations")
    if raters < 1 or not 0 < power < 1:
        raise ValueError("raters must be above zero, the power between 0 and 1")
    name = signature(
        "plan-metric-difference",
        between=between,
        confidence=LEVEL,
        first=first,
        power=power,
        second=second,
    )
    if first == second or is_flat(components):
        reason = "equally good metrics, or outputs without differences, cannot be told apart"
        return Undefined(reason, 0, "segments", name)
    spread = spread_of_metric_difference(components, first, second, between, raters)
    difference = abs(first - second) * attenuation(components, raters)
    needed = (z_of(LEVEL) + float(scipy.stats.norm.ppf(power))) * spread / difference
    segments = max(2, math.ceil(needed**2))
    expected = power_of_metric_difference(difference, spread, segments)
    return plan_of(segments, raters, components.systems, expected, name)


def power_of_metric_difference(difference: float, spread: float, segments: int) -> float:
    """Return the chance to tell two metrics apart.

    Parameters
    ----------
    difference : float
        Of the two correlations with the mean of the planned raters.
    spread : float
        From `spread_of_metric_difference`, for as many raters.
    """
    z = difference * math.sqrt(segments) / spread - z_of(LEVEL)
    return float(scipy.stats.norm.cdf(z))


def spread_of_correlation(components: VarianceComponents, correlation: float, raters: int) -> float:
    """Return the standard deviation of pooled r over samples of n segments, times √n."""
    noise = np.array([[1 - correlation**2]])
    return float(_influence(components, (correlation,), noise, raters).std())


def spread_of_metric_difference(
    components: VarianceComponents, first: float, second: float, between: float, raters: int
) -> float:
    """Return the standard deviation of r₁ − r₂ over samples of n segments, times √n."""
    noise = noise_of_metrics(first, second, between)
    influence = _influence(components, (first, second), noise, raters)
    return float((influence[:, 0] - influence[:, 1]).std())


def noise_of_metrics(first: float, second: float, between: float) -> FloatArray:
    """Return the covariance of two metrics' scores less noise-free scores."""
    rest = between - first * second
    return np.array([[1 - first**2, rest], [rest, 1 - second**2]])


def simulate_study(
    components: VarianceComponents,
    correlations: tuple[float, ...],
    noise: FloatArray,
    raters: int,
    segments: int,
    generator: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Draw a study with a panel of its own for each segment.

    Parameters
    ----------
    components : VarianceComponents
    correlations : tuple of float
        Of each metric with noise-free human scores.
    noise : ndarray, shape (metrics, metrics)
        Covariance of what each metric has besides them.
    raters, segments : int
    generator : Generator

    Returns
    -------
    metrics : ndarray, shape (metrics, segments, systems)
    human : ndarray, shape (segments, systems)
        Means of `raters` ratings.
    """

    def drawn(source: str, *shape: int) -> FloatArray:
        deviation = math.sqrt(components.of(source))
        return np.asarray(deviation * generator.standard_normal(shape))

    systems = components.systems
    shape = (segments, systems)
    quantiles = scipy.stats.norm.ppf((np.arange(systems) + 0.5) / systems)
    places = math.sqrt(components.of("system")) * quantiles / quantiles.std()
    truth = places + drawn("segment", segments, 1) + drawn("system × segment", *shape)
    variance = sum(components.of(part) for part in TRUE_SOURCES)
    shared = drawn("rater", segments, 1, raters) + drawn("segment × rater", segments, 1, raters)
    own = drawn("system × rater", *shape, raters) + drawn("residual", *shape, raters)
    human = truth + (shared + own).mean(axis=2)
    beside = generator.multivariate_normal(np.zeros(len(correlations)), noise, shape)
    metrics = np.array(correlations) * truth[:, :, None] / math.sqrt(variance) + beside
    return np.moveaxis(metrics, 2, 0), human


def _influence(
    components: VarianceComponents, correlations: tuple[float, ...], noise: FloatArray, raters: int
) -> FloatArray:
    """Return each segment's influence on pooled r of each metric (segments × metrics)."""
    generator = np.random.default_rng(SEED)
    scores, human = simulate_study(
        components, correlations, noise, raters, SEGMENTS_SIMULATED, generator
    )
    y = (human - human.mean()) / human.std()
    columns = []
    for score in scores:
        x = (score - score.mean()) / score.std()
        r = float((x * y).mean())
        columns.append((x * y - r * (x**2 + y**2) / 2).mean(axis=1))
    return np.column_stack(columns)


def attenuation(components: VarianceComponents, raters: int) -> float:
    """Return the correlation of noise-free scores with means of `raters` ratings."""
    true, noise = (
        sum(components.of(part) for part in parts) for parts in (TRUE_SOURCES, NOISE_SOURCES)
    )
    return math.sqrt(true / (true + noise / raters))


def is_flat(components: VarianceComponents) -> bool:
    """Say whether the outputs do not differ at all."""
    return not sum(components.of(part) for part in TRUE_SOURCES)
