"""Intervals, and how often they cover the truth of simulated studies."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import get_args

import numpy as np

from analysis.stats.agreement.noise_ceiling import corrected_correlation
from analysis.stats.comparison.paired_bootstrap import bootstrap_differences
from analysis.stats.correlation.annotator_bootstrap import bootstrap_over_annotators
from analysis.stats.correlation.correlation_bootstrap import bootstrap_correlation
from analysis.stats.correlation.metric_correlation import segment_level, system_level
from analysis.stats.correlation.resampled_correlation import Method
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Result
from benchmarks.simulated_studies import TRUTH_STUDIES, Design, Study, draw, endless, endless_design

DRAWS = 1_000
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True)
class Case:
    """An interval, and the correlation that it should cover."""

    statistic: str
    over: str
    method: str
    compute: Callable[[Study, int], Result]
    truth: Callable[[Study], Result]


def _correlation(coefficient: str, level: str, grouping: str, over: str, method: str) -> Case:
    def compute(study: Study, seed: int) -> Result:
        return bootstrap_correlation(
            study.first, study.human, coefficient, level=level, grouping=grouping, over=over,
            method=method, bootstrap=Bootstrap(DRAWS, seed),
        )  # fmt: skip

    where = "system level" if level == "system" else f"outputs, grouped by {grouping}"
    name = f"{coefficient}, {where.replace('grouped by none', 'pooled')}"
    return Case(name, over, method, compute, _truth(coefficient, level, grouping))


def _truth(coefficient: str, level: str, grouping: str) -> Callable[[Study], Result]:
    if level == "system":
        return lambda study: system_level(study.first, study.human, coefficient)
    return lambda study: segment_level(
        study.first, study.human, coefficient, grouping=grouping, bootstrap=None
    )


def _over_annotators(over: str) -> Case:
    def compute(study: Study, seed: int) -> Result:
        return bootstrap_over_annotators(
            study.first, study.ratings, batches=study.batches, over=over,
            bootstrap=Bootstrap(DRAWS // 2, seed),
        )  # fmt: skip

    return Case(
        "pearson, outputs, pooled",
        over,
        "percentile",
        compute,
        _truth("pearson", "segment", "none"),
    )


FISHER = Case(
    "pearson, system level",
    "systems",
    "Fisher",
    lambda study, seed: system_level(study.first, study.human),
    _truth("pearson", "system", "none"),
)


DIFFERENCE = Case(
    "difference of two pearson, outputs, pooled",
    "segments",
    "percentile",
    lambda study, seed: (
        bootstrap_differences(
            [study.first, study.second], study.human, bootstrap=Bootstrap(DRAWS, seed)
        )[0].result
    ),
    lambda study: Estimate(0.0, 1),
)
CORRECTED = Case(
    "corrected pearson, outputs, pooled",
    "segments",
    "percentile",
    lambda study, seed: corrected_correlation(
        study.first, study.ratings, bootstrap=Bootstrap(DRAWS, seed)
    ),
    lambda study: corrected_correlation(study.first, study.ratings, bootstrap=Bootstrap(2)),
)
OVER_SEGMENTS = (
    *(
        _correlation(coefficient, "segment", grouping, "segments", method)
        for coefficient, grouping in (
            ("pearson", "none"),
            ("pearson", "segment"),
            ("pearson", "system"),
            ("kendall-tau-b", "segment"),
        )
        for method in METHODS
    ),
    DIFFERENCE,
    CORRECTED,
)
RANKS = tuple(
    _correlation(coefficient, "segment", "none", "segments", "percentile")
    for coefficient in ("spearman", "kendall-tau-b")
)
SYSTEM_LEVEL = tuple(
    _correlation("pearson", "system", "none", "segments", method) for method in METHODS
)
OVER_SYSTEMS = (
    *(_correlation("pearson", "segment", "none", "systems", method) for method in METHODS),
    _correlation("pearson", "system", "none", "systems", "percentile"),
    _correlation("pearson", "system", "none", "systems", "studentised"),
    FISHER,
)

ANNOTATORS = (_over_annotators("annotators"), _over_annotators("segments and annotators"))


def true_value(case: Case, design: Design, studies: int = TRUTH_STUDIES) -> float:
    """Return the mean of the statistic over very large studies.

    One is not enough: with heavy tails its error was a seventh of the standard error of the small
    studies' estimates, and intervals seemed to cover a percent or two less than they do.
    """
    values = []
    for number in range(studies):
        result = case.truth(endless(endless_design(design), number))
        assert isinstance(result, Estimate), result
        values.append(result.value)
    return float(np.mean(values))


@dataclass(frozen=True)
class Covered:
    """How many of some intervals held the truth, the sum of their widths, how many were none."""

    runs: int
    held: int
    widths: float
    without: int

    def __add__(self, other: "Covered") -> "Covered":
        """Return both together."""
        return Covered(
            self.runs + other.runs,
            self.held + other.held,
            self.widths + other.widths,
            self.without + other.without,
        )

    @property
    def share(self) -> float:
        """Return the share of intervals that held the truth."""
        return self.held / max(1, self.runs - self.without)

    @property
    def mean_width(self) -> float:
        """Return the mean width."""
        return self.widths / max(1, self.runs - self.without)


def coverage(case: Case, design: Design, true: float, runs: range) -> Covered:
    """Simulate studies and count the intervals that hold the true value."""
    held, widths, without = 0, 0.0, 0
    for run in runs:
        result = case.compute(draw(design, np.random.default_rng([run, 7])), run)
        if not isinstance(result, Estimate) or result.interval is None:
            without += 1
            continue
        held += result.interval.low <= true <= result.interval.high
        widths += result.interval.high - result.interval.low
    return Covered(len(runs), held, widths, without)
