"""The planning report: where the variance of ratings comes from, and what a new study needs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from decimal import ROUND_CEILING, Decimal
from functools import partial

import numpy as np
from numpy.typing import NDArray

from analysis.data.selection import scale_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import NO_PERSONS, ratings_of_persons
from analysis.estimates.evaluation import scale_aspects_asked
from analysis.filter.question import Question
from analysis.reports.content import Asked, Content
from analysis.reports.planning.correlations import Correlations, correlations_for
from analysis.reports.planning.ways import VotesOfAspect, WaysCompared, compared_ways, planned_votes
from analysis.stats.planning.plan_checks import (
    PlanCheck,
    check_correlation,
    check_metric_difference,
    check_system_mean,
)
from analysis.stats.planning.study_planner import (
    Plan,
    attenuation,
    is_flat,
    margin_of_system_difference,
    margin_of_system_mean,
    power_of_metric_difference,
    segments_for_correlation,
    segments_for_metric_difference,
    segments_for_system_difference,
    segments_for_system_mean,
    spread_of_correlation,
    spread_of_metric_difference,
    z_of,
)
from analysis.stats.planning.variance_components import VarianceComponents, variance_components
from analysis.stats.results import Undefined

SEGMENTS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
RATERS = (1, 2, 3, 5, 8, 12)
WAYS_TRIED = 3_000_000
MOST_CELLS = 50_000
"""Outputs whose texts and ratings ways are compared on, about: of larger studies a sample."""
Found = VarianceComponents | Undefined


@dataclass(frozen=True)
class Components:
    """Variance components, whether raters are one of them, and the Eρ² of as large a study."""

    estimates: Mapping[str, float]
    shares: Mapping[str, float]
    systems: int
    segments: int
    raters: int
    cells: int
    details: Mapping[str, int]
    signature: str
    crossed: bool
    generalizability: float


@dataclass(frozen=True)
class AspectComponents:
    """The variance components of an aspect, or why there are none."""

    aspect: str
    undefined: Undefined | None
    found: Components | None


@dataclass(frozen=True)
class Reached:
    """Half-width or power of the study at hand."""

    segments: int
    raters: int
    reached: float | None


@dataclass(frozen=True)
class PanelPlan:
    """The fewest segments for a number of raters, or why there are none."""

    raters: int
    systems: int
    plan: Plan | None
    reason: str


@dataclass(frozen=True)
class Check:
    """What simulated studies of the planned size gave."""

    kind: str
    share: float
    wanted: float
    studies: int
    standard_error: float

    @property
    def is_far(self) -> bool:
        """Whether they gave another share than was planned for, by more than chance explains."""
        return abs(self.share - self.wanted) > 3 * self.standard_error


@dataclass(frozen=True)
class PlanOfStudy:
    """What a goal needs for several panels; `reached` by segments and raters."""

    goal: str
    wanted: float
    panel: int
    now: Reached
    correlations: Correlations
    segments: tuple[int, ...]
    raters: tuple[int, ...]
    reached: tuple[tuple[float | None, ...], ...]
    plans: tuple[PanelPlan, ...]
    check: Check | Undefined

    def is_enough(self, reached: float | None) -> bool:
        """Whether a size of a study reaches the goal: a power to exceed, or a half-width."""
        if reached is None:
            return False
        return reached >= self.wanted if self.goal == "metrics" else reached <= self.wanted

    @property
    def nearest(self) -> float | None:
        """What the largest study with this panel reaches: no goal is nearer."""
        return self.reached[-1][self.raters.index(self.panel)]


@dataclass(frozen=True)
class PlanningReport(Content):
    """Variance components of every aspect, the plan for one, and the plans of votes."""

    aspect: str
    aspects: tuple[str, ...]
    segments: int
    components: tuple[AspectComponents, ...]
    plan: PlanOfStudy | None
    ways: WaysCompared | None = None
    votes: tuple[VotesOfAspect, ...] = ()


def planning_report(asked: Asked) -> PlanningReport:
    """Build the report: components of every aspect, and the plan for one.

    What a new study shall reach is taken from the question; where it says nothing, from the study
    at hand. The plan, which is simulated, can be left out.
    """
    data, question = asked.data, asked.question
    aspects = scale_aspects(data)
    found = {aspect: components_of(data, question, aspect) for aspect in aspects}
    chosen = next(iter(scale_aspects_asked(data, question)), "")
    components = found.get(chosen)
    return PlanningReport(
        aspect=chosen,
        aspects=tuple(aspects),
        segments=len(select(data, question).segments),
        components=tuple(_of_aspect(aspect, result) for aspect, result in found.items()),
        plan=(
            _plan(data, question.but(aspect=chosen), components)
            if not asked.early and isinstance(components, VarianceComponents)
            else None
        ),
        ways=compared_ways(data, question, chosen) if chosen and not asked.early else None,
        votes=tuple(planned_votes(data, question)),
    )


def components_of(data: StudyData, question: Question, aspect: str) -> Found:
    """Return the variance components of an aspect, with raters crossed where most segments allow.

    Segments that the same raters rated are one batch. Where hardly any raters share segments, or
    raters are not identified, ratings are taken as slots: differences of raters are part of the
    noise.
    """
    ratings = ratings_of_persons(data, question, aspect)
    variant = {"human": question.scores}
    if not np.isfinite(ratings).any():
        return Undefined(NO_PERSONS, 0, "segments")
    rated_by: NDArray[np.bool_] = np.asarray(np.isfinite(ratings).any(axis=1))
    _, panels = np.unique(rated_by, axis=0, return_inverse=True)
    if data.are_unnamed(data.aspect_mask(aspect)):
        return variance_components(ratings, columns="slots", variant=variant)
    crossed = variance_components(ratings, batches=panels.ravel(), variant=variant)
    rated = int(rated_by.any(axis=1).sum())
    if isinstance(crossed, VarianceComponents) and 2 * crossed.segments >= rated:
        return crossed
    return variance_components(ratings, columns="slots", variant=variant)


def _of_aspect(aspect: str, found: Found) -> AspectComponents:
    if isinstance(found, Undefined):
        return AspectComponents(aspect, found, None)
    facts = Components(
        **asdict(found),
        shares=found.shares(),
        crossed="rater" in found.estimates,
        generalizability=found.generalizability(found.segments, found.raters),
    )
    return AspectComponents(aspect, None, facts)


def _plan(data: StudyData, question: Question, components: VarianceComponents) -> PlanOfStudy:
    """Return what the goal needs for several panels, and what every size would reach."""
    panel = question.panel or components.raters
    correlations = correlations_for(data, question)
    goal = _Goal(question, components, correlations)
    now = goal.reached(components.segments, components.raters)
    wanted = question.half_width or goal.half(now, panel)
    if question.goal == "metrics":
        wanted = question.power
    panels = sorted({*RATERS, panel})
    plans = {raters: goal.plan(wanted, raters) for raters in panels}
    return PlanOfStudy(
        goal=question.goal,
        wanted=wanted,
        panel=panel,
        now=Reached(components.segments, components.raters, now),
        correlations=correlations,
        segments=SEGMENTS,
        raters=tuple(panels),
        reached=tuple(tuple(goal.reached(size, raters) for raters in panels) for size in SEGMENTS),
        plans=tuple(
            PanelPlan(raters, components.systems, None, plan.reason)
            if isinstance(plan, Undefined)
            else PanelPlan(raters, components.systems, plan, "")
            for raters, plan in plans.items()
        ),
        check=_checked(goal.check(plans[panel])),
    )


def _checked(found: PlanCheck | Undefined) -> Check | Undefined:
    if isinstance(found, Undefined):
        return found
    return Check("check", **asdict(found), standard_error=found.standard_error)


def rounded_up(width: float) -> float:
    """Return a half-width with two digits that is not below it.

    Examples
    --------
    >>> rounded_up(0.1234), rounded_up(7.01), rounded_up(25.0)
    (0.13, 7.1, 25.0)
    """
    unit = Decimal(1).scaleb(Decimal(str(width)).adjusted() - 1)
    return float(Decimal(str(width)).quantize(unit, ROUND_CEILING))


class _Goal:
    """What a study is planned for: what each size reaches, and the size that reaches enough."""

    def __init__(
        self, question: Question, components: VarianceComponents, correlations: Correlations
    ) -> None:
        self.goal = question.goal
        self.components = components
        self.first, self.second, self.between = correlations.numbers()
        self.reason = correlations.reason
        if self.goal in ("correlation", "metrics") and is_flat(components):
            self.reason = "the outputs do not differ beyond the noise of the raters"
        self._spreads: dict[int, float] = {}

    def spread(self, raters: int) -> float:
        """Return the spread of a correlation, or of a difference of two, for a panel."""
        if raters not in self._spreads:
            one = partial(spread_of_correlation, self.components, self.first)
            two = partial(
                spread_of_metric_difference,
                *(self.components, self.first, self.second, self.between),
            )
            self._spreads[raters] = one(raters) if self.goal == "correlation" else two(raters)
        return self._spreads[raters]

    def reached(self, segments: int, raters: int) -> float | None:
        """Return the half-width or the power of a study of this size."""
        if self.goal == "difference":
            return margin_of_system_difference(self.components, segments, raters)
        if self.goal == "mean":
            return margin_of_system_mean(self.components, segments, raters)
        if self.reason:
            return None
        if self.goal == "correlation":
            return float(z_of(0.95) * self.spread(raters) / segments**0.5)
        gap = abs(self.first - self.second) * attenuation(self.components, raters)
        return power_of_metric_difference(gap, self.spread(raters), segments)

    def half(self, now: float | None, raters: int) -> float:
        """Return half of what the study at hand reaches, or the least that any size reaches."""
        wanted = now / 2 if now else 0.0
        least = self.reached(SEGMENTS[-1], raters)
        if least and isinstance(self.plan(wanted, raters), Undefined):
            return rounded_up(least)
        return wanted

    def plan(self, wanted: float, raters: int) -> Plan | Undefined:
        """Return the fewest segments for a panel."""
        if not wanted:
            return Undefined(self.reason or "the study at hand has no noise to plan against")
        if self.goal == "difference":
            return segments_for_system_difference(self.components, wanted, raters)
        if self.goal == "mean":
            return segments_for_system_mean(self.components, wanted, raters)
        if self.reason:
            return Undefined(self.reason)
        if self.goal == "correlation":
            return segments_for_correlation(self.components, self.first, wanted, raters)
        return segments_for_metric_difference(
            self.components, self.first, self.second, self.between, raters, power=wanted
        )

    def check(self, plan: Plan | Undefined) -> PlanCheck | Undefined:
        """Simulate studies of the planned size."""
        if isinstance(plan, Undefined):
            return plan
        if self.goal in ("difference", "mean"):
            return check_system_mean(self.components, plan, difference=self.goal == "difference")
        if self.goal == "correlation":
            return check_correlation(self.components, self.first, plan)
        return check_metric_difference(self.components, self.first, self.second, self.between, plan)


def planning_cost(question: Question, ratings: int, cells: int, metrics: int) -> int:
    """Estimate the work as `Snapshot.cost` counts it, from measured times."""
    planned = 8_000_000 if question.goal in ("difference", "mean") else 60_000_000
    if question.goal in ("correlation", "metrics") and None in (question.first, question.second):
        planned += metrics * cells * 20
    return planned + 20 * ratings + WAYS_TRIED + 200 * min(cells, MOST_CELLS)
