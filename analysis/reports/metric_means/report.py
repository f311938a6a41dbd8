"""The report of metric scores by system, with tests of their differences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.data.selection import Cells, MetricColumn, metric_columns, select, system_columns
from analysis.data.study_data import StudyData
from analysis.estimates.comparisons import (
    DRAWS_PER_PAIR,
    Compared,
    bootstrap_of,
    family,
    permutation_of,
)
from analysis.estimates.correlations import system_names
from analysis.filter.question import Question, QuestionError
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
from analysis.stats.systems.system_scores import SummedScores, system_scores
from analysis.wording import column_labels, today_label
from corpus.progress import ProgressCallback

MOST_SYSTEMS = 40
MOST_NAMED = 12
TIED = 1e-12


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
) -> dict[str, Any]:
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
    return {
        "systems": [
            {
                "system": data.systems[index].name,
                "human": data.systems[index].human,
                "baseline": data.systems[index].is_baseline,
                "ranked": bool(is_ranked),
            }
            for index, is_ranked in zip(cells.systems, ranked, strict=True)
        ],
        "segments": len(cells.segments),
        "columns": described,
        "rows": [
            {
                "column": place,
                "results": [result.to_dict() for result in of_column],
                "ranks": _ranks(each, ranked),
            }
            for place, (each, of_column) in enumerate(zip(columns, results, strict=True))
        ],
        "tested": _tested(data, question, cells, columns, column_labels(described), tell),
    }


def _column(data: StudyData, cells: Cells, column: MetricColumn, question: Question) -> _Column:
    shown = system_metric(data, cells, column, question.aggregate)
    if isinstance(shown, Undefined):
        return _Column(column, shown, shown)
    return _Column(column, shown, judged(data, cells, column, shown))


def _described(data: StudyData, each: _Column, question: Question) -> dict[str, Any]:
    run = each.column.run
    is_corpus = question.aggregate == CORPUS and has_corpus_score(each.column)
    return label_of(each.column) | {
        "better": "higher" if each.column.derived else run.orientation,
        "target": run.target,
        "made_of": made_of(data, run),
        "value": "corpus score" if is_corpus or not run.fields else "mean",
        "toward_target": isinstance(each.shown, SummedScores)
        and each.shown.variant.get("scores") == "toward-target",
    }


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


def _ranks(each: _Column, ranked: Any) -> list[int | None]:
    """Return each system's place among those that are ranked; tied ones share the better one."""
    if not isinstance(each.judged, SummedScores):
        return [None] * len(ranked)
    values = np.where(ranked, each.judged.values(), np.nan)
    return [
        None if np.isnan(value) else 1 + int((values > value + TIED * max(1, abs(value))).sum())
        for value in values
    ]


def _tested(
    data: StudyData,
    question: Question,
    cells: Cells,
    columns: Sequence[_Column],
    labels: Sequence[str],
    tell: ProgressCallback,
) -> dict[str, Any] | None:
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
    common = {
        "column": place,
        "label": labels[place],
        "turned": each.column.run.orientation in ("lower", "target") and not each.column.derived,
    }
    names = system_names(data, own)
    if isinstance(metric, Undefined):
        left_out = [{"system": name, "reason": metric.reason} for name in names]
        return common | {"systems": [], "pairs": [], "left_out": left_out}
    [results] = system_scores([metric], bootstrap_of(question))
    order, left_out = _order(results, names)
    cut = _cut(metric, order)
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
    systems: list[dict[str, Any]] = [
        {"system": names[i], "result": results[i].to_dict()} for i in order
    ]
    pairs, ranges = family(compared, [s["result"]["value"] for s in systems], question)
    return common | {
        "systems": [system | place for system, place in zip(systems, ranges, strict=True)],
        "pairs": pairs,
        "left_out": left_out,
    }


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
) -> tuple[list[int], list[dict[str, str]]]:
    """Return the systems best first, and those without a score with the reason."""
    values = {i: r.value for i, r in enumerate(results) if isinstance(r, Estimate)}
    order = sorted(values, key=lambda i: (-values[i], names[i]))
    left_out = [
        {"system": names[i], "reason": r.reason}
        for i, r in enumerate(results)
        if isinstance(r, Undefined)
    ]
    return order, left_out


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
