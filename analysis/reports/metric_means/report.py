"""The report of metric scores by system, with tests of their differences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import Cells, MetricColumn, default_columns, select, system_columns
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import DRAWS_PER_PAIR
from analysis.estimates.correlations import raw_scores
from analysis.filter.question import Question
from analysis.reports.content import Asked, Content
from analysis.reports.metric_means.system_metrics import (
    CORPUS,
    has_corpus_score,
    judged,
    made_of,
    system_metric,
    toward_target,
)
from analysis.reports.metric_means.system_tests import Column, SystemTests, compare_systems
from analysis.reports.system_groups import ComparedGroups, compared_groups
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined
from analysis.stats.systems.system_scores import SummedScores, system_scores
from analysis.wording import column_labels

MOST_DIRECTIONS = 6
"""Directions that are told apart in one report; of a study with more, one is chosen at a time."""


@dataclass(frozen=True)
class DirectionMeans:
    """The scores of every system in one direction, metric by metric in the order of the columns."""

    direction: str
    segments: int
    results: tuple[tuple[Result, ...], ...]


def directions_of(data: StudyData, segments: Sequence[int]) -> list[str]:
    """Return the directions of segments, or none where there are fewer than two or too many."""
    found = sorted({data.directions[segment] for segment in segments} - {""})
    return found if 1 < len(found) <= MOST_DIRECTIONS else []


def by_direction(
    data: StudyData, cells: Cells, columns: Sequence[Column], bootstrap: Bootstrap
) -> tuple[DirectionMeans, ...]:
    """Score every system by every metric within each direction, resampling its segments."""
    directions = [data.directions[segment] for segment in cells.segments]
    made = []
    for direction in directions_of(data, cells.segments.tolist()):
        kept = [place for place, found in enumerate(directions) if found == direction]
        cut = [
            replace(each.shown, rows=each.shown.rows[kept], present=each.shown.present[kept])
            if isinstance(each.shown, SummedScores)
            else each.shown
            for each in columns
        ]
        results = results_of(cut, bootstrap, len(cells.systems))
        made.append(DirectionMeans(direction, len(kept), results))
    return tuple(made)


def results_of(
    shown: Sequence[SummedScores | Undefined], bootstrap: Bootstrap, systems: int
) -> tuple[tuple[Result, ...], ...]:
    """Return the scores of systems by each metric, with the reason where it has none at all."""
    scored = iter(
        system_scores([each for each in shown if isinstance(each, SummedScores)], bootstrap)
    )
    return tuple(
        (each,) * systems if isinstance(each, Undefined) else tuple(next(scored)) for each in shown
    )


TIED = 1e-12


@dataclass(frozen=True)
class ScoredSystem:
    """A system of the table; baselines are ranked only if they are named."""

    system: str
    human: bool
    baseline: bool
    ranked: bool
    model: str = ""


@dataclass(frozen=True, kw_only=True)
class MeansColumn(NamedMetric):
    """A metric, which side of it is better, and what of it is shown."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"number": "value"}
    better: str
    target: float | None
    made_of: str = ""
    value: str
    toward_target: bool


@dataclass(frozen=True)
class MeansRow:
    """What a metric gives every system, and the place of each."""

    column: int
    results: tuple[Result, ...]
    ranks: tuple[int | None, ...]


@dataclass(frozen=True)
class MetricMeansReport(Content):
    """Every system by every metric, also by direction, and the tests by one of them.

    `unscored` names the systems that no metric has scored; they stand in no table.
    """

    systems: tuple[ScoredSystem, ...]
    segments: int
    columns: tuple[MeansColumn, ...]
    rows: tuple[MeansRow, ...]
    tested: SystemTests | None
    groups: tuple[ComparedGroups, ...] = ()
    directions: tuple[DirectionMeans, ...] = ()
    unscored: tuple[str, ...] = ()


