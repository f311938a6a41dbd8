"""A task's statistic of all its metrics, with what each value rests on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.collections.content import COEFFICIENTS, STATISTICS
from analysis.collections.reading import ReadTask
from analysis.collections.task_data import TaskMetric
from analysis.data.arrays import Floats, Integers
from analysis.stats.correlation.pearson import rowwise_coefficients
from analysis.stats.correlation.tie_calibration import calibrate
from analysis.stats.tasks.joint_comparison import Part, Statistic, Units
from analysis.stats.tasks.task_statistics import (
    SystemRanks,
    mean_by_unit,
    pearson_by_unit,
    soft_system_pairs,
    system_pair_accuracy,
)

FEWEST_SYSTEMS = 2
HUMAN_TIE = 1e-9
"""Human means closer than this are tied, but for rounding."""


@dataclass(frozen=True)
class Computed:
    """A statistic of a task for the metrics that have it.

    Parameters
    ----------
    part
        Its entries are places among all metrics of the collection.
    n, unit
        What it is over.
    pairs
        Pairs of systems, where it counts them.
    facts
        By entry, what else a value rests on.
    undefined
        By entry, why there is no value.
    """

    part: Part | None
    n: int
    unit: str
    pairs: int | None
    facts: Mapping[int, Mapping[str, Any]]
    undefined: Mapping[int, str]


def compute(read: ReadTask, places: Mapping[Any, int], *, draws: int, seed: int) -> Computed:
    """Return a task's statistic; `places` says what a metric's key is among all metrics."""
    key = read.task.statistic
    level = STATISTICS[key].level
    reasons, fit = {}, []
    for metric in read.data.metrics:
        reason = _unfit(read, metric)
        if reason:
            reasons[places[metric.key]] = reason
        else:
            fit.append(metric)
    n = len(read.data.systems) if level == "systems" else len(read.data.rated)
    if not fit:
        return Computed(None, n, level, None, {}, reasons)
    statistic, taken, more = _statistic(read, fit, draws=draws, seed=seed)
    entries = tuple(places[metric.key] for metric in fit)
    facts = {
        place: {**_facts(metric, level), **each}
        for place, metric, each in zip(entries, fit, more, strict=True)
    }
    for place, value in zip(entries, statistic.values, strict=True):
        if not np.isfinite(value):
            reasons[place] = "human scores or those of the metric do not vary"
    shape = dict(zip(("segments", "systems"), read.data.shape, strict=True))
    part = Part(statistic, entries, Units(read.data.study, level, shape[level]), taken)
    return Computed(part, n, level, _pairs(read), facts, reasons)


def _unfit(read: ReadTask, metric: TaskMetric) -> str:
    """Say why a metric has no value in this task; empty where it may have one."""
    data, key = read.data, read.task.statistic
    if len(data.systems) < FEWEST_SYSTEMS:
        return "fewer than two systems have human scores"
    if STATISTICS[key].level == "segments" or key == "soft-pairs":
        if metric.segments is None:
            return "it scores systems only, and no outputs"
        if key == "soft-pairs" and not np.isfinite(metric.segments + data.human).all():
            return "some outputs of a rated segment lack its score or a human score"
        return ""
    if np.isfinite(metric.systems).all():
        if key in ("system-spearman", "system-kendall") and np.ptp(metric.systems) == 0:
            return "it has the same value for all systems"
        return ""
    place = int(np.argmin(np.isfinite(metric.systems)))
    return f"it has no value for system {data.systems[place]}"


def _statistic(
    read: ReadTask, fit: Sequence[TaskMetric], *, draws: int, seed: int
) -> tuple[Statistic, Integers, list[dict[str, Any]]]:
    """Return a statistic, the units it reads, and facts of each metric."""
    data, key = read.data, read.task.statistic
    nothing: list[dict[str, Any]] = [{} for _ in fit]
    people = data.human_systems
    if STATISTICS[key].level == "systems" and key != "soft-pairs":
        values = np.stack([metric.systems for metric in fit])
        if key == "system-pairs":
            forms = system_pair_accuracy(values, people, tie=HUMAN_TIE)
            agree = np.rint(forms.values * forms.pairs_of_systems).astype(int).tolist()
            return forms, data.columns, [{"agree": count} for count in agree]
        if key == "system-pearson":
            return pearson_by_unit(values[:, :, None], people[:, None]), data.columns, nothing
        coefficient = COEFFICIENTS[key.removeprefix("system-")]
        if coefficient == "pearson":
            raise ValueError(key)
        return SystemRanks(values, people, coefficient), data.columns, nothing
    scores = np.stack([metric.segments for metric in fit if metric.segments is not None])
    if key == "soft-pairs":
        forms = soft_system_pairs(scores, data.human, draws=draws, seed=seed)
        return forms, data.columns, [{"draws": draws} for _ in fit]
    if key == "segment-pearson":
        cells = np.isfinite(scores + data.human).sum(axis=(1, 2)).tolist()
        return pearson_by_unit(scores, data.human), data.rated, [{"outputs": n} for n in cells]
    if key == "acc-eq":
        return _with_ties(read, scores)
    by_segment = _grouped(scores, data.human, key.removeprefix("grouped-"))
    counts = np.isfinite(by_segment).sum(axis=1).tolist()
    return mean_by_unit(by_segment), data.rated, [{"segments_with_a_value": n} for n in counts]


def _with_ties(read: ReadTask, scores: Floats) -> tuple[Statistic, Integers, list[dict[str, Any]]]:
    found = [calibrate(each, read.data.human, read.human_ties) for each in scores]
    facts = [
        {
            "threshold": each.threshold,
            "right": int(each.right.sum()),
            "pairs_of_outputs": int(each.pairs.sum()),
        }
        for each in found
    ]
    return mean_by_unit(np.stack([each.shares for each in found])), read.data.rated, facts


def _grouped(scores: Floats, human: Floats, coefficient: str) -> Floats:
    name = COEFFICIENTS[coefficient]
    return np.stack([rowwise_coefficients(each, human, name)[0] for each in scores])


def _facts(metric: TaskMetric, level: str) -> dict[str, Any]:
    facts: dict[str, Any] = {"read": metric.key.kind or "not stated"}
    if level == "systems":
        facts["system_value"] = metric.system_value
    return facts


def _pairs(read: ReadTask) -> int | None:
    if read.task.statistic not in ("system-pairs", "soft-pairs"):
        return None
    n = len(read.data.systems)
    return n * (n - 1) // 2
