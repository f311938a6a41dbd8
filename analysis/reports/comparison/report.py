"""The comparison report: every metric against every other, by its correlation with human scores."""

from dataclasses import asdict, dataclass
from typing import Any, cast

from analysis.data.named_metric import NamedMetric, label_of
from analysis.data.selection import rated_aspects
from analysis.estimates.comparisons import Compared, PairTests, family, permutation_of
from analysis.estimates.correlations import (
    Pairing,
    correlation,
    correlation_variant,
    metrics_of_aspect,
)
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question, QuestionError
from analysis.reports.content import Asked, OfMetrics, facts_of
from analysis.stats.comparison.metric_permutation import (
    MetricPair,
    segment_level_permutation_steps,
    system_level_permutations,
)
from analysis.stats.comparison.paired_bootstrap import (
    bootstrap_difference_steps,
    system_level_williams,
)
from analysis.stats.correlation.weighted_correlation import WeightedCoefficient
from analysis.stats.pieces import Divide, InPieces, put_together
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined
from analysis.stats.systems.rank_ranges import RankRange
from corpus.progress import ProgressCallback

MOST_METRICS = 40


@dataclass(frozen=True, kw_only=True)
class _Correlated(NamedMetric):
    result: Result


@dataclass(frozen=True)
class RankedMetric(RankRange, _Correlated):
    """A metric with its correlation and its place by tests."""


@dataclass(frozen=True, kw_only=True)
class ComparisonReport(OfMetrics):
    """The metrics of one aspect, best first, and the tests of every two."""

    swap: str
    resample: str
    metrics: tuple[RankedMetric, ...]
    pairs: tuple[PairTests, ...]


def comparison_report(asked: Asked) -> ComparisonReport:
    """Build the report of one aspect: metrics with rank ranges, and the test of every two.

    Where nothing is drawn there are values without tests.

    Raises
    ------
    QuestionError
        If the question asks for what no test of two metrics knows, or too many metrics fit.
    """
    data, question, bootstrap = asked.data, asked.question, asked.bootstrap
    if question.test == "williams" and not _has_williams(question):
        raise QuestionError("test=williams: it needs level=system and statistic=pearson")
    question = question.but(aspect=aspect_asked(data, question))
    alone = question.but(resample="standard", interval="standard")
    results: dict[bytes, tuple[Pairing, Result]] = {}

    def why_not(pairing: Pairing) -> str:
        result = correlation(pairing, alone, bootstrap)
        if pairing.note or isinstance(result, Undefined):
            return pairing.note or result.reason
        same, _ = results.setdefault(pairing.metric.tobytes(), (pairing, result))
        return "" if same is pairing else f"it has the same scores as {same.column.label}"

    metrics = metrics_of_aspect(data, question, most=MOST_METRICS, why_not=why_not)
    compared = sorted(results.values(), key=lambda entry: -(entry[1].value or 0.0))
    pairings = [pairing for pairing, _ in compared]
    pairs = _pairs(pairings, question, bootstrap, asked.progress, asked.divide) if bootstrap else []
    tested, ranges = family(pairs, [result.value or 0.0 for _, result in compared], question)
    return ComparisonReport(
        **facts_of(data, metrics),
        aspects=tuple(rated_aspects(data)),
        swap=_swap(question),
        resample=_resample(question),
        metrics=tuple(
            RankedMetric(**label_of(pairing.column), result=result, **asdict(place))
            for (pairing, result), place in zip(compared, ranges, strict=True)
        ),
        pairs=tested,
    )


def _pairs(
    pairings: list[Pairing],
    question: Question,
    bootstrap: Bootstrap,
    tell: ProgressCallback,
    divide: Divide,
) -> list[Compared]:
    """Run every test on every two metrics."""
    if len(pairings) < 2:
        return []
    metrics, human = [pairing.metric for pairing in pairings], pairings[0].human
    coefficient = cast(WeightedCoefficient, question.statistic)
    variant = correlation_variant(pairings[0], question)
    count = len(metrics) * (len(metrics) - 1) // 2
    tell(f"permutation test of {count} pairs of metrics", 0, 0)
    common: Any = {"permutation": permutation_of(question, count), "variant": variant}
    steps: list[InPieces[list[MetricPair]]] = [
        bootstrap_difference_steps(
            metrics,
            human,
            coefficient,
            level=cast(Any, question.level),
            grouping=cast(Any, question.grouping if question.level == "segment" else "none"),
            over=cast(Any, _resample(question)),
            bootstrap=bootstrap,
            variant=variant,
        )
    ]
    swap = cast(Any, _swap(question))
    if question.level == "system":
        permuted = system_level_permutations(metrics, human, coefficient, swap=swap, **common)
        [resampled] = put_together(steps, divide, tell)
    else:
        grouping = cast(Any, question.grouping)
        steps.append(
            segment_level_permutation_steps(
                metrics, human, coefficient, grouping=grouping, swap=swap, **common
            )
        )
        resampled, permuted = put_together(steps, divide, tell)
    pairs = []
    for swapped, drawn in zip(permuted, resampled, strict=True):
        first, second = swapped.first, swapped.second
        tests: dict[str, Result] = {"permutation": swapped.result, "bootstrap": drawn.result}
        if _has_williams(question):
            tests["williams"] = system_level_williams(
                metrics[first], metrics[second], human, alternative="two-sided", variant=variant
            )
        pairs.append(Compared(first, second, tests))
    return pairs


def comparison_cost(question: Question, cells: int, systems: int, metrics: int) -> int:
    """Estimate the work as `Snapshot.cost` counts it, from measured times."""
    pairs = metrics * (metrics - 1) // 2
    per_cell = {"pearson": 60, "spearman": 2500, "kendall-tau-b": 300}.get(question.statistic, 60)
    if question.statistic == "kendall-tau-b" and question.grouping != "segment":
        # Every two members of a group are compared.
        per_cell = max(per_cell, cells // (2 * (systems if question.grouping == "system" else 1)))
    if question.level == "segment":
        permuted = pairs * cells * per_cell
    elif _swap(question) == "systems":
        permuted = pairs * (20_000 + 15 * 2 ** min(systems, 20))
    else:
        permuted = pairs * (150_000 + 40 * cells)
    resampled = metrics * cells * {"pearson": 100, "spearman": 1500}.get(question.statistic, 3500)
    if question.level == "system":
        resampled = metrics * (cells * 40 + 100_000)
    draws = permutation_of(question, pairs).draws
    return (permuted * draws + resampled * question.resamples) // 1000


def _swap(question: Question) -> str:
    if question.swap != "standard":
        return question.swap
    return "systems" if question.level == "system" else "cells"


def _resample(question: Question) -> str:
    if question.resample != "standard":
        return question.resample
    return f"{question.level}s"


def _has_williams(question: Question) -> bool:
    return question.level == "system" and question.statistic == "pearson"
