"""The scores report: how metrics go together, and what they give sources, references, outputs."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

import numpy as np

from analysis.data.arrays import Floats
from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import Cells, MetricColumn, default_columns, select
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import oriented, raw_scores, scores_by_output, system_names
from analysis.filter.question import Question
from analysis.reports.content import Asked, Content
from analysis.reports.pair_matrix import PairMatrix
from analysis.stats.arrays import masked_means
from analysis.stats.correlation.score_matrix import Coefficient, score_matrix
from analysis.stats.results import Undefined
from analysis.stats.signature import signature
from analysis.stats.systems.distribution import (
    Distribution,
    Histogram,
    histogram,
    score_distribution,
)
from analysis.stats.systems.human_scores import mean_per_output

MOST_EXTREMES = 5


@dataclass(frozen=True, kw_only=True)
class ScoreColumn(NamedMetric):
    """A metric; `orientation` says whether its scores were turned, `better` which side is."""

    orientation: str
    better: str


@dataclass(frozen=True, kw_only=True)
class MetricMatrix(PairMatrix):
    """The correlation of every two metrics, and over how many units."""

    statistic: str
    level: str


@dataclass(frozen=True)
class _OfGroup:
    column: int
    group: str
    missing: int


@dataclass(frozen=True)
class GroupScores(Distribution, _OfGroup):
    """How a metric's scores of a kind of text are spread."""


@dataclass(frozen=True)
class _OfSystem:
    column: int
    system: str


@dataclass(frozen=True)
class SystemScores(Distribution, _OfSystem):
    """How a metric's scores of a system are spread."""


@dataclass(frozen=True)
class ScoreHistogram:
    """How often a metric gives which score, for each kind of text that it scored."""

    column: int
    groups: tuple[str, ...]
    bins: Histogram


@dataclass(frozen=True)
class Extreme:
    """A segment where what people wrote scores far above or below the systems."""

    column: int
    side: str
    segment: str
    people: float
    systems: float
    gap: float

    @property
    def numbers(self) -> tuple[float, float, float]:
        """The means of people and of systems, and their difference."""
        return self.people, self.systems, self.gap


@dataclass(frozen=True, kw_only=True)
class ScoresReport(Content):
    """How metrics go together, and what they give sources, references and outputs.

    Without a matrix, it is still being computed.
    """

    columns: tuple[ScoreColumn, ...]
    systems: tuple[str, ...]
    segments: int
    matrix: MetricMatrix | None
    distributions: tuple[GroupScores, ...]
    system_distributions: tuple[SystemScores, ...] = ()
    extremes: tuple[Extreme, ...]
    histograms: tuple[ScoreHistogram, ...] = ()


def scores_report(asked: Asked) -> ScoresReport:
    """Build the report: the matrix of metrics, their distributions, and extreme segments.

    Scores are turned so that higher is better where it is known which side is. The matrix takes
    about half of the time.
    """
    data, question = asked.data, asked.question
    columns = default_columns(data, question)
    cells = select(data, question)
    turned = [_turned(data, column) for column in columns]
    return ScoresReport(
        columns=tuple(
            ScoreColumn(
                **label_of(column),
                orientation="oriented" if is_oriented else "raw",
                better=column.run.orientation,
            )
            for column, (_, is_oriented) in zip(columns, turned, strict=True)
        ),
        systems=system_names(data, cells),
        segments=len(cells.segments),
        matrix=None if asked.early else _matrix(question, cells, [scores for scores, _ in turned]),
        distributions=tuple(_distributions(data, cells, columns)),
        system_distributions=tuple(_system_distributions(data, cells, columns)),
        extremes=tuple(_extremes(data, cells, columns)),
        histograms=tuple(_histograms(data, cells, columns)),
    )


def _turned(data: StudyData, column: MetricColumn) -> tuple[Floats, bool]:
    scores = raw_scores(data, column)
    found = oriented(data, column, scores)
    return (scores, False) if isinstance(found, Undefined) else (found, True)


