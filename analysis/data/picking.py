"""Which metrics a report takes for a measure, and which it passes over.

A metric that declares a family measures the aspects of that family. What only describes outputs, as
a length ratio does, measures nothing, and no conclusion is drawn from it. An overall judgement, or
an aspect that belongs to no family, may be tracked by any metric.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.data.measures import Measure
from analysis.data.selection import MetricColumn, metric_columns
from analysis.data.study_data import RunView, StudyData
from analysis.filter.question import Question

Relation = Literal["own", "possible", "other", "description"]
TAKEN: tuple[Relation, ...] = ("own", "possible")
ANY_METRIC = ("overall", "other")
"""Families of aspects that every metric may be about."""
Rule = Literal["named", "family", "all"]


def relation(run: RunView, measure: Measure | None) -> Relation:
    """Say what a metric has to do with a measure.

    Returns
    -------
    str
        ``own`` if it measures this aspect or another of its family, ``possible`` if it may, because
        nothing says what it measures or because any metric may, ``other`` if it measures another
        aspect, ``description`` if it measures none.
    """
    if run.describes:
        return "description"
    if measure is None or not run.family:
        return "possible"
    same_family = run.family == measure.family and measure.family != "other"
    if same_family or (run.aspect_key and run.aspect_key == measure.aspect):
        return "own"
    return "possible" if measure.family in ANY_METRIC else "other"


@dataclass(frozen=True)
class MetricChoice:
    """What a report says of its metrics: how many it took, and the labels of the others."""

    rule: Rule
    family: str
    taken: int
    other: tuple[str, ...]
    descriptions: tuple[str, ...]


@dataclass(frozen=True)
class Picked:
    """The metrics that a report takes, those of the aspect first, and those it passes over."""

    rule: Rule
    family: str
    taken: tuple[MetricColumn, ...]
    other: tuple[MetricColumn, ...]
    descriptions: tuple[MetricColumn, ...]

    @property
    def choice(self) -> MetricChoice:
        """What a report says of it."""
        other, descriptions = (
            tuple(column.label for column in columns) for columns in (self.other, self.descriptions)
        )
        return MetricChoice(self.rule, self.family, len(self.taken), other, descriptions)


def pick(data: StudyData, question: Question, aspect: str) -> Picked:
    """Choose metrics for a measure: those named, else those of its family, else all that judge.

    Raises
    ------
    QuestionError
        If a metric is named that the study does not have.
    """
    measure = data.measure(aspect)
    columns = metric_columns(data, question.but(aspect=""))
    related = [(column, relation(column.run, measure)) for column in columns]
    family = measure.family if measure else ""
    if question.metric:
        taken = tuple(_without_namesakes(columns, measure))
        return Picked("named", family, taken, (), ())
    wanted = (*TAKEN, "other") if question.candidates == "all" else TAKEN
    ordered = sorted(related, key=lambda each: wanted_place(each[1]))
    return Picked(
        "all" if question.candidates == "all" else "family",
        family,
        tuple(column for column, how in ordered if how in wanted),
        tuple(column for column, how in related if how == "other" and how not in wanted),
        tuple(column for column, how in related if how == "description"),
    )


def wanted_place(related: Relation) -> int:
    """Return the place of a relation where metrics are listed: those of the aspect first."""
    places: dict[Relation, int] = {"own": 0, "possible": 1, "other": 2, "description": 3}
    return places[related]


def _without_namesakes(
    columns: Sequence[MetricColumn], measure: Measure | None
) -> list[MetricColumn]:
    """Leave out a metric's scores for another aspect where it has some for this one."""
    key = measure.aspect if measure else ""
    exact = {_named(column) for column in columns if column.run.aspect_key == key}
    return [
        column
        for column in columns
        if column.run.aspect_key in ("", key) or _named(column) not in exact
    ]


def _named(column: MetricColumn) -> tuple[str, str, str]:
    return column.name, column.run.compared_to, column.run.text_setting
