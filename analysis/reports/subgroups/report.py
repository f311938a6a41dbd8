"""The subgroups report: where a metric correlates with human scores, and where it differs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar, cast

import numpy as np

from analysis.data.divisions import Division, divide, divisions
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.picking import MetricChoice, pick
from analysis.data.selection import rated_aspects, select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import (
    Pairing,
    align,
    correlation,
    correlation_variant,
    human_side,
    system_names,
    tau_like_asked,
)
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question, QuestionError
from analysis.reports.content import Asked, Content
from analysis.reports.correlation.report import MOST_SYSTEMS_FOR_CURVES
from analysis.stats.arrays import IntArray
from analysis.stats.correlation.correlation_bootstrap import ResampledCorrelation
from analysis.stats.correlation.strata import (
    SegmentStatistic,
    Stratum,
    StratumDifference,
    correlation_by_stratum_steps,
    enough_draws,
)
from analysis.stats.correlation.top_n import RESULT, Side, top_and_last_intervals
from analysis.stats.pieces import InPieces, Piece, put_together, values_of
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Result


@dataclass(frozen=True)
class Subgroup:
    """A stratum of the study, and the filter that selects it."""

    name: str
    segments: int
    systems: int
    filter: Mapping[str, Sequence[str]]


@dataclass(frozen=True, kw_only=True)
class MetricBySubgroup(NamedMetric):
    """A metric's correlation over all cells, and in each stratum."""

    orientation: str
    note: str
    all: Result
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Difference:
    """A metric's correlation in one stratum less that in another.

    Metric and strata are places in the report; the p-value is adjusted over all differences.
    """

    metric: int
    first: int
    second: int
    result: Result
    p_value: float | None
    detected: bool


@dataclass(frozen=True)
class Subset:
    """A metric's correlation among the top N or the last N systems, best first."""

    side: Side
    size: int
    systems: tuple[str, ...]
    result: Result


@dataclass(frozen=True)
class Curve:
    """A metric's correlations among ever fewer systems, in a stratum or over all segments."""

    metric: int
    stratum: str
    subsets: tuple[Subset, ...]


@dataclass(frozen=True, kw_only=True)
class SubgroupsReport(Content):
    """Each metric in each stratum of a study, and its differences.

    Parameters
    ----------
    aspect, aspects
        The aspect of the report, and all that are rated.
    picked
        What was taken of the metrics.
    systems, segments
        That are selected.
    divisions
        Names and titles of what divides the study.
    by, title, strata, paired, left_out
        The division shown; paired where strata are of systems over the same segments.
    metrics, more_metrics
        The metrics shown, best first, and how many more there are.
    differences, curves
    """

    COLUMNS: ClassVar[Mapping[str, str]] = {"divided_by": "by"}
    aspect: str
    aspects: tuple[str, ...]
    picked: MetricChoice
    systems: tuple[str, ...]
    segments: int
    divisions: tuple[tuple[str, str], ...]
    by: str = ""
    title: str = ""
    strata: tuple[Subgroup, ...] = ()
    paired: bool = False
    left_out: int = 0
    metrics: tuple[MetricBySubgroup, ...] = ()
    more_metrics: int = 0
    differences: tuple[Difference, ...] = ()
    curves: tuple[Curve, ...] = ()


MOST_METRICS = 8
FEW_SEGMENTS = 80
"""Below, intervals by resampling segments are a little too narrow, as simulations say."""
ALL = "all"


