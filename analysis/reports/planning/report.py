"""The planning report: where the variance of ratings comes from, and what a new study needs."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.data.picking import pick
from analysis.data.selection import scale_aspects, select
from analysis.data.study_data import Floats, StudyData
from analysis.estimates.ceilings import NO_PERSONS, ratings_of_persons
from analysis.estimates.comparisons import bootstrap_of
from analysis.estimates.correlations import Pairing, correlation_variant, pair
from analysis.estimates.evaluation import aspects_of
from analysis.filter.question import Question
from analysis.reports.correlation.report import label_of
from analysis.stats.agreement.noise_ceiling import corrected_correlation
from analysis.stats.correlation.pearson import pearson_r
from analysis.stats.planning.metric_planner import (
    attenuation,
    is_flat,
    power_of_metric_difference,
    segments_for_correlation,
    segments_for_metric_difference,
    spread_of_correlation,
    spread_of_metric_difference,
)
from analysis.stats.planning.plan_checks import (
    PlanCheck,
    check_correlation,
    check_metric_difference,
    check_system_mean,
)
from analysis.stats.planning.study_planner import (
    Plan,
    margin_of_system_difference,
    margin_of_system_mean,
    segments_for_system_difference,
    segments_for_system_mean,
    z_of,
)
from analysis.stats.planning.variance_components import VarianceComponents, variance_components
from analysis.stats.results import Estimate, Undefined

SEGMENTS = (20, 50, 100, 200, 500, 1000, 2000, 5000)
RATERS = (1, 2, 3, 5, 8, 12)
SAME = 1e-9
NEARLY_PERFECT = 0.99
"""Correlations corrected for noise may exceed 1, which no metric can have: they are taken so."""
Found = VarianceComponents | Undefined


def planning_report(data: StudyData, question: Question) -> dict[str, Any]:
    """Build the report: components of every aspect, and the plan for one.

    What a new study shall reach is taken from the question; where it says nothing, from the study
    at hand.
    """
    aspects = aspects_of(data, "")
    found = {aspect: components_of(data, question, aspect) for aspect in aspects}
    asked = aspects_of(data, question.aspect)[0] if aspects else ""
    content: dict[str, Any] = {
        "aspect": asked,
        "aspects": scale_aspects(data),
        "segments": len(select(data, question).segments),
        "components": [_of_aspect(aspect, result) for aspect, result in found.items()],
        "plan": None,
    }
    components = found.get(asked)
    if components is None or isinstance(components, Undefined):
        return content
    return content | {"plan": _plan(data, question.but(aspect=asked), components)}


def components_of(data: StudyData, question: Question, aspect: str) -> Found:
    """Return the variance components of an aspect, with raters crossed where most segments allow.

    Segments that the same raters rated are one batch. Where hardly any raters share segments,
    ratings are taken as slots, whose raters' differences are part of the noise.
    """
    ratings = ratings_of_persons(data, question, aspect)
    variant = {"human": question.scores}
    if not np.isfinite(ratings).any():
        return Undefined(NO_PERSONS, 0, "segments")
    rated_by: NDArray[np.bool_] = np.asarray(np.isfinite(ratings).any(axis=1))
    _, panels = np.unique(rated_by, axis=0, return_inverse=True)
    crossed = variance_components(ratings, batches=panels.ravel(), variant=variant)
    rated = int(rated_by.any(axis=1).sum())
    if isinstance(crossed, VarianceComponents) and 2 * crossed.segments >= rated:
        return crossed
    return variance_components(ratings, columns="slots", variant=variant)


def _of_aspect(aspect: str, found: Found) -> dict[str, Any]:
    if isinstance(found, Undefined):
        return {"aspect": aspect, "undefined": found.to_dict(), "found": None}
    crossed = "rater" in found.estimates
    facts = found.to_dict() | {
        "crossed": crossed,
        "generalizability": found.generalizability(found.segments, found.raters),
    }
    return {"aspect": aspect, "undefined": None, "found": facts}


def _plan(data: StudyData, question: Question, components: VarianceComponents) -> dict[str, Any]:
    """Return what the goal needs for several panels, and what every size would reach."""
    panel = question.panel or components.raters
    correlations = _correlations(data, question)
    goal = _Goal(question, components, correlations)
    now = goal.reached(components.segments, components.raters)
    wanted = question.half_width or (now / 2 if now else 0.0)
    if question.goal == "metrics":
        wanted = question.power
    panels = sorted({*RATERS, panel})
    plans = {raters: goal.plan(wanted, raters) for raters in panels}
    chosen = plans[panel]
    return {
        "goal": question.goal,
        "wanted": wanted,
        "panel": panel,
        "now": {"segments": components.segments, "raters": components.raters, "reached": now},
        "correlations": correlations,
        "segments": list(SEGMENTS),
        "raters": panels,
        "reached": [[goal.reached(size, raters) for raters in panels] for size in SEGMENTS],
        "plans": [
            {"raters": raters, "systems": components.systems} | _plan_or_reason(plan)
            for raters, plan in plans.items()
        ],
        "check": goal.check(chosen).to_dict(),
    }


def _plan_or_reason(plan: Plan | Undefined) -> dict[str, Any]:
    if isinstance(plan, Undefined):
        return {"plan": None, "reason": plan.reason}
    return {"plan": plan.to_dict(), "reason": ""}


class _Goal:
    """What a study is planned for: what each size reaches, and the size that reaches enough."""

    def __init__(
        self,
        question: Question,
        components: VarianceComponents,
        correlations: Mapping[str, Any],
    ) -> None:
        self.goal = question.goal
        self.components = components
        self.first, self.second, self.between = (
            correlations[name] for name in ("first", "second", "between")
        )
        self.reason = str(correlations["reason"])
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


def _correlations(data: StudyData, question: Question) -> dict[str, Any]:
    """Return the correlations to plan for: those asked for, else of the study's best metrics."""
    given = {name: getattr(question, name) for name in ("first", "second", "between")}
    found: dict[str, Any] = {"metrics": [], "reason": "", **given}
    needed = {"correlation": ("first",), "metrics": ("first", "second", "between")}
    missing = [name for name in needed.get(question.goal, ()) if given[name] is None]
    if missing:
        found |= _of_study(data, question, given)
    for name in needed.get(question.goal, ()):
        if found[name] is None and not found["reason"]:
            found["reason"] = (
                "fewer than two metrics of this study can be correlated with human scores"
            )
    if question.goal == "metrics" and not found["reason"]:
        found["reason"] = _impossible(found["first"], found["second"], found["between"])
    return found


