"""The accuracy report: correlations corrected for noise, and how often metrics are right."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import rated_aspects
from analysis.estimates.ceilings import NO_PERSONS, ceilings, ratings_of_persons
from analysis.estimates.correlations import Pairing, correlation_variant, metrics_of_aspect
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Asked, OfMetrics, facts_of
from analysis.stats.agreement.noise_ceiling import corrected_steps
from analysis.stats.agreement.reliability import RatedSegments, split_half_steps
from analysis.stats.correlation.system_accuracy import (
    pairwise_system_accuracy,
    soft_pairwise_accuracy,
    system_accuracy_steps,
)
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.correlation.tie_calibration import calibrated_tie_steps, crossings_of
from analysis.stats.pieces import InPieces, put_together, values_of
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.resampling.resampled_sums import ResampledResult, known, resampled_together
from analysis.stats.results import Result, Undefined

FOLDS = 5
NAMES = {
    "segment_corrected": "Segment r, corrected",
    "system_corrected": "System r, corrected",
    "system_pairs": "Pairs of systems",
    "soft_system_pairs": "Pairs of systems, soft",
    "ties_cross_fitted": "Pairs of outputs, ties cross-fitted",
    "ties_in_sample": "Pairs of outputs, ties in-sample",
}
HALVES = {"tau-like": tau_like, "system_pairs": pairwise_system_accuracy}
"""What one half of the raters says of the other, by the name in the report."""


@dataclass(frozen=True, kw_only=True)
class MetricAccuracy(NamedMetric):
    """A metric with the results of `NAMES`."""

    results: Mapping[str, Result]


@dataclass(frozen=True, kw_only=True)
class AccuracyReport(OfMetrics):
    """The metrics of an aspect, and what the noise of its raters allows."""

    rows: tuple[MetricAccuracy, ...]
    ceilings: Mapping[str, Result]
    halves: Mapping[str, Result]


def accuracy_report(asked: Asked) -> AccuracyReport:
    """Build the report of one aspect, the first where none is asked for.

    A metric of unknown orientation is left out: no side of it can be right. Where nothing is drawn,
    soft accuracies are missing, which are made of p-values, and drawn halves of the raters.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    question = question.but(
        aspect=aspect_asked(data, question), level="segment", orientation="oriented"
    )
    metrics = metrics_of_aspect(data, question)
    ratings = ratings_of_persons(data, question, question.aspect)
    rated = RatedSegments.of(ratings)
    steps: list[InPieces[Any]] = [
        values_of(
            [partial(_of_metric, each, rated, question, bootstrap) for each in metrics.pairings]
        ),
        values_of([partial(ceilings, data, question, question.aspect, bootstrap)]),
    ]
    if bootstrap:
        statistics = [partial(statistic, bootstrap=None) for statistic in HALVES.values()]
        steps.append(split_half_steps(ratings, statistics, seed=question.seed))
    rows, [ceiling], *halves = put_together(steps, asked.divide, asked.progress)
    return AccuracyReport(
        **facts_of(data, metrics),
        aspects=tuple(rated_aspects(data)),
        rows=tuple(rows),
        ceilings=ceiling,
        halves=dict(zip(HALVES, *halves, strict=True)) if halves else {},
    )


def _of_metric(
    pairing: Pairing, rated: RatedSegments, question: Question, bootstrap: Bootstrap
) -> MetricAccuracy:
    """Return the results of a metric."""
    names, computations = zip(*_steps(pairing, rated, question, bootstrap), strict=True)
    results = dict(zip(names, resampled_together(computations, bootstrap), strict=True))
    if not rated.counts.any():
        for name in ("segment_corrected", "system_corrected"):
            results[name] = Undefined(NO_PERSONS, signature=results[name].signature)
    return MetricAccuracy(**label_of(pairing.column), results=results)


def _steps(
    pairing: Pairing, rated: RatedSegments, question: Question, bootstrap: Bootstrap
) -> Iterator[tuple[str, ResampledResult]]:
    """Yield the computations of a metric with their names."""
    metric, human = pairing.metric, pairing.human
    variant = correlation_variant(pairing, question)
    common: Any = {"bootstrap": bootstrap, "variant": variant}
    yield "segment_corrected", corrected_steps(metric, rated, **common)
    yield "system_corrected", corrected_steps(metric, rated, level="system", **common)
    yield "system_pairs", system_accuracy_steps(metric, human, **common)
    if bootstrap:
        flips = Permutation(question.resamples, question.seed)
        soft = soft_pairwise_accuracy(metric, human, permutation=flips, variant=variant)
        yield "soft_system_pairs", known(soft)
    crossings = crossings_of(metric, human)
    fitted = calibrated_tie_steps(crossings, folds=FOLDS, seed=question.seed, **common)
    yield "ties_cross_fitted", fitted
    yield "ties_in_sample", calibrated_tie_steps(crossings, **common)
