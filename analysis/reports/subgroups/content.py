"""What the subgroups report computes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from analysis.data.named_metric import NamedMetric
from analysis.data.picking import MetricChoice
from analysis.reports.content import Content
from analysis.stats.correlation.top_n import Side
from analysis.stats.results import Result


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
