"""Plans checked by simulation: studies of the planned size, drawn from the same components."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.planning.study_planner import Plan, noise_of_metrics, simulate_study
from analysis.stats.planning.variance_components import VarianceComponents
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Undefined

SEED = 20190604
MOST_STUDIES = 400
FEWEST_STUDIES = 50
LEVEL = 0.95
RATINGS_DRAWN = 30_000_000
"""In all simulated studies of a check."""
OF_BOTH = ("segment", "rater", "segment × rater")
"""Sources that shift two systems alike."""


@dataclass(frozen=True, slots=True)
class PlanCheck:
    """What simulated studies of the planned size gave.

    Parameters
    ----------
    share : float
        Of the studies, in which the estimate lay within the planned half-width of the truth, or
        in which two metrics were told apart.
    wanted : float
        What the plan promises.
    studies : int
    """

    share: float
    wanted: float
    studies: int

    @property
    def standard_error(self) -> float:
        """Of the share, if the plan keeps its promise."""
        return math.sqrt(self.wanted * (1 - self.wanted) / self.studies)


def check_system_mean(
    components: VarianceComponents, plan: Plan, *, difference: bool
) -> PlanCheck | Undefined:
    """Draw studies and count those whose mean (or difference of two) is as close as planned.

    Parameters
    ----------
    components : VarianceComponents
    plan : Plan
        Its `expected` is the half-width.
    difference : bool
        Of two systems, or the mean of one.

    Returns
    -------
    PlanCheck or Undefined
        Undefined where the planned study is too large to be drawn often.
    """
    systems = 2 if difference else 1
    sizes = {"segment": plan.segments, "system": systems, "rater": plan.raters}
    sources = [
        source
        for source in components.estimates
        if source != "system" and not (difference and source in OF_BOTH)
    ]

    def error(generator: np.random.Generator) -> float:
        means = np.zeros(systems)
        for source in sources:
            parts = tuple(sizes) if source == "residual" else source.split(" × ")
            shape = tuple(sizes[part] if part in parts else 1 for part in sizes)
            drawn = generator.standard_normal(shape).mean(axis=(0, 2))
            means = means + math.sqrt(components.of(source)) * drawn
        return float(means[0] - means[-1] if difference else means[0])

    return _share(
        lambda generator: abs(error(generator)) <= plan.expected,
        plan.segments * plan.raters * systems,
        LEVEL,
    )


def check_correlation(
    components: VarianceComponents, correlation: float, plan: Plan
) -> PlanCheck | Undefined:
    """Draw studies and count those whose r is as close to the mean r of all as planned.

    Parameters as for `analysis.stats.planning.study_planner.segments_for_correlation`.
    """
    noise = np.array([[1 - correlation**2]])
    values: list[float] = []

    def drawn(generator: np.random.Generator) -> bool:
        (metric,), human = simulate_study(
            components, (correlation,), noise, plan.raters, plan.segments, generator
        )
        values.append(float(np.corrcoef(metric.ravel(), human.ravel())[0, 1]))
        return True

    check = _share(drawn, plan.ratings, LEVEL)
    if isinstance(check, Undefined):
        return check
    near = np.abs(np.array(values) - np.mean(values)) <= plan.expected
    return PlanCheck(float(near.mean()), LEVEL, check.studies)


def check_metric_difference(
    components: VarianceComponents, first: float, second: float, between: float, plan: Plan
) -> PlanCheck | Undefined:
    """Draw studies and count those whose bootstrap interval of r₁ − r₂ tells the metrics apart.

    Parameters as for `planning.study_planner.segments_for_metric_difference`; intervals
    rest on 200 draws of segments, and must exclude zero on the right side.
    """
    noise = noise_of_metrics(first, second, between)

    def told_apart(generator: np.random.Generator) -> bool:
        (one, other), human = simulate_study(
            components, (first, second), noise, plan.raters, plan.segments, generator
        )
        (pair,) = bootstrap_differences([one, other], human, bootstrap=Bootstrap(200))
        result = pair.result
        if not isinstance(result, Estimate) or result.interval is None:
            return False
        return result.interval.low > 0 if first > second else result.interval.high < 0

    return _share(told_apart, 4 * plan.ratings, plan.expected)


def _share(
    succeeds: Callable[[np.random.Generator], bool], numbers: int, wanted: float
) -> PlanCheck | Undefined:
    """Return the share of drawn studies, each of so many random numbers, that succeed."""
    studies = min(MOST_STUDIES, RATINGS_DRAWN // max(1, numbers))
    if studies < FEWEST_STUDIES:
        reason = "a study as large as planned cannot be drawn often enough here"
        return Undefined(reason, studies, "simulated studies")
    generator = np.random.default_rng(SEED)
    share = float(np.mean([succeeds(generator) for _ in range(studies)]))
    return PlanCheck(share, wanted, studies)