def subgroups_report(asked: Asked) -> SubgroupsReport:
    """Build the report of one aspect: each metric in each stratum, and its differences.

    Raises
    ------
    QuestionError
        If the study has no such division, or the statistic has no form that can be resampled.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    question = question.but(aspect=aspect_asked(data, question))
    statistic_of = checked(question)
    cells = select(data, question)
    undivided = SubgroupsReport(
        aspect=question.aspect,
        aspects=tuple(rated_aspects(data)),
        picked=pick(data, question, question.aspect).choice,
        systems=system_names(data, cells),
        segments=len(cells.segments),
        divisions=tuple(divisions(data)),
    )
    if not question.aspect or not (undivided.divisions or question.by):
        return undivided
    division = divide(data, question)
    pairings, more = _drawn(data, question)
    divided = replace(
        undivided,
        by=division.by,
        title=division.title,
        paired=division.paired,
        left_out=division.left_out,
        more_metrics=more,
        strata=tuple(
            Subgroup(name, len(stratum.segments), len(stratum.systems), selected)
            for name, stratum, selected in zip(
                division.names, division.strata, division.filters, strict=True
            )
        ),
    )
    if not pairings:
        return divided
    steps: list[InPieces[Any]] = [
        *_compared(pairings, division, statistic_of, bootstrap),
        values_of(_curves(pairings, division, question, statistic_of, bootstrap)),
    ]
    (overall, _), (parts, differences), curves = put_together(steps, asked.divide, asked.progress)
    return replace(
        divided,
        metrics=tuple(
            MetricBySubgroup(
                **label_of(pairing.column),
                orientation=pairing.orientation,
                note=pairing.note,
                all=of_all,
                results=tuple(of_parts),
            )
            for pairing, [of_all], of_parts in zip(pairings, overall, parts, strict=True)
        ),
        differences=tuple(
            Difference(d.metric, d.first, d.second, d.result, d.adjusted, d.detected)
            for d in differences
        ),
        curves=tuple(curves),
    )


def check_subgroups(data: StudyData, question: Question) -> None:
    """Refuse a division or a statistic that the report does not have.

    Raises
    ------
    QuestionError
    """
    checked(question)
    if question.by:
        divide(data, question)


StatisticOf = Callable[[Pairing], SegmentStatistic]


def checked(question: Question) -> StatisticOf:
    """Return the statistic of a metric that a question asks for.

    Raises
    ------
    QuestionError
        If there is no form of it that can be computed under weights of segments.
    """
    if question.statistic == "kendall-tau-c":
        raise QuestionError(
            "statistic=kendall-tau-c: it cannot be resampled here; ask for kendall-tau-b"
        )

    def statistic_of(pairing: Pairing) -> SegmentStatistic:
        variant: Mapping[str, Any] = correlation_variant(pairing, question)
        if question.statistic == "tau-like":
            return SegmentStatistic(tau_like_asked(question), variant)
        kind = ResampledCorrelation(
            cast(Any, question.statistic), cast(Any, question.level), cast(Any, question.grouping)
        )
        return SegmentStatistic(kind, variant)

    return statistic_of


def _drawn(data: StudyData, question: Question) -> tuple[list[Pairing], int]:
    """Return the metrics of the report, at most eight, best first; and how many more there are."""
    columns = pick(data, question, question.aspect).taken
    pairings = [
        align(data, question, column, human_side(data, question, question.aspect))
        for column in columns
    ]
    found = [(correlation(pairing, question, None), pairing) for pairing in pairings]
    values = {
        id(pairing): result.value if isinstance(result, Estimate) else -np.inf
        for result, pairing in found
    }
    ordered = sorted(pairings, key=lambda pairing: -values[id(pairing)])
    return ordered[:MOST_METRICS], max(0, len(ordered) - MOST_METRICS)


def _compared(
    pairings: Sequence[Pairing], division: Division, statistic_of: StatisticOf, bootstrap: Bootstrap
) -> list[InPieces[tuple[list[list[Result]], list[StratumDifference]]]]:
    """Return what correlates each metric over all cells, and in each stratum with differences."""
    count = len(division.strata)
    bootstrap = enough_draws(bootstrap, len(pairings) * count * (count - 1) // 2)
    human = pairings[0].human
    whole = [Stratum(np.arange(human.shape[0]), np.arange(human.shape[1]))]
    # Metrics that could not be oriented have a signature of their own.
    metrics = [pairing.metric for pairing in pairings]
    statistics = [statistic_of(pairing) for pairing in pairings]
    return [
        correlation_by_stratum_steps(metrics, human, whole, statistics, bootstrap=bootstrap),
        correlation_by_stratum_steps(
            metrics, human, division.strata, statistics, bootstrap=bootstrap, paired=division.paired
        ),
    ]


def _curves(
    pairings: Sequence[Pairing],
    division: Division,
    question: Question,
    statistic_of: StatisticOf,
    bootstrap: Bootstrap,
) -> list[Piece[Curve]]:
    """Return each metric's top-N and last-N correlations, over all segments and in each stratum."""
    if len(pairings[0].systems) > MOST_SYSTEMS_FOR_CURVES:
        return []
    segments = pairings[0].human.shape[0]
    parts = [(ALL, np.arange(segments))]
    if not division.paired:
        parts += [
            (name, stratum.segments)
            for name, stratum in zip(division.names, division.strata, strict=True)
        ]
    return [
        partial(_curve, place, pairing, name, rows, question, statistic_of(pairing), bootstrap)
        for place, pairing in enumerate(pairings)
        for name, rows in parts
    ]


def _curve(
    place: int,
    pairing: Pairing,
    name: str,
    rows: IntArray,
    question: Question,
    statistic: SegmentStatistic,
    bootstrap: Bootstrap,
) -> Curve:
    subsets = top_and_last_intervals(
        pairing.metric[rows],
        pairing.human[rows],
        pairing.systems,
        statistic,
        raw_human=pairing.raw_human[rows],
        sets=cast(Any, question.sets),
        bootstrap=bootstrap,
    )
    found = (Subset(s.side, s.size, s.systems, s.results[RESULT]) for s in subsets)
    return Curve(place, name, tuple(found))


def subgroups_cost(question: Question, cells: int, systems: int, metrics: int) -> int:
    """Estimate the work as `Snapshot.cost` counts it, from measured times."""
    subsets = 2 * min(systems, MOST_SYSTEMS_FOR_CURVES)
    per_draw = 12.0 + (8 * systems if question.level == "system" else 0)
    per_cell = {"pearson": 0.02, "tau-like": 0.02}.get(question.statistic, 1.0)
    if question.statistic == "kendall-tau-b":
        per_cell = 0.02 if question.grouping == "segment" else 1.2
    if question.sets == "reranked":
        per_draw, per_cell = 4 * per_draw, 4 * per_cell
    work = subsets * (4 * per_draw + cells * per_cell)
    return int(min(metrics, MOST_METRICS) * question.resamples * work)
