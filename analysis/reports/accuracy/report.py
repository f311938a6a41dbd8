"""The accuracy report: correlations corrected for noise, and how often metrics are right."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis.data.named_metric import LeftOutMetric, NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.selection import MetricColumn, rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import NO_PERSONS, ceilings, ratings_of_persons
from analysis.estimates.correlations import (
    HumanSide,
    Pairing,
    align,
    correlation_variant,
    human_side,
    system_names,
)
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Asked, Content
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
class AccuracyReport(Content):
    """The metrics of an aspect, and what the noise of its raters allows."""

    aspect: str
    aspects: tuple[str, ...]
    picked: MetricChoice | None = None
    systems: tuple[str, ...]
    segments: int
    rows: tuple[MetricAccuracy, ...]
    left_out: tuple[LeftOutMetric, ...]
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
    cells = select(data, question)
    picked = pick(data, question, question.aspect)
    ratings = ratings_of_persons(data, question, question.aspect)
    rated = RatedSegments.of(ratings)
    people = human_side(data, question, question.aspect)
    steps: list[InPieces[Any]] = [
        values_of(
            [
                partial(_of_metric, data, question, column, people, rated, bootstrap)
                for column in picked.taken
            ]
        ),
        values_of([partial(ceilings, data, question, question.aspect, bootstrap)]),
    ]
    if bootstrap:
        statistics = [partial(statistic, bootstrap=None) for statistic in HALVES.values()]
        steps.append(split_half_steps(ratings, statistics, seed=question.seed))
    metrics, [ceiling], *halves = put_together(steps, asked.divide, asked.progress)
    return AccuracyReport(
        aspect=question.aspect,
        aspects=tuple(rated_aspects(data)),
        picked=picked.choice,
        systems=system_names(data, cells),
        segments=len(cells.segments),
        rows=tuple(each for each in metrics if isinstance(each, MetricAccuracy)),
        left_out=tuple(each for each in metrics if isinstance(each, LeftOutMetric)),
        ceilings=ceiling,
        halves=dict(zip(HALVES, *halves, strict=True)) if halves else {},
    )


def _of_metric(
    data: StudyData,
    question: Question,
    column: MetricColumn,
    people: HumanSide,
    rated: RatedSegments,
    bootstrap: Bootstrap,
) -> MetricAccuracy | LeftOutMetric:
    """Return the results of a metric, or why it is left out."""
    pairing = align(data, question, column, people)
    if pairing.note:
        return LeftOutMetric(**label_of(column), reason=pairing.note)
    names, computations = zip(*_steps(pairing, rated, question, bootstrap), strict=True)
    results = dict(zip(names, resampled_together(computations, bootstrap), strict=True))
    if not rated.counts.any():
        for name in ("segment_corrected", "system_corrected"):
            results[name] = Undefined(NO_PERSONS, signature=results[name].signature)
    return MetricAccuracy(**label_of(column), results=results)


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
