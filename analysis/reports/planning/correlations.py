"""The correlations that a study of metrics is planned for: stated, or of the study at hand."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from cattrs import override

from analysis.data.arrays import Floats
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.picking import MetricChoice
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import ratings_of_persons
from analysis.estimates.correlations import Pairing, correlation_variant, metrics_of_aspect
from analysis.filter.question import Question
from analysis.stats.agreement.noise_ceiling import corrected_correlation
from analysis.stats.agreement.reliability import RatedSegments
from analysis.stats.correlation.pearson import pearson_r
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate

SAME = 1e-9
NEARLY_PERFECT = 0.99
"""Correlations corrected for noise may exceed 1, which no metric can have: they are taken so."""
CORRELATIONS: Mapping[str, tuple[str, ...]] = {
    "correlation": ("first",),
    "metrics": ("first", "second", "between"),
}
"""Of each goal, the correlations that are planned for."""


@dataclass(frozen=True)
class Correlations:
    """Correlations to plan for: of two metrics with noise-free scores, and with each other."""

    metrics: tuple[NamedMetric, ...]
    reason: str
    first: float | None
    second: float | None
    between: float | None
    picked: Annotated[MetricChoice | None, override(omit_if_default=True)] = None

    def has(self, goal: str) -> bool:
        """Return whether all are known that a goal needs."""
        return all(getattr(self, name) is not None for name in CORRELATIONS.get(goal, ()))

    def numbers(self) -> tuple[float, float, float]:
        """Return the three, NaN for those that are not known."""
        first, second, between = (
            np.nan if each is None else each for each in (self.first, self.second, self.between)
        )
        return first, second, between


def correlations_for(data: StudyData, question: Question) -> Correlations:
    """Return the correlations to plan for: those asked for, else of the study's best metrics."""
    found = Correlations((), "", question.first, question.second, question.between)
    if not found.has(question.goal):
        found = _of_study(data, question, found)
    if not found.has(question.goal):
        reason = "fewer than two metrics of this study can be correlated with human scores"
        return replace(found, reason=reason)
    if question.goal == "metrics":
        return replace(found, reason=_impossible(*found.numbers()))
    return found


def _of_study(data: StudyData, question: Question, asked: Correlations) -> Correlations:
    """Fill in the corrected correlations of the two best metrics, and theirs with each other."""
    rated = RatedSegments.of(ratings_of_persons(data, question, question.aspect))
    corrected: list[tuple[float, Pairing]] = []
    metrics = metrics_of_aspect(data, question.but(orientation="oriented"))
    for pairing in metrics.pairings:
        result = corrected_correlation(
            pairing.metric,
            rated,
            bootstrap=Bootstrap(0),
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
    first, second = [*values, None, None][:2]
    return replace(
        asked,
        metrics=tuple(NamedMetric(**label_of(pairing.column)) for _, pairing in best),
        first=first if asked.first is None else asked.first,
        second=second if asked.second is None else asked.second,
        between=between if asked.between is None else asked.between,
        picked=metrics.picked.choice,
    )


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
        f"no two metrics can have the correlations {first:.3f} and {second:.3f} with human scores "
        f"and {between:.3f} with each other: choose others"
    )
