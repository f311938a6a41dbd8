"""The statistics that a task of a collection may have."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

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