def _matrix(question: Question, cells: Cells, turned: Sequence[Floats]) -> MetricMatrix:
    statistic = "spearman" if question.statistic == "spearman" else "pearson"
    parts = [cells.of(scores) for scores in turned]
    if question.level == "system":
        rows = [masked_means(part, np.isfinite(part)) for part in parts]
    else:
        rows = [part.ravel() for part in parts]
    table = np.array(rows).T if rows else np.empty((0, 0))
    found = score_matrix(table, cast(Coefficient, statistic))
    return MetricMatrix(
        statistic=statistic,
        level=question.level,
        signature=signature(statistic, level=question.level, between="metrics", cells="both"),
        **PairMatrix.parts(found),
    )


def _groups(data: StudyData, cells: Cells) -> dict[str, Any]:
    """Return which ordinals are sources, references, human-written, and systems' outputs."""
    kinds = data.kind_of_output
    wanted = np.isin(data.segment_of_output, cells.segments)
    human = np.array([system.human for system in data.systems] + [False])
    by_people = human[data.column_of_output]
    chosen = np.isin(data.column_of_output, cells.systems)
    return {
        "sources": wanted & (kinds == "source"),
        "references": wanted & (kinds == "reference"),
        "human-written": wanted & by_people & data.system_outputs,
        "systems": wanted & data.system_outputs & ~by_people & chosen,
    }


def _distributions(
    data: StudyData, cells: Cells, columns: Sequence[MetricColumn]
) -> Iterator[GroupScores]:
    groups = _groups(data, cells)
    for place, column in enumerate(columns):
        scores = scores_by_output(data, column)
        for name, member in groups.items():
            found = score_distribution(scores[member])
            if found is not None:
                missing = int(member.sum()) - found.n
                yield GroupScores(column=place, group=name, missing=missing, **asdict(found))


def _histograms(
    data: StudyData, cells: Cells, columns: Sequence[MetricColumn]
) -> Iterator[ScoreHistogram]:
    groups = _groups(data, cells)
    for place, column in enumerate(columns):
        scores = scores_by_output(data, column)
        own = {name: scores[member] for name, member in groups.items()}
        scored = {name: each for name, each in own.items() if np.isfinite(each).any()}
        if found := histogram(list(scored.values())):
            yield ScoreHistogram(place, tuple(scored), found)


def _system_distributions(
    data: StudyData, cells: Cells, columns: Sequence[MetricColumn]
) -> Iterator[SystemScores]:
    for place, column in enumerate(columns):
        scores = cells.of(raw_scores(data, column))
        for name, of_system in zip(system_names(data, cells), scores.T, strict=True):
            found = score_distribution(of_system)
            if found is not None:
                yield SystemScores(column=place, system=name, **asdict(found))


def _extremes(data: StudyData, cells: Cells, columns: Sequence[MetricColumn]) -> Iterator[Extreme]:
    """Yield segments where what people wrote scores furthest above and below the systems."""
    groups = _groups(data, cells)
    people = groups["references"] | groups["human-written"]
    for place, column in enumerate(columns):
        scores = scores_by_output(data, column)
        if column.run.orientation == "lower" and not column.derived:
            scores = -scores
        written = _segment_means(data, scores, people)
        made = _segment_means(data, scores, groups["systems"])
        gap = written - made
        known = np.flatnonzero(np.isfinite(gap))
        if not len(known):
            continue
        ordered = known[np.argsort(gap[known], kind="stable")]
        # A gap of nothing is no extreme; with few segments the two lists do not overlap.
        above = [s for s in ordered[::-1] if gap[s] > 0][:MOST_EXTREMES]
        below = [s for s in ordered if gap[s] < 0][:MOST_EXTREMES]
        for side, chosen in (("above", above), ("below", below)):
            for segment in chosen:
                yield Extreme(
                    column=place,
                    side=side,
                    segment=data.segment_keys[segment],
                    people=float(written[segment]),
                    systems=float(made[segment]),
                    gap=float(gap[segment]),
                )


def _segment_means(data: StudyData, scores: Floats, member: Any) -> Floats:
    segments = data.segment_of_output[member]
    means, _ = mean_per_output(scores[member], segments, len(data.segment_keys))
    return means
