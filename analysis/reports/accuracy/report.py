"""The accuracy report: correlations corrected for noise, and how often metrics are right."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from analysis.data.named_metric import LeftOutMetric, NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.selection import rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.ceilings import NO_PERSONS, ceilings, ratings_of_persons
from analysis.estimates.comparisons import bootstrap_of
from analysis.estimates.correlations import (
    Pairing,
    correlation_variant,
    human_side,
    lay_beside,
    system_names,
)
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Content
from analysis.stats.agreement.noise_ceiling import corrected_steps
from analysis.stats.agreement.reliability import RatedSegments
from analysis.stats.agreement.split_half import split_halves
from analysis.stats.correlation.system_accuracy import (
    pairwise_system_accuracy,
    soft_pairwise_accuracy,
    system_accuracy_steps,
)
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.correlation.tie_calibration import calibrated_tie_steps, crossings_of
from analysis.stats.resampling.permutation import Permutation
from analysis.stats.resampling.resampled_sums import ResampledResult, known, resampled_together
from analysis.stats.results import Result, Undefined
from corpus.progress import ProgressCallback

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


def accuracy_report(data: StudyData, question: Question, tell: ProgressCallback) -> AccuracyReport:
    """Build the report of one aspect, the first where none is asked for.

    A metric of unknown orientation is left out: no side of it can be right.
    """
    question = question.but(
        aspect=aspect_asked(data, question), level="segment", orientation="oriented"
    )
    cells = select(data, question)
    picked = pick(data, question, question.aspect)
    columns = picked.taken
    ratings = ratings_of_persons(data, question, question.aspect)
    rated = RatedSegments.of(ratings)
    people = human_side(data, question, question.aspect)
    rows, left_out = [], []
    wanted: list[tuple[dict[str, Result], str]] = []

    def computations() -> Iterator[ResampledResult]:
        for done, column in enumerate(columns):
            tell("metrics", done, len(columns))
            pairing = lay_beside(data, question, column, people)
            if pairing.note:
                left_out.append(LeftOutMetric(**label_of(column), reason=pairing.note))
                continue
            results: dict[str, Result] = {}
            rows.append(MetricAccuracy(**label_of(column), results=results))
            for name, steps in zip(NAMES, _steps(pairing, rated, question), strict=True):
                wanted.append((results, name))
                yield steps

    for result, (results, name) in zip(
        resampled_together(computations(), bootstrap_of(question)), wanted, strict=True
    ):
        results[name] = result
        if name.endswith("corrected") and not rated.counts.any():
            results[name] = Undefined(NO_PERSONS, signature=result.signature)
    halves = split_halves(
        ratings,
        [partial(statistic, bootstrap=None) for statistic in HALVES.values()],
        seed=question.seed,
    )
    return AccuracyReport(
        aspect=question.aspect,
        aspects=tuple(rated_aspects(data)),
        picked=picked.choice,
        systems=system_names(data, cells),
        segments=len(cells.segments),
        rows=tuple(rows),
        left_out=tuple(left_out),
        ceilings=ceilings(data, question, question.aspect, bootstrap_of(question)),
        halves=dict(zip(HALVES, halves, strict=True)),
    )


def _steps(pairing: Pairing, rated: RatedSegments, question: Question) -> Iterator[ResampledResult]:
    """Yield the computations of a metric in the order of `NAMES`."""
    bootstrap, metric, human = bootstrap_of(question), pairing.metric, pairing.human
    variant = correlation_variant(pairing, question)
    common: Any = {"bootstrap": bootstrap, "variant": variant}
    yield corrected_steps(metric, rated, **common)
    yield corrected_steps(metric, rated, level="system", **common)
    yield system_accuracy_steps(metric, human, **common)
    flips = Permutation(question.resamples, question.seed)
    yield known(soft_pairwise_accuracy(metric, human, permutation=flips, variant=variant))
    crossings = crossings_of(metric, human)
    yield calibrated_tie_steps(crossings, folds=FOLDS, seed=question.seed, **common)
    yield calibrated_tie_steps(crossings, **common)
