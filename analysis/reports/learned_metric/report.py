"""A metric learned from human ratings, evaluated on segments and systems that it does not know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import MetricColumn, scale_aspects
from analysis.estimates.correlations import Pairing, metrics_of_aspect, system_names
from analysis.estimates.evaluation import scale_aspect_asked
from analysis.reports.content import Asked, OfMetrics, facts_of
from analysis.stats.learned.nested import CONTENDERS, LearnedMetric, learned_metric
from analysis.stats.results import Result
from metrics.runs.combined_parts import part_key
from metrics.scorers.learned import (
    FULL_FIT,
    OUT_OF_FOLD,
    SEGMENT_FOLDS,
    LearnedWeights,
    segment_fold,
    system_folds,
)

KEY = "learned-metric"
MOST_METRICS = 40
LEAST_SCORED = 0.5
"""Share of the rated outputs that a metric must have scored: an output counts if all have."""
DIGITS = 10


@dataclass(frozen=True)
class ContenderRow:
    """The learned metric or a competitor; `better` is how far the learned metric exceeds it."""

    COLUMNS: ClassVar[Mapping[str, str]] = {
        "pearson": "correlation",
        "pearson-of-systems": "systems",
        "learned-minus-this": "better",
    }
    contender: str
    correlation: Result
    systems: Result
    better: Result | None = None


@dataclass(frozen=True, kw_only=True)
class WeightedMetric(NamedMetric):
    """A metric with its weight in the fit to all ratings.

    `key` names it in requests; `chosen` is the share of blocks in which it was the best single one.
    """

    key: str
    weight: Result
    chosen: float


@dataclass(frozen=True, kw_only=True)
class LearnedReport(OfMetrics):
    """What is learned of an aspect; `weights` are what a run takes, by its use."""

    cells: int
    lost: int
    segment_folds: int
    system_folds: int
    penalty: float
    unlearned: int
    contenders: tuple[ContenderRow, ...]
    rows: tuple[WeightedMetric, ...]
    weights: Mapping[str, str]
    reason: str = ""


def learned_report(asked: Asked) -> LearnedReport:
    """Build the report of one aspect, the first on a scale where none is asked for."""
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    aspects, aspect = scale_aspects(data), scale_aspect_asked(data, question)
    question = question.but(aspect=aspect, level="segment", orientation="oriented", scores="raw")
    taken: list[Pairing] = []
    metrics = metrics_of_aspect(data, question, why_not=partial(_why_not, taken))
    people = metrics.people
    rated = np.asarray(np.isfinite(people.scores))
    names = system_names(data, people.cells)
    there = [names[place] for place in np.flatnonzero(rated.any(axis=0)).tolist()]
    folds = system_folds(there, question.seed)
    keys = [data.segment_keys[index] for index in people.cells.segments]
    found = learned_metric(
        np.array([each.metric for each in taken]).reshape(len(taken), *rated.shape),
        people.scores,
        np.array([segment_fold(key, question.seed) for key in keys], dtype=np.int64),
        # Of a system without ratings no cell counts, whatever its fold.
        np.array([folds.get(name, 0) for name in names], dtype=np.int64),
        folds=(SEGMENT_FOLDS, max(1, len(set(folds.values())))),
        bootstrap=bootstrap,
    )
    return LearnedReport(
        **facts_of(data, metrics),
        aspects=tuple(aspects),
        cells=found.cells,
        lost=found.lost,
        segment_folds=found.fold_weights.shape[0],
        system_folds=found.fold_weights.shape[1],
        penalty=found.penalty,
        unlearned=found.unlearned,
        contenders=tuple(_contenders(found)),
        rows=tuple(
            WeightedMetric(
                **label_of(each.column), key=_key(each.column), weight=weight, chosen=float(chosen)
            )
            for each, weight, chosen in zip(taken, found.weights, found.chosen, strict=True)
        ),
        weights={} if found.reason else _weights(found, folds, question.seed),
        reason=found.reason,
    )


def _why_not(taken: list[Pairing], pairing: Pairing) -> str:
    """Say why a metric gets no weight; empty, and it is taken, if it gets one."""
    rated = np.isfinite(pairing.human)
    reason = _unfit(pairing.column) or pairing.note
    if not reason and np.isfinite(pairing.metric[rated]).sum() < LEAST_SCORED * rated.sum():
        reason = "it scored fewer than half of the rated outputs"
    if not reason and len(taken) == MOST_METRICS:
        reason = f"weights are learned of {MOST_METRICS} metrics at most: choose metrics"
    if not reason:
        taken.append(pairing)
    return reason


def _unfit(column: MetricColumn) -> str:
    """Say why a column can be no part of a stored metric; empty if it can."""
    run = column.run
    if run.request.get("metric") == KEY:
        return "it was learned from ratings itself"
    if run.pk < 0:
        return "these are ratings by a model, which metrics do not see"
    if column.derived:
        return (
            "it is derived of a distribution here: score a metric of one number, such as accuracy"
        )
    if run.orientation not in ("higher", "lower"):
        return "neither higher nor lower scores are better"
    return ""


def _key(column: MetricColumn) -> str:
    run = column.run
    return part_key(run.signature, run.fields[run.column], run.fields)


def _contenders(found: LearnedMetric) -> Iterator[ContenderRow]:
    for name in CONTENDERS:
        yield ContenderRow(
            name, found.correlation[name], found.systems[name], found.better.get(name)
        )


def _weights(found: LearnedMetric, folds: Mapping[str, int], seed: int) -> dict[str, str]:
    """Return the weights as the parameter of a run holds them, for its study and for others."""
    means, deviations = found.means.tolist(), found.deviations.tolist()
    of_folds = found.fold_weights.round(DIGITS).tolist()
    full = found.full_weights.round(DIGITS).tolist()
    return {
        OUT_OF_FOLD: LearnedWeights(
            means, deviations, folds=of_folds, systems=folds, seed=seed
        ).written(),
        FULL_FIT: LearnedWeights(means, deviations, full=full).written(),
    }
