"""What the correlation report computes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from analysis.data.arrays import Integers
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.picking import TAKEN, MetricChoice, Relation
from analysis.estimates.correlations import Pairing, correlation_variant
from analysis.filter.question import Question
from analysis.reports.content import Content
from analysis.stats.correlation.calibration import CalibrationBin, JointCounts
from analysis.stats.correlation.pearson import COEFFICIENTS, correlate
from analysis.stats.correlation.top_n import SystemSubset
from analysis.stats.results import Result
from analysis.stats.signature import signature

MOST_SYSTEMS = 30
ALL = "all"
"""Stands for the segments of all directions together."""


@dataclass(frozen=True, kw_only=True)
class SystemsOfMetric(NamedMetric):
    """A metric's correlation with an aspect over the outputs of each system, in one direction.

    `results` are in the order of the report's systems; `direction` may be `ALL`.
    """

    aspect: str
    direction: str
    orientation: str
    results: tuple[Result, ...]


def by_system(
    pairing: Pairing, question: Question, directions: Sequence[str]
) -> Iterator[SystemsOfMetric]:
    """Yield a metric's correlations by system: in each direction, and over all together.

    Each segment has one output of a system, so outputs are independent units, and the interval is
    Fisher's. Coefficients are the one asked for, Pearson's r in place of τ-like.

    Parameters
    ----------
    pairing
    question
    directions
        Of each segment of the pairing; empty where its styles are not known.
    """
    coefficient = question.statistic if question.statistic in COEFFICIENTS else "pearson"
    for direction, rows in _parts(directions):
        name = signature(
            coefficient,
            level="segment",
            group="one-system",
            confidence=0.95,
            direction=direction.replace("|", "-").replace(":", "-"),
            **correlation_variant(pairing, question),
        )
        yield SystemsOfMetric(
            **label_of(pairing.column),
            aspect=pairing.aspect,
            direction=direction,
            orientation=pairing.orientation,
            results=tuple(
                correlate(
                    pairing.metric[rows, system],
                    pairing.human[rows, system],
                    coefficient,
                    unit="outputs",
                    name=name,
                )
                for system in range(len(pairing.systems))
            ),
        )


def _parts(directions: Sequence[str]) -> Iterator[tuple[str, Integers]]:
    """Yield the places of segments of each direction, if there are several, and of all."""
    known = sorted({direction for direction in directions if direction})
    for direction in known if len(known) > 1 else ():
        yield direction, np.flatnonzero(np.array(directions) == direction)
    yield ALL, np.arange(len(directions))


@dataclass(frozen=True, kw_only=True)
class MetricRow(NamedMetric):
    """A metric's correlations with the human scores of an aspect.

    Parameters
    ----------
    aspect, own_aspect, relation
        The aspect, whether the metric measures it, and how it is related to it.
    orientation, better, note
        Whether scores are oriented or raw, which side is better, and why scores stay raw.
    results
        By statistic: the headlines, and the one asked for.
    scores
        The one asked for, by each kind of human scores.
    conditions
        The filter that gives this row alone.
    raw
        Values of the same statistics for scores that are not oriented.
    unscored
        Outputs that raters scored and the metric did not; no result has them.
    """

    aspect: str
    own_aspect: bool
    relation: Relation
    orientation: str
    better: str
    note: str
    results: Mapping[str, Result]
    scores: Mapping[str, Result] = field(default_factory=dict)
    conditions: Mapping[str, Sequence[str]]
    raw: Mapping[str, float | None]
    unscored: int = 0


@dataclass(frozen=True, kw_only=True)
class Curve(NamedMetric):
    """A metric's headline correlations among the top N and the last N systems."""

    aspect: str
    subsets: tuple[SystemSubset, ...]
    relation: Relation


@dataclass(frozen=True)
class SystemPoint:
    """A system's mean scores over the `n` outputs that have both."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric_mean": "metric", "human_mean": "human"}
    system: str
    metric: float
    human: float
    n: int


@dataclass(frozen=True, kw_only=True)
class Points(NamedMetric):
    """Systems, and their outputs, by the scores of a metric and of human raters."""

    aspect: str
    systems: tuple[SystemPoint, ...]
    counts: JointCounts | None
    calibration: tuple[CalibrationBin, ...]
    relation: Relation


@dataclass(frozen=True)
class ComparedScores:
    """Computed scores compared with imported ones, as they are."""

    n: int
    mean_absolute_difference: float | None
    between: Result


@dataclass(frozen=True)
class BesideImported:
    """A metric computed here, compared with imported scores of it on the cells that both have.

    `imported` and `computed` are their correlations with human scores, `difference` the latter
    less the former.
    """

    aspect: str
    metric: str
    imported_as: str
    compared_to: str
    imported_compared_to: str
    text_setting: str
    run: str
    imported_run: str
    imported: Result
    computed: Result
    difference: float | None
    scores: ComparedScores


@dataclass(frozen=True)
class Ceilings:
    """How well any metric could do on an aspect, by `analysis.estimates.ceilings.NAMES`."""

    aspect: str
    results: Mapping[str, Result]


@dataclass(frozen=True)
class ScoreKinds:
    """An aspect's metrics by raw, z-scored and ranked human scores.

    Parameters
    ----------
    aspect
    rows
        Places of the metrics among the rows of the report.
    orders
        Kendall's tau-b between the metrics' order by raw scores and by each other kind.
    """

    aspect: str
    rows: tuple[int, ...]
    orders: Mapping[str, float | None]


@dataclass(frozen=True)
class OrientationDoubt:
    """A metric that seems to run the other way than stated."""

    run: str
    metric: str
    name: str
    aspect: str
    better: str
    result: Result
    sentence: str


@dataclass(frozen=True)
class CorrelationReport(Content):
    """Which metrics correlate with human scores, and at which level; `picked` by aspect.

    `order` has the places of rows in the heat map.
    """

    systems: tuple[str, ...]
    segments: int
    human_systems_left_out: tuple[str, ...]
    aspects: tuple[str, ...]
    rows: tuple[MetricRow, ...]
    curves: tuple[Curve, ...]
    points: tuple[Points, ...]
    beside_imported: tuple[BesideImported, ...] = ()
    picked: Mapping[str, MetricChoice] = field(default_factory=dict)
    ceilings: tuple[Ceilings, ...] = ()
    kinds: tuple[ScoreKinds, ...] = ()
    orientation_doubts: tuple[OrientationDoubt, ...] = ()
    order: tuple[int, ...] = ()
    by_system: tuple[SystemsOfMetric, ...] = ()

    def own_rows(self, aspect: str) -> list[tuple[int, MetricRow]]:
        """Return the rows, with their places, of the metrics that measure an aspect or may do so.

        Where metrics were asked for by name, these are they.
        """
        rows = [(place, row) for place, row in enumerate(self.rows) if row.aspect == aspect]
        picked = self.picked.get(aspect)
        if picked and picked.rule == "named":
            return [(place, row) for place, row in rows if row.relation != "description"]
        return [(place, row) for place, row in rows if row.relation in TAKEN]
