"""The report of metric scores by system, with tests of their differences."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from analysis.data.named_metric import NamedMetric
from analysis.data.selection import Cells, MetricColumn, metric_columns, select, system_columns
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import (
    DRAWS_PER_PAIR,
    Compared,
    PairTests,
    bootstrap_of,
    family,
    permutation_of,
)
from analysis.estimates.correlations import system_names
from analysis.filter.question import Question, QuestionError
from analysis.reports.content import Content
from analysis.reports.correlation.report import label_of
from analysis.reports.metric_means.system_metrics import (
    CORPUS,
    has_corpus_score,
    judged,
    made_of,
    system_metric,
)
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.systems.paired_system_scores import compare_pairs
from analysis.stats.systems.rank_ranges import RankRange
from analysis.stats.systems.system_scores import SummedScores, system_scores
from analysis.wording import column_labels, today_label
from corpus.progress import ProgressCallback

MOST_SYSTEMS = 40
MOST_NAMED = 12
TIED = 1e-12


@dataclass(frozen=True)
class ScoredSystem:
    """A system of the table; baselines are ranked only if they are named."""

    system: str
    human: bool
    baseline: bool
    ranked: bool


@dataclass(frozen=True, kw_only=True)
class MeansColumn(NamedMetric):
    """A metric, which side of it is better, and what of it is shown."""

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
class _Scored:
    system: str
    result: Result


@dataclass(frozen=True)
class RankedSystem(RankRange, _Scored):
    """A system with its score and its place by tests."""


@dataclass(frozen=True)
class UnscoredSystem:
    """A system without a score, and why."""

    system: str
    reason: str


@dataclass(frozen=True)
class SystemTests:
    """The systems compared by one metric, best first, and the tests of every two."""

    column: int
    label: str
    turned: bool
    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairTests, ...]
    left_out: tuple[UnscoredSystem, ...]


@dataclass(frozen=True)
class MetricMeansReport(Content):
    """Every system by every metric, and the tests by one of them."""

    systems: tuple[ScoredSystem, ...]
    segments: int
    columns: tuple[MeansColumn, ...]
    rows: tuple[MeansRow, ...]
    tested: SystemTests | None


@dataclass(frozen=True)
class _Column:
    """A metric of the systems: as it is shown, and turned so that higher is better."""

    column: MetricColumn
    shown: SummedScores | Undefined
    judged: SummedScores | Undefined

    @property
    def is_judged(self) -> bool:
        """Whether systems can be ranked by it."""
        return isinstance(self.judged, SummedScores)


def metric_means_report(
    data: StudyData, question: Question, tell: ProgressCallback
) -> MetricMeansReport:
    """Build the report: every system by every metric, and the tests by one of them.

    Baselines stand in the table, marked; they are ranked and tested only if they are named.

    Raises
    ------
    QuestionError
        If the question asks for another test, or for a metric that does not fit.
    """
    cells = select(data, question, baselines=True)
    columns = [
        _column(data, cells, column, question)
        for column in (*metric_columns(data, question), *system_columns(data, question))
    ]
    tell("resampling segments", 0, 0)
    results = _results(columns, bootstrap_of(question), len(cells.systems))
    ranked = _ranked(data, cells, question)
    described = [_described(data, each, question) for each in columns]
    systems = [data.systems[index] for index in cells.systems]
    return MetricMeansReport(
        systems=tuple(
            ScoredSystem(system.name, system.human, system.is_baseline, bool(is_ranked))
            for system, is_ranked in zip(systems, ranked, strict=True)
        ),
        segments=len(cells.segments),
        columns=tuple(described),
        rows=tuple(
            MeansRow(place, tuple(of_column), _ranks(each, ranked))
            for place, (each, of_column) in enumerate(zip(columns, results, strict=True))
        ),
        tested=_tested(data, question, columns, column_labels(described), tell),
    )


def _column(data: StudyData, cells: Cells, column: MetricColumn, question: Question) -> _Column:
    shown = system_metric(data, cells, column, question.aggregate)
    if isinstance(shown, Undefined):
        return _Column(column, shown, shown)
    return _Column(column, shown, judged(data, cells, column, shown))


def _described(data: StudyData, each: _Column, question: Question) -> MeansColumn:
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


def _results(columns: Sequence[_Column], bootstrap: Bootstrap, systems: int) -> list[list[Result]]:
    found = [each.shown for each in columns if isinstance(each.shown, SummedScores)]
    scored = iter(system_scores(found, bootstrap))
    return [
        [each.shown] * systems if isinstance(each.shown, Undefined) else next(scored)
        for each in columns
    ]


def _ranked(data: StudyData, cells: Cells, question: Question) -> Any:
    """Return which of the selected systems are ranked and tested: baselines only by name."""
    return np.isin(cells.systems, select(data, question).systems)


def _ranks(each: _Column, ranked: Any) -> tuple[int | None, ...]:
    """Return each system's place among those that are ranked; tied ones share the better one."""
    if not isinstance(each.judged, SummedScores):
        return (None,) * len(ranked)
    values = np.where(ranked, each.judged.values(), np.nan)
    return tuple(
        None if np.isnan(value) else 1 + int((values > value + TIED * max(1, abs(value))).sum())
        for value in values
    )


