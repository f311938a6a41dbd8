"""What tasks of a collection measure, and what their comparison found, as it is stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from analysis.reports.content import Content
from analysis.stats.results import Result

Level = Literal["segments", "systems"]


@dataclass(frozen=True, slots=True)
class TaskStatistic:
    """What a task measures of each metric.

    Parameters
    ----------
    title
        In words.
    short
        As the heading of a column.
    level
        What it is over, and so what tests swap and intervals resample.
    lowest
        Lowest possible value: 0 of shares, −1 of correlations.
    is_pooled
        Whether several tasks may pool their pairs.
    """

    title: str
    short: str
    level: Level
    lowest: float
    is_pooled: bool = False


STATISTICS: Mapping[str, TaskStatistic] = {
    "system-pairs": TaskStatistic(
        "Pairwise accuracy of systems", "Pairs of systems", "systems", 0.0, is_pooled=True
    ),
    "soft-pairs": TaskStatistic(
        "Soft pairwise accuracy of systems", "Soft pairs of systems", "systems", 0.0
    ),
    "system-pearson": TaskStatistic("System-level Pearson r", "System r", "systems", -1.0),
    "system-spearman": TaskStatistic("System-level Spearman ρ", "System ρ", "systems", -1.0),
    "system-kendall": TaskStatistic("System-level Kendall τ-b", "System τ", "systems", -1.0),
    "segment-pearson": TaskStatistic(
        "Segment-level Pearson r, pooled", "Segment r", "segments", -1.0
    ),
    "acc-eq": TaskStatistic(
        "Pairwise accuracy of outputs with calibrated ties", "acc-eq", "segments", 0.0
    ),
    "grouped-pearson": TaskStatistic(
        "Pearson r of a segment’s outputs, mean", "r in a segment", "segments", -1.0
    ),
    "grouped-spearman": TaskStatistic(
        "Spearman ρ of a segment’s outputs, mean", "ρ in a segment", "segments", -1.0
    ),
    "grouped-kendall": TaskStatistic(
        "Kendall τ-b of a segment’s outputs, mean", "τ in a segment", "segments", -1.0
    ),
}
COEFFICIENTS: Mapping[str, Literal["pearson", "spearman", "kendall-tau-b"]] = {
    "pearson": "pearson",
    "spearman": "spearman",
    "kendall": "kendall-tau-b",
}


@dataclass(frozen=True, kw_only=True)
class TaskRead:
    """What a task rests on.

    Parameters
    ----------
    name, study, study_title, statistic, weight, pool, standard_reference, human_ties
        As the task says.
    simulated
        Whether the ratings of its study are.
    question
        Further fields of the filter.
    aspect
        What human raters judged.
    systems
        Those that take part.
    left_out, passed_over
        Systems and metrics that do not, and why.
    segments, rated
        Selected segments, and those with human scores.
    pooled
        Sentences on ratings that are pooled over several campaigns.
    """

    name: str
    study: str
    study_title: str
    simulated: bool
    statistic: str
    weight: float
    pool: str
    standard_reference: str
    human_ties: str
    question: Mapping[str, list[str]]
    aspect: str
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    passed_over: Mapping[str, str]
    segments: int
    rated: int
    pooled: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of its statistic."""
        return STATISTICS[self.statistic].title

    @property
    def asked(self) -> list[str]:
        """Further fields of the filter, in words."""
        fields = self.question.items()
        return [f"{name}: {', '.join(values)}" for name, values in fields if name != "aspect"]


@dataclass(frozen=True, kw_only=True)
class ColumnRead:
    """A column of the matrix: one task, or several whose pairs are pooled."""

    name: str
    statistic: str
    weight: float
    tasks: tuple[int, ...]

    @property
    def title(self) -> str:
        """Title of its statistic."""
        found = STATISTICS.get(self.statistic)
        return found.title if found else "Mean score of its outputs"


@dataclass(frozen=True, kw_only=True)
class Standing:
    """An entry of a matrix: a metric, or a system.

    Parameters
    ----------
    name
    note
        A note on it: where a metric comes from, whether a system is human.
    cells, ranks
        Value and rank of significance in each column; rank 0 where undefined.
    average, rank
    """

    name: str
    note: str
    cells: tuple[Result, ...]
    ranks: tuple[int, ...]
    average: Result
    rank: int

    @property
    def ranked_cells(self) -> list[tuple[Result, int]]:
        """Value and rank in each column."""
        return list(zip(self.cells, self.ranks, strict=True))


@dataclass(frozen=True, kw_only=True)
class PairTests:
    """Every two entries that have a value: the better one first, by place in the matrix.

    Lists of one length: places, difference, one-sided p, and p as ranks take it.
    """

    column: str
    better: list[int]
    worse: list[int]
    difference: list[float]
    p_value: list[float]
    adjusted: list[float]

    def each(self) -> Iterator[tuple[int, int, float, float, float]]:
        """Yield the test of every two: places, difference, and both p-values."""
        columns = (self.better, self.worse, self.difference, self.p_value, self.adjusted)
        yield from zip(*columns, strict=True)


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Entries by columns, the highest average first, and the tests of every two.

    Parameters
    ----------
    columns
    rows
    pairs
        Of the average first, then of each column.
    permutations
        Draws of the tests.
    """

    columns: tuple[ColumnRead, ...]
    rows: tuple[Standing, ...]
    pairs: tuple[PairTests, ...]
    permutations: int = 0


@dataclass(frozen=True, kw_only=True)
class Comparison(Content):
    """Metrics over all tasks, and systems by people.

    Parameters
    ----------
    tasks
    metrics
    systems
        By human scores; a column for each study and selection.
    """

    tasks: tuple[TaskRead, ...]
    metrics: Matrix
    systems: Matrix


@dataclass(frozen=True, kw_only=True)
class Leaderboard(Content):
    """Systems by one metric; a column for each study and selection that has it."""

    by: str
    systems: Matrix