def metric_means_report(asked: Asked) -> MetricMeansReport:
    """Build the report: every system by every metric, and the tests by one of them.

    Baselines stand in the table, marked; they are ranked and tested only if they are named.

    Raises
    ------
    QuestionError
        If the question asks for another test, or for a metric that does not fit.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    asked_for = [*default_columns(data, question), *system_columns(data, question)]
    cells, unscored = _scored(data, select(data, question, baselines=True), asked_for)
    columns = [_column(data, cells, column, question) for column in asked_for]
    asked.progress("resampling segments", 0, 0)
    results = results_of([each.shown for each in columns], bootstrap, len(cells.systems))
    ranked = _ranked(data, cells, question)
    described = [_described(data, each, question) for each in columns]
    systems = [data.systems[index] for index in cells.systems]
    tested = compare_systems(
        data, question, columns, column_labels(described), bootstrap, asked.progress
    )
    return MetricMeansReport(
        systems=tuple(
            ScoredSystem(
                system.name,
                system.human,
                system.is_baseline,
                bool(is_ranked),
                str(system.attributes.get("model", "")),
            )
            for system, is_ranked in zip(systems, ranked, strict=True)
        ),
        segments=len(cells.segments),
        columns=tuple(described),
        rows=tuple(
            MeansRow(place, of_column, _ranks(each, ranked))
            for place, (each, of_column) in enumerate(zip(columns, results, strict=True))
        ),
        tested=tested,
        groups=_groups(data, question, columns[tested.column].column, bootstrap) if tested else (),
        directions=by_direction(data, cells, columns, bootstrap),
        unscored=unscored,
    )


def _scored(
    data: StudyData, cells: Cells, columns: Sequence[MetricColumn]
) -> tuple[Cells, tuple[str, ...]]:
    """Return the cells of the systems that a metric has scored, and the names of the others."""
    has_scores = np.zeros(len(cells.systems), dtype=bool)
    for column in columns:
        if column.run.fields:
            has_scores |= np.isfinite(cells.of(raw_scores(data, column))).any(axis=0)
    if not has_scores.any():
        return cells, ()
    others = tuple(data.systems[place].name for place in cells.systems[~has_scores])
    return replace(cells, systems=cells.systems[has_scores]), others


def _column(data: StudyData, cells: Cells, column: MetricColumn, question: Question) -> Column:
    shown = system_metric(data, cells, column, question.aggregate)
    if isinstance(shown, Undefined):
        return Column(column, shown, shown)
    return Column(column, shown, judged(data, cells, column, shown))


def _groups(
    data: StudyData, question: Question, column: MetricColumn, bootstrap: Bootstrap
) -> tuple[ComparedGroups, ...]:
    """Compare groups of systems by the scores of their outputs, where a metric has such."""
    if not bootstrap or not column.run.fields:
        return ()
    cells = select(data, question)
    scores, is_turned = toward_target(data, column)
    systems = [data.systems[index] for index in cells.systems]
    variant = {"scores": "toward-target" if is_turned else "raw"}
    return compared_groups(systems, cells.of(scores), bootstrap, variant)


def _described(data: StudyData, each: Column, question: Question) -> MeansColumn:
    run = each.column.run
    is_corpus = question.aggregate == CORPUS and has_corpus_score(each.column)
    return MeansColumn(
        **label_of(each.column),
        better="higher" if each.column.derived else run.orientation,
        target=run.target,
        made_of=made_of(data, run),
        value="corpus score" if is_corpus or not run.fields else "mean",
        toward_target=isinstance(each.shown, SummedScores)
        and each.shown.variant.get("scores") == "toward-target",
    )


def _ranked(data: StudyData, cells: Cells, question: Question) -> Any:
    """Return which of the selected systems are ranked and tested: baselines only by name."""
    return np.isin(cells.systems, select(data, question).systems)


def _ranks(each: Column, ranked: Any) -> tuple[int | None, ...]:
    """Return each system's place among those that are ranked; tied ones share the better one."""
    if not isinstance(each.judged, SummedScores):
        return (None,) * len(ranked)
    values = np.where(ranked, each.judged.values(), np.nan)
    return tuple(
        None if np.isnan(value) else 1 + int((values > value + TIED * max(1, abs(value))).sum())
        for value in values
    )


def metric_means_cost(
    question: Question, segments: int, systems: int, sums: Sequence[int], directions: int = 0
) -> int:
    """Estimate the work as `Snapshot.cost` counts it, from measured times.

    `sums` has the number of sums of each metric, `directions` counts those that are told apart.
    """
    pairs = systems * (systems - 1) // 2
    draws = max(question.resamples, DRAWS_PER_PAIR * pairs)
    cells = segments * systems
    over_segments = 700 * segments + 7 * cells * sum(sums)
    values = over_segments * (2 if directions else 1)
    values += 20_000 * systems * len(sums) * (1 + directions)
    most = max(sums, default=0)
    # A corpus score takes longer to make of its sums than a mean.
    tests = 850 * segments + 15 * cells * most + (46_000 if most > 2 else 12_000) * pairs
    return (values * question.resamples + tests * draws) // 1000
