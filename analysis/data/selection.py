"""Which segments, systems and metric columns a question selects."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats
from analysis.data.measures import Measure
from analysis.data.study_data import RatedOutputs, RunView, StudyData
from analysis.filter.question import Question, QuestionError
from analysis.stats.systems.human_scores import mean_per_output, rank_scores, z_scores
from corpus.vocabulary.aspects import find_aspect

NONE = "none"


@dataclass(frozen=True, slots=True)
class Cells:
    """Rows and columns of the study's matrices that enter a statistic."""

    segments: NDArray[np.int64]
    systems: NDArray[np.int64]

    def of(self, matrix: Floats) -> Floats:
        """Cut the selected cells out of a segments × systems matrix."""
        if np.array_equal(self.segments, np.arange(len(matrix))):
            return matrix.take(self.systems, axis=1)
        return matrix[np.ix_(self.segments, self.systems)]


def select(data: StudyData, question: Question, *, baselines: bool = False) -> Cells:
    """Apply a question's direction, systems and attributes; baselines enter by name only, or all.

    Raises
    ------
    QuestionError
        If a name matches nothing, so that a typing error is not an empty report.
    """
    keep_segments = np.ones(len(data.segment_keys), dtype=bool)
    if question.direction:
        if question.direction not in data.directions:
            known = ", ".join(sorted(set(data.directions) - {""})) or "none is known"
            raise QuestionError(f"direction={question.direction}: this study has {known}")
        keep_segments &= np.array([d == question.direction for d in data.directions])
    keep_systems = _chosen_systems(data, question, baselines)
    for pair in question.where:
        name, _, value = pair.partition(":")
        of_segments = [str(a.get(name, "")) == value for a in data.segment_attributes]
        of_systems = [str(s.attributes.get(name, "")) == value for s in data.systems]
        if any(of_segments):
            keep_segments &= np.array(of_segments)
        elif any(of_systems):
            keep_systems &= np.array(of_systems)
        else:
            raise QuestionError(f"where={pair}: no segment and no system has that")
    return Cells(np.flatnonzero(keep_segments), np.flatnonzero(keep_systems))


def _chosen_systems(data: StudyData, question: Question, baselines: bool) -> NDArray[np.bool_]:
    """Return which systems are asked for; baselines, which nobody rated, only by name."""
    names = [system.name for system in data.systems]
    keep = np.ones(len(names), dtype=bool)
    if question.systems:
        keep = _matching(names, question.systems, "systems")
    else:
        keep = np.array([baselines or not s.is_baseline for s in data.systems], dtype=bool)
        if question.humans == "out":
            keep &= np.array([not system.human for system in data.systems], dtype=bool)
    if question.leave_out:
        keep &= ~_matching(names, question.leave_out, "leave_out")
    return keep


def _matching(names: Sequence[str], patterns: Sequence[str], filter_name: str) -> NDArray[np.bool_]:
    found = np.zeros(len(names), dtype=bool)
    for pattern in patterns:
        hits = np.array([fnmatchcase(name, pattern) for name in names], dtype=bool)
        if not hits.any():
            raise QuestionError(f"{filter_name}={pattern}: this study has {', '.join(names)}")
        found |= hits
    return found


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """A run's numbers as one score an output: as they are, or derived from a distribution."""

    name: str
    run: RunView
    derived: str = ""

    @property
    def label(self) -> str:
        """The name that no other column of the study has."""
        return f"{self.run.name} {self.derived}" if self.derived else self.run.name

    def is_named(self, pattern: str) -> bool:
        """Whether a pattern means its metric, or this column alone."""
        names = self.name, self.label
        return pattern in names or any(fnmatchcase(name, pattern) for name in names)


TARGET_STYLE = "target-style score"
DIRECTION_CORRECTED = "direction-corrected EMD"
HALF_L1 = "direction-corrected EMD (half L1)"
"""The two differ only where a classifier's probabilities do not sum to one exactly."""
DERIVED = (TARGET_STYLE, DIRECTION_CORRECTED, HALF_L1)


def metric_columns(data: StudyData, question: Question) -> list[MetricColumn]:
    """Return the columns that a question asks for, in the order of the runs."""
    columns = []
    for run in data.runs:
        if run.is_distribution:
            names = [(f"{run.metric} {d}", d) for d in DERIVED]
        else:
            names = [(run.metric, "")]
        columns += [MetricColumn(name, run, derived) for name, derived in names]
    if question.metric:
        # A metric of systems is there, even where a report has no place for it.
        there = [*columns, *_of_systems(data)]
        missing = [
            pattern
            for pattern in question.metric
            if not any(column.is_named(pattern) for column in there)
        ]
        if missing:
            known = ", ".join(dict.fromkeys(column.name for column in there)) or "none"
            raise QuestionError(f"metric={missing[0]}: this study has {known}")
    measures = measures_of(data, question.aspect) if question.aspect else ()
    return [column for column in columns if _asked_for(column, question, measures)]


def default_columns(data: StudyData, question: Question) -> list[MetricColumn]:
    """Return the columns that a report takes: trials only where the question asks for them."""
    return without_trials(metric_columns(data, question), question)


