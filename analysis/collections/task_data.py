"""What a task reads of its study: human scores and metrics, of the systems that take part."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.narrowing import asked_data
from analysis.data.picking import pick
from analysis.data.pooling import pooled_words
from analysis.data.selection import Cells, MetricColumn, measures_of
from analysis.data.study_data import RunView, StudyData
from analysis.estimates.correlations import HumanSide, align, human_side, system_names
from analysis.estimates.evaluation import aspect_asked
from analysis.filter.question import Question
from analysis.reports.metric_means.system_metrics import judged, system_metric
from analysis.stats.results import Undefined
from corpus.models import Output, Study, System
from corpus.vocabulary.publication_details import STATED
from metrics.models import SystemScore
from metrics.scorers.registry import scorers

COMPARED = 50
"""Segments whose texts say which numbered reference a named one is."""


def reference_number(study: Study, name: str) -> int:
    """Return the number of a reference: known by its name, or by equal texts; 0 if unknown.

    A reference that was released as a system too has the name of that system.
    """
    stem, _, number = name.rpartition(".")
    if stem == "reference" and number.isdecimal():
        return int(number)
    outputs = Output.objects.filter(study=study)
    named = dict(
        outputs.filter(system__name=name, system__kind=System.Kind.SYSTEM, variant=1)
        .order_by("ordinal")
        .values_list("segment_id", "text")[:COMPARED]
    )
    if not named:
        return 0
    differs: dict[int, bool] = {}
    references = outputs.filter(system__kind=System.Kind.REFERENCE, segment__in=list(named))
    for segment, variant, text in references.values_list("segment_id", "variant", "text"):
        differs[variant] = differs.get(variant, False) or text != named[segment]
    return min((variant for variant, is_other in differs.items() if not is_other), default=0)


def names_of_reference(study: Study, name: str) -> tuple[str, ...]:
    """Return what metrics may say that they were compared with, if it was this reference."""
    if not name:
        return ()
    number = reference_number(study, name)
    return (name, f"reference.{number}") if number else (name,)


WITHOUT_REFERENCE = ("", "src", "source", "none")
"""What a metric is compared with that reads no reference."""
REFERENCE, SOURCE = "reference", "source"


class MetricKey(NamedTuple):
    """What makes metrics of two studies the same one."""

    metric: str
    kind: str
    """What it compared the output with: `reference`, `source`, or a name."""
    text_setting: str
    parameters: str
    """Those of its parameters that are not the usual ones."""


@dataclass(frozen=True)
class TaskMetric:
    """A metric in a task, oriented so that higher is better.

    Parameters
    ----------
    key
    segments : ndarray or None, shape (rated segments, systems)
        None of a metric that scores systems only.
    systems : ndarray, shape (systems,)
        Its values of systems; NaN where it has none.
    system_value
        Where these come from, in a word: ``released``, ``corpus`` or ``mean``.
    origin
        Whether it was imported, computed here, or computed elsewhere as a file states.
    """

    key: MetricKey
    segments: Floats | None
    systems: Floats
    system_value: str
    origin: str


@dataclass(frozen=True)
class TaskData:
    """Human scores and metrics of the systems of a task.

    Parameters
    ----------
    study, aspect
    systems : tuple of str
    left_out : mapping
        Systems of the study that take no part, and why.
    human : ndarray, shape (rated segments, systems)
    rated : ndarray of int
        Places of the rated segments among all of the study.
    segments : int
        Segments of the study that the question selects.
    columns : ndarray of int
        Places of the systems among all of the study.
    shape : (int, int)
        Segments and systems of the study.
    metrics : tuple of TaskMetric
    passed_over : mapping
        Metrics that take no part, and why.
    pooled : tuple of str
        Sentences on ratings that are pooled over several campaigns.
    """

    study: str
    aspect: str
    systems: tuple[str, ...]
    left_out: Mapping[str, str]
    human: Floats
    rated: Integers
    segments: int
    columns: Integers
    shape: tuple[int, int]
    metrics: tuple[TaskMetric, ...]
    passed_over: Mapping[str, str]
    pooled: tuple[str, ...] = ()

    @property
    def human_systems(self) -> Floats:
        """Mean human score of each system over its rated segments."""
        return np.asarray(np.nanmean(self.human, axis=0))


def read_task(study: Study, question: Question, standard_reference: str) -> TaskData:
    """Return what a task reads.

    Raises
    ------
    QuestionError
        If the question names something that the study does not have.
    """
    data = asked_data(study, question)
    aspect = aspect_asked(data, question)
    question = question.but(aspect=aspect, orientation="oriented")
    people = human_side(data, question, aspect)
    kept, left_out = _systems(data, people, standard_reference)
    rows = np.flatnonzero(np.isfinite(people.scores[:, kept]).any(axis=1))
    reader = _MetricReader(
        data=data,
        question=question,
        people=people,
        cells=Cells(people.cells.segments, people.cells.systems[kept]),
        kept=kept,
        rows=rows,
        references=names_of_reference(study, standard_reference),
        released=_released(study),
    )
    metrics, passed_over = reader.read()
    return TaskData(
        study=study.slug,
        aspect=aspect,
        systems=system_names(data, reader.cells),
        left_out=left_out,
        human=people.scores[:, kept][rows],
        rated=people.cells.segments[rows],
        segments=len(people.cells.segments),
        columns=reader.cells.systems,
        shape=data.shape,
        metrics=metrics,
        passed_over=passed_over,
        pooled=tuple(pooled_words(data.judgements, measures_of(data, aspect))),
    )


def _systems(
    data: StudyData, people: HumanSide, standard_reference: str
) -> tuple[Integers, dict[str, str]]:
    """Return which of the selected systems take part, and why others do not."""
    selected = set(people.cells.systems.tolist())
    reasons = {True: "a human-written system, not counted in this task", False: "left out"}
    left_out = {
        system.name: reasons[system.human]
        for place, system in enumerate(data.systems)
        if place not in selected
    }
    kept = []
    for place, column in enumerate(people.cells.systems.tolist()):
        name = data.systems[column].name
        if name == standard_reference:
            left_out[name] = "the reference that metrics were given"
        elif not np.isfinite(people.scores[:, place]).any():
            left_out[name] = "no human scores"
        else:
            kept.append(place)
    if standard_reference in left_out:
        left_out[standard_reference] = "the reference that metrics were given"
    return np.array(kept, dtype=np.int64), left_out


def _released(study: Study) -> dict[int, dict[str, float]]:
    """Return released values of systems by run."""
    found: dict[int, dict[str, float]] = {}
    rows = SystemScore.objects.filter(run__study=study)
    for run, system, value in rows.values_list("run_id", "system__name", "value"):
        found.setdefault(run, {})[system] = value
    return found


@dataclass(frozen=True)
class _MetricReader:
    """Reads the metrics of a task, all compared with the same human scores."""

    data: StudyData
    question: Question
    people: HumanSide
    cells: Cells
    kept: Integers
    rows: Integers
    references: tuple[str, ...]
    released: Mapping[int, Mapping[str, float]]

    def read(self) -> tuple[tuple[TaskMetric, ...], dict[str, str]]:
        """Return the metrics that take part, and why others do not."""
        picked = pick(self.data, self.question, self.people.aspect)
        passed_over = dict.fromkeys(picked.choice.other, "it measures another aspect")
        found: dict[MetricKey, TaskMetric] = {}
        for column in (*picked.taken, *self._of_systems()):
            metric = self._unfit(column) or self._metric(column)
            if isinstance(metric, str):
                passed_over[column.label] = metric
            elif metric.key in found:
                passed_over[column.label] = "another run of this metric takes part"
            else:
                found[metric.key] = metric
        return tuple(found.values()), passed_over

    def _of_systems(self) -> list[MetricColumn]:
        """Return the metrics that score systems only."""
        columns = [MetricColumn(run.metric, run) for run in self.data.system_runs]
        asked = self.question.metric
        return [each for each in columns if not asked or any(map(each.is_named, asked))]

    def _unfit(self, column: MetricColumn) -> str:
        """Say why a metric takes no part; empty where nothing speaks against it."""
        compared_to = column.run.compared_to
        if self.references and compared_to not in (*self.references, *WITHOUT_REFERENCE):
            return f"compared with {compared_to}, not with {self.references[0]}"
        return ""

    def _metric(self, column: MetricColumn) -> TaskMetric | str:
        segments = None
        if column.run.fields:
            pairing = align(self.data, self.question, column, self.people)
            if pairing.note:
                return pairing.note
            segments = pairing.metric[:, self.kept][self.rows]
            if not np.isfinite(segments).any():
                return "no rated output has a score"
        found = self._of_released(column) or self._of_outputs(column)
        if isinstance(found, str):
            return found
        values, whence = found
        origin = STATED if column.run.is_stated else column.run.origin
        return TaskMetric(self._key(column), segments, values, whence, origin)

    def _of_released(self, column: MetricColumn) -> tuple[Floats, str] | str | None:
        """Return released values of systems, turned so that higher is better; None without any."""
        of_run = self.released.get(column.run.pk)
        if not of_run:
            return None
        names = system_names(self.data, self.cells)
        values = np.array([of_run.get(name, np.nan) for name in names])
        orientation = "higher" if column.derived else column.run.orientation
        if orientation == "lower":
            values = -values
        elif orientation == "target" and column.run.target is not None:
            values = -np.abs(values - column.run.target)
        elif orientation != "higher":
            return f"it is not declared whether higher or lower {column.run.metric} is better"
        return values, "released"

    def _of_outputs(self, column: MetricColumn) -> tuple[Floats, str] | str:
        """Return the corpus score of each system, else the mean of its outputs."""
        shown = system_metric(self.data, self.cells, column)
        if isinstance(shown, Undefined):
            return shown.reason
        turned = judged(self.data, self.cells, column, shown)
        if isinstance(turned, Undefined):
            return turned.reason
        return turned.values(), "mean" if shown.statistic == "system-mean" else "corpus"

    def _key(self, column: MetricColumn) -> MetricKey:
        run, kind = column.run, column.run.compared_to
        if kind in self.references:
            kind = REFERENCE
        elif kind in WITHOUT_REFERENCE:
            kind = SOURCE if kind else ""
        return MetricKey(column.name, kind, run.text_setting, _unusual(run))


def _unusual(run: RunView) -> str:
    """Return those parameters of a run that are not the usual ones."""
    metric = str(run.request.get("metric", ""))
    if metric not in scorers():
        return ""
    usual = scorers()[metric].spec.read({})
    given = run.request.get("parameters", {})
    return ", ".join(f"{name} {value}" for name, value in given.items() if value != usual.get(name))