def _tested(
    data: StudyData,
    question: Question,
    columns: Sequence[_Column],
    labels: Sequence[str],
    tell: ProgressCallback,
) -> SystemTests | None:
    """Compare every two systems by one metric; None where no metric can be asked."""
    place = _place(question, columns, labels)
    if place is None:
        return None
    each = columns[place]
    own = select(data, question)
    if len(own.systems) > MOST_SYSTEMS:
        raise QuestionError(
            f"systems: {len(own.systems)} systems fit, at most {MOST_SYSTEMS} are compared at "
            "once; choose some of them"
        )
    shown = system_metric(data, own, each.column, question.aggregate)
    metric = shown if isinstance(shown, Undefined) else judged(data, own, each.column, shown)
    turned = each.column.run.orientation in ("lower", "target") and not each.column.derived
    system_tests = partial(SystemTests, place, labels[place], turned)
    names = system_names(data, own)
    if isinstance(metric, Undefined):
        return system_tests((), (), tuple(UnscoredSystem(name, metric.reason) for name in names))
    [results] = system_scores([metric], bootstrap_of(question))
    order, left_out = _order(results, names)
    cut = _cut(metric, list(order))
    count = len(order) * (len(order) - 1) // 2
    tell("comparing systems", 0, count)
    tested = compare_pairs(
        cut,
        _bootstrap_of_pairs(question, count),
        permutation_of(question, count),
        tell,
    )
    compared = [
        Compared(t.first, t.second, {"permutation": t.randomisation, "bootstrap": t.bootstrap})
        for t in tested
    ]
    pairs, ranges = family(compared, list(order.values()), question)
    systems = tuple(
        RankedSystem(system=names[i], result=results[i], **asdict(at))
        for i, at in zip(order, ranges, strict=True)
    )
    return system_tests(systems, pairs, left_out)


def _place(question: Question, columns: Sequence[_Column], labels: Sequence[str]) -> int | None:
    """Return the metric that systems are compared by: the one asked for, or the first that can.

    Unless it is named, none that only describes outputs decides which systems are better.
    """
    usable = [place for place, each in enumerate(columns) if each.is_judged]
    if not question.tested:
        return next((each for each in usable if not columns[each].column.run.describes), None)
    place = _named(question.tested, columns, labels)
    if place is None:
        known = [labels[each] for each in usable]
        more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
        listed = ", ".join(known[:MOST_NAMED]) or "none"
        raise QuestionError(f"tested={question.tested}: expected one of {listed}{more}")
    found = columns[place].judged
    if isinstance(found, Undefined) and isinstance(columns[place].shown, SummedScores):
        raise QuestionError(f"tested={question.tested}: {found.reason}")
    return place


def _named(name: str, columns: Sequence[_Column], labels: Sequence[str]) -> int | None:
    """Return the metric of a label, or of a name that only one of those selected has."""
    if (label := today_label(name, labels)) in labels:
        return labels.index(label)
    fits = [place for place, each in enumerate(columns) if each.column.name == name]
    return fits[0] if len(fits) == 1 else None


def _order(
    results: Sequence[Result], names: Sequence[str]
) -> tuple[dict[int, float], tuple[UnscoredSystem, ...]]:
    """Return the values of systems, best first, and those without a score with the reason."""
    values = {i: r.value for i, r in enumerate(results) if isinstance(r, Estimate)}
    order = sorted(values, key=lambda i: (-values[i], names[i]))
    left_out = tuple(
        UnscoredSystem(names[i], r.reason)
        for i, r in enumerate(results)
        if isinstance(r, Undefined)
    )
    return {i: values[i] for i in order}, left_out


def _cut(metric: SummedScores, order: Sequence[int]) -> SummedScores:
    return replace(metric, rows=metric.rows[:, order], present=metric.present[:, order])


def _bootstrap_of_pairs(question: Question, pairs: int) -> Bootstrap:
    """Return the bootstrap of a family of tests, with draws enough to detect anything at all."""
    return Bootstrap(max(question.resamples, DRAWS_PER_PAIR * pairs), question.seed)


def metric_means_cost(question: Question, segments: int, systems: int, sums: Sequence[int]) -> int:
    """Estimate the work as `analysis.reports.service.cost` counts it, from measured times.

    `sums` has the number of sums of each metric.
    """
    pairs = systems * (systems - 1) // 2
    draws = max(question.resamples, DRAWS_PER_PAIR * pairs)
    cells = segments * systems
    values = 700 * segments + 7 * cells * sum(sums) + 20_000 * systems * len(sums)
    most = max(sums, default=0)
    # A corpus score takes longer to make of its sums than a mean.
    tests = 850 * segments + 15 * cells * most + (46_000 if most > 2 else 12_000) * pairs
    return (values * question.resamples + tests * draws) // 1000
