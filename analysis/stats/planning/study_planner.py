"""How many segments and raters the means of systems need, from components of an earlier study."""

from __future__ import annotations

import math
from dataclasses import dataclass

import scipy

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


def margin_of_system_difference(
    components: VarianceComponents, segments: int, raters: int, *, level: float = 0.95
) -> float:
    """Return the half-width of the interval of the difference of two systems' means.

    z √(2 × relative error) over new segments and raters, every rater rating all
    (`VarianceComponents.relative_error`).
    """
    return z_of(level) * math.sqrt(2 * components.relative_error(segments, raters))


def margin_of_system_mean(
    components: VarianceComponents, segments: int, raters: int, *, level: float = 0.95
) -> float:
    """Return the half-width of the interval of one system's mean over new segments and raters.

    z √(absolute error): what shifts all systems alike counts as well
    (`VarianceComponents.absolute_error`).
    """
    return z_of(level) * math.sqrt(components.absolute_error(segments, raters))


def segments_for_system_difference(
    components: VarianceComponents, half_width: float, raters: int, *, level: float = 0.95
) -> Plan | Undefined:
    """Find the fewest segments for an interval of a system difference of given half-width.

    Parameters
    ----------
    components : VarianceComponents
    half_width : float
        In units of the ratings.
    raters : int
    level : float

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
    if half_width <= 0 or raters < 1:
        raise ValueError("half-width and raters must be above zero")
    name = signature("plan-system-difference", half_width=half_width, confidence=level)
    allowed = (half_width / z_of(level)) ** 2 / 2 - components.of("system × rater") / raters
    per_segment = components.of("system × segment") + components.of("residual") / raters
    if allowed <= 0:
        reason = "raters differ too much in how they see the systems: more raters are needed"
        return Undefined(reason, raters, "raters", name)
    segments = max(2, math.ceil(per_segment / allowed - 1e-9))
    expected = margin_of_system_difference(components, segments, raters, level=level)
    return plan_of(segments, raters, components.systems, expected, name)


def segments_for_system_mean(
    components: VarianceComponents, half_width: float, raters: int, *, level: float = 0.95
) -> Plan | Undefined:
    """Find the fewest segments for an interval of one system's mean of given half-width.

    Parameters, result and errors are those of `segments_for_system_difference`; here the severity
    of few raters sets the limit.
    """
    if half_width <= 0 or raters < 1:
        raise ValueError("half-width and raters must be above zero")
    name = signature("plan-system-mean", half_width=half_width, confidence=level)
    limit = components.absolute_error(math.inf, raters)
    per_segment = components.absolute_error(1, raters) - limit
    allowed = (half_width / z_of(level)) ** 2 - limit
    if allowed <= 0:
        reason = "raters differ too much in how severe they are: more raters are needed"
        return Undefined(reason, raters, "raters", name)
    segments = max(2, math.ceil(per_segment / allowed - 1e-9))
    expected = margin_of_system_mean(components, segments, raters, level=level)
    return plan_of(segments, raters, components.systems, expected, name)


def plan_of(segments: int, raters: int, systems: int, expected: float, name: str) -> Plan:
    """Return the plan of a study in which every rater rates everything."""
    return Plan(segments, raters, systems, segments * systems * raters, expected, name)


def z_of(level: float) -> float:
    """Return the quantile of the normal distribution for a two-sided interval."""
    return float(scipy.stats.norm.ppf((1 + level) / 2))