def _of_study(
    data: StudyData, question: Question, given: Mapping[str, float | None]
) -> dict[str, Any]:
    """Fill in the corrected correlations of the two best metrics, and theirs with each other."""
    ratings = ratings_of_persons(data, question, question.aspect)
    corrected: list[tuple[float, Pairing]] = []
    picked = pick(data, question, question.aspect)
    for column in picked.taken:
        pairing = pair(data, question.but(orientation="oriented"), column, question.aspect)
        if pairing.note:
            continue
        result = corrected_correlation(
            pairing.metric,
            ratings,
            bootstrap=bootstrap_of(question.but(resamples=100)),
            variant=correlation_variant(pairing, question),
        )
        if isinstance(result, Estimate):
            corrected.append((result.value, pairing))
    ranked = sorted(corrected, key=lambda entry: -entry[0])
    # The same scores under two names are no two metrics.
    others = [entry for entry in ranked if entry[0] < ranked[0][0] - SAME]
    best = [*ranked[:1], *others[:1]]
    values = [min(NEARLY_PERFECT, max(-NEARLY_PERFECT, value)) for value, _ in best]
    between = _between(*(pairing for _, pairing in best)) if len(best) == 2 else None
    names = ("first", "second", "between")
    of_study = dict(zip(names, [*values, *[None] * (2 - len(values)), between], strict=True))
    return {
        "metrics": [label_of(pairing.column) for _, pairing in best],
        "picked": picked.to_dict(),
        **{name: given[name] if given[name] is not None else of_study[name] for name in names},
    }


def _between(one: Pairing, other: Pairing) -> float | None:
    x, y = one.metric, other.metric
    both: Any = np.isfinite(x) & np.isfinite(y)
    values: Floats = np.array([x[both], y[both]])
    r = pearson_r(values[0], values[1])
    return min(NEARLY_PERFECT, max(-NEARLY_PERFECT, float(r)))


def _impossible(first: float, second: float, between: float) -> str:
    """Say why no metrics have three correlations; empty where some do."""
    if 1 - first**2 - second**2 - between**2 + 2 * first * second * between > 0:
        return "" if first != second else "the two metrics are equally good"
    return (
        f"no two metrics have the correlations {first:.3f} and {second:.3f} with people and "
        f"{between:.3f} with each other: state others"
    )


def planning_cost(question: Question, ratings: int, cells: int, metrics: int) -> int:
    """Estimate the work as `analysis.reports.service.cost` counts it, from measured times."""
    planned = 8_000_000 if question.goal in ("difference", "mean") else 60_000_000
    if question.goal in ("correlation", "metrics") and None in (question.first, question.second):
        planned += metrics * cells * 20
    return planned + 20 * ratings
