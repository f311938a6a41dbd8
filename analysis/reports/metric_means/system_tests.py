"""The systems of a study compared by one metric."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import ClassVar

from analysis.data.selection import MetricColumn, select
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import (
    DRAWS_PER_PAIR,
    Compared,
    LeftOutSystem,
    PairTests,
    family,
    permutation_of,
)
from analysis.estimates.correlations import system_names
from analysis.filter.question import Question, QuestionError
from analysis.reports.metric_means.system_metrics import judged, system_metric
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Estimate, Result, Undefined
from analysis.stats.systems.rank_ranges import RankRange
from analysis.stats.systems.system_scores import SummedScores, compare_pairs, system_scores
from corpus.progress import ProgressCallback

MOST_SYSTEMS = 40
MOST_NAMED = 12


@dataclass(frozen=True)
class _Scored:
    system: str
    result: Result


@dataclass(frozen=True)
class RankedSystem(RankRange, _Scored):
    """A system with its score and its place by tests."""


@dataclass(frozen=True)
class SystemTests:
    """The systems compared by one metric, best first, and the tests of every two."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"metric": "label"}
    column: int
    label: str
    turned: bool
    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairTests, ...]
    left_out: tuple[LeftOutSystem, ...]


@dataclass(frozen=True)
class Column:
    """A metric of the systems: as it is shown, and turned so that higher is better."""

    column: MetricColumn
    shown: SummedScores | Undefined
    judged: SummedScores | Undefined

    @property
    def is_judged(self) -> bool:
        """Whether systems can be ranked by it."""
        return isinstance(self.judged, SummedScores)


def compare_systems(
    data: StudyData,
    question: Question,
    columns: Sequence[Column],
    labels: Sequence[str],
    bootstrap: Bootstrap,
    tell: ProgressCallback,
) -> SystemTests | None:
    """Compare every two systems by one metric; None where no metric can be asked.

    Where nothing is drawn there are scores without tests.
    """
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
        return system_tests((), (), tuple(LeftOutSystem(name, metric.reason) for name in names))
    [results] = system_scores([metric], bootstrap)
    order, left_out = _order(results, names)
    compared = _compared(_cut(metric, list(order)), question, tell) if bootstrap else []
    pairs, ranges = family(compared, list(order.values()), question)
    systems = tuple(
        RankedSystem(system=names[i], result=results[i], **asdict(at))
        for i, at in zip(order, ranges, strict=True)
    )
    return system_tests(systems, pairs, left_out)


def _compared(metric: SummedScores, question: Question, tell: ProgressCallback) -> list[Compared]:
    """Run both tests on every two systems."""
    systems = metric.rows.shape[1]
    count = systems * (systems - 1) // 2
    tell("comparing systems", 0, count)
    tested = compare_pairs(
        metric, _bootstrap_of_pairs(question, count), permutation_of(question, count), tell
    )
    return [
        Compared(t.first, t.second, {"permutation": t.randomisation, "bootstrap": t.bootstrap})
        for t in tested
    ]


def _place(question: Question, columns: Sequence[Column], labels: Sequence[str]) -> int | None:
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


def _named(name: str, columns: Sequence[Column], labels: Sequence[str]) -> int | None:
    """Return the metric of a label, or of a name that only one of those selected has."""
    if name in labels:
        return labels.index(name)
    fits = [place for place, each in enumerate(columns) if each.column.name == name]
    return fits[0] if len(fits) == 1 else None


def _order(
    results: Sequence[Result], names: Sequence[str]
) -> tuple[dict[int, float], tuple[LeftOutSystem, ...]]:
    """Return the values of systems, best first, and those without a score with the reason."""
    values = {i: r.value for i, r in enumerate(results) if isinstance(r, Estimate)}
    order = sorted(values, key=lambda i: (-values[i], names[i]))
    left_out = tuple(
        LeftOutSystem(names[i], r.reason) for i, r in enumerate(results) if isinstance(r, Undefined)
    )
    return {i: values[i] for i in order}, left_out


def _cut(metric: SummedScores, order: Sequence[int]) -> SummedScores:
    return replace(metric, rows=metric.rows[:, order], present=metric.present[:, order])


def _bootstrap_of_pairs(question: Question, pairs: int) -> Bootstrap:
    """Return the bootstrap of a family of tests, with draws enough to detect anything at all."""
    return Bootstrap(max(question.resamples, DRAWS_PER_PAIR * pairs), question.seed)
