"""The accuracy report: correlations corrected for noise, and how often metrics are right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.data.named_metric import LeftOutMetric, NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.selection import rated_aspects, select
from analysis.data.study_data import Floats, StudyData
from analysis.estimates.ceilings import NO_PERSONS, ceilings, ratings_of_persons
from analysis.estimates.comparisons import bootstrap_of
from analysis.estimates.correlations import Pairing, correlation_variant, pair, system_names
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question
from analysis.reports.content import Content
from analysis.stats.agreement.noise_ceiling import corrected_correlation
from analysis.stats.agreement.split_half import split_half
from analysis.stats.correlation.system_accuracy import (
    pairwise_system_accuracy,
    soft_pairwise_accuracy,
)
from analysis.stats.correlation.tau_like import tau_like
from analysis.stats.correlation.tie_calibration import accuracy_with_calibrated_ties
from analysis.stats.resampling.permutation import Permutation
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
    rows, left_out = [], []
    for done, column in enumerate(columns):
        tell("metrics", done, len(columns))
        pairing = pair(data, question, column, question.aspect)
        if pairing.note:
            left_out.append(LeftOutMetric(**label_of(column), reason=pairing.note))
            continue
        results = _results(pairing, ratings, question)
        rows.append(MetricAccuracy(**label_of(column), results=results))
    halves = {
        "tau-like": split_half(
            ratings, lambda one, other: tau_like(one, other, bootstrap=None), seed=question.seed
        ),
        "system_pairs": split_half(
            ratings,
            lambda one, other: pairwise_system_accuracy(one, other, bootstrap=None),
            seed=question.seed,
        ),
    }
    return AccuracyReport(
        aspect=question.aspect,
        aspects=tuple(rated_aspects(data)),
        picked=picked.choice,
        systems=system_names(data, cells),
        segments=len(cells.segments),
        rows=tuple(rows),
        left_out=tuple(left_out),
        ceilings=ceilings(data, question, question.aspect, bootstrap_of(question)),
        halves=halves,
    )


def _results(pairing: Pairing, ratings: Floats, question: Question) -> dict[str, Result]:
    bootstrap, metric, human = bootstrap_of(question), pairing.metric, pairing.human
    variant = correlation_variant(pairing, question)
    common: Any = {"bootstrap": bootstrap, "variant": variant}
    corrected: dict[str, Result] = {
        "segment_corrected": corrected_correlation(metric, ratings, **common),
        "system_corrected": corrected_correlation(metric, ratings, level="system", **common),
    }
    if not np.isfinite(ratings).any():
        corrected = {
            name: Undefined(NO_PERSONS, signature=result.signature)
            for name, result in corrected.items()
        }
    return corrected | {
        "system_pairs": pairwise_system_accuracy(metric, human, **common),
        "soft_system_pairs": soft_pairwise_accuracy(
            metric,
            human,
            permutation=Permutation(question.resamples, question.seed),
            variant=variant,
        ),
        "ties_cross_fitted": accuracy_with_calibrated_ties(
            metric, human, folds=FOLDS, seed=question.seed, **common
        ),
        "ties_in_sample": accuracy_with_calibrated_ties(metric, human, **common),
    }