def without_trials(columns: list[MetricColumn], question: Question) -> list[MetricColumn]:
    """Leave out trials where the question does not ask for them."""
    named = question.metric or question.compared_to or question.text_setting
    if named or question.candidates == "all":
        return columns
    return [column for column in columns if not column.run.is_trial]


def system_columns(data: StudyData, question: Question) -> list[MetricColumn]:
    """Return the columns of metrics that score systems only, as a question asks for them."""
    measures = measures_of(data, question.aspect) if question.aspect else ()
    return [column for column in _of_systems(data) if _asked_for(column, question, measures)]


def _of_systems(data: StudyData) -> list[MetricColumn]:
    return [MetricColumn(run.metric, run) for run in data.system_runs]


def _asked_for(column: MetricColumn, question: Question, measures: Sequence[Measure]) -> bool:
    run = column.run
    return (
        (not question.metric or any(column.is_named(pattern) for pattern in question.metric))
        and _setting_fits(run.compared_to, question.compared_to)
        and _setting_fits(run.text_setting, question.text_setting)
        and (
            not question.aspect
            or not run.aspect
            or run.aspect_key in [measure.aspect for measure in measures]
        )
    )


def _setting_fits(value: str, wanted: str) -> bool:
    return not wanted or value == ("" if wanted == NONE else wanted)


def measures_of(data: StudyData, aspect: str) -> tuple[Measure, ...]:
    """Return the measures that a name stands for: one by its name, or all of an aspect.

    A name that ratings are stored under means these; any other is read as a synonym.
    """
    measures = data.judgements.measures
    if exact := data.measure(aspect):
        return (exact,)
    if named := tuple(m for m in measures if aspect in (m.aspect, m.asked_as)):
        return named
    key = find_aspect(aspect).key
    return tuple(m for m in measures if m.aspect == key)


def scale_aspects(data: StudyData) -> list[str]:
    """Measures that were rated on a scale, in order of appearance."""
    return list(data.judgements.on_scale)


def rated_aspects(data: StudyData) -> list[str]:
    """Measures that say something of single outputs: scales, ranks and preferences."""
    judged = data.judgements
    return [
        measure.name
        for measure in judged.measures
        if measure.name in (judged.by_choice if measure.answers == "choices" else judged.on_scale)
    ]


def human_scores(data: StudyData, question: Question, aspect: str) -> Floats:
    """Return mean human scores as segments × systems, over all of a measure's ratings.

    z-scores and ranks are taken per annotator and measure over everything that was rated,
    human-written outputs and sources included, before any filter.
    """
    return data.matrix(human_scores_of_outputs(data, question, aspect))


def human_scores_of_outputs(data: StudyData, question: Question, aspect: str) -> Floats:
    """Return mean human scores of all outputs, over all of a measure's ratings.

    See `human_scores`.
    """
    rated = data.rated(aspect)
    values = _valued(data, rated, question)
    means, _ = mean_per_output(values, rated.output, len(data.segment_of_output))
    return means


def columns_of_systems(data: StudyData, by_output: Floats, cells: Cells) -> list[Floats]:
    """Return what is there of the selected outputs of each selected system, in segment order.

    This is a matrix of `StudyData.matrix` by columns, without its missing cells, which are most of
    them where each segment has outputs of a few systems only.
    """
    kept = np.zeros(len(data.segment_keys), dtype=bool)
    kept[cells.segments] = True
    outputs = np.flatnonzero(data.system_outputs & np.isfinite(by_output))
    outputs = outputs[kept[data.segment_of_output[outputs]]]
    column = data.column_of_output[outputs]
    order = np.lexsort((data.segment_of_output[outputs], column))
    ends = np.searchsorted(column[order], np.arange(data.shape[1] + 1))
    values = by_output[outputs[order]]
    return [values[ends[system] : ends[system + 1]] for system in cells.systems.tolist()]


def bounds_of_scores(
    data: StudyData, question: Question, aspect: str
) -> tuple[float, float] | None:
    """Return the lowest and highest score where a mean is a share: of the votes for a text."""
    measure = data.measure(aspect)
    by_choice = measure is not None and measure.answers == "choices"
    return (0.0, 1.0) if by_choice and question.scores == "raw" else None


def rated_values(data: StudyData, question: Question, aspect: str) -> Floats:
    """Return what a measure says of outputs, in its order: raw, as z-scores or as ranks."""
    return _valued(data, data.rated(aspect), question)


def _valued(data: StudyData, rated: RatedOutputs, question: Question) -> Floats:
    if question.scores not in ("z", "rank"):
        return rated.value
    # An annotator belongs to one campaign, so this groups by campaign as well.
    if question.scores == "z":
        ddof: Literal[0, 1] = 1 if question.ddof else 0
        values = z_scores(rated.value, rated.annotator, ddof=ddof).values
    else:
        values = rank_scores(rated.value, rated.annotator)
    # What a rater who is not identified gave elsewhere is not known.
    return np.where(data.unnamed_raters[rated.annotator], np.nan, values)
