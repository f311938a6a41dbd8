"""What each metric measures, and which metrics a report on an aspect takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from analysis.data.measures import Measure
from analysis.data.selection import MetricColumn, metric_columns, without_trials
from analysis.data.study_data import RunView, StudyData
from analysis.filter.question import Question
from corpus.vocabulary.aspects import ASPECTS, Family, find_aspect
from metrics.catalogue import declared_family, family_of, is_description
from metrics.models import MetricRun
from metrics.runs.names import SUFFIX

MeasuredBy = Literal[
    "description", "definition", "table", "declared", "distribution", "name", "unknown"
]


@dataclass(frozen=True, slots=True)
class Measured:
    """What a metric measures.

    Parameters
    ----------
    family
        The family of aspects; empty where nothing says it.
    aspect_key
        The aspect, where the metric's definition or its table names one.
    rule
        How it is known: the metric is a description and measures no aspect; its definition or its
        table names the aspect; the study declares its family; it gives probabilities of styles;
        its name is known; or it is unknown.
    """

    family: Literal[Family, ""]
    aspect_key: str
    rule: MeasuredBy


def measured_by(run: MetricRun) -> Measured:
    """Return what a run measures.

    What a study declares of names of aspects holds for imported tables, and for computed metrics
    whose aspect the registry does not have.
    """
    name, declared = run.metric.name, run.study.declarations
    computed = run.origin == MetricRun.Origin.COMPUTED
    names = {} if computed and run.aspect in ASPECTS else declared.get("aspects", {})
    aspect = find_aspect(run.aspect, names) if run.aspect else None
    if not run.is_distribution and is_description(name, run.metric.orientation):
        return Measured("", aspect.key if aspect else "", "description")
    if aspect:
        return Measured(aspect.family, aspect.key, "definition" if computed else "table")
    if family := declared_family(declared.get("metrics", {}).get(declared_as(name))):
        return Measured(family, "", "declared")
    if run.is_distribution:
        return Measured("style", "", "distribution")
    known = family_of(name)
    return Measured(known, "", "name" if known else "unknown")


def declared_as(name: str) -> str:
    """Return the name under which a study declares a metric, imported or computed."""
    return name.removesuffix(SUFFIX)


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
    """What a report says of its metrics: how many it took, and the labels of the others.

    `trials` counts runs of sweeps and of single references that were passed over.
    """

    rule: Rule
    family: str
    taken: int
    other: tuple[str, ...]
    descriptions: tuple[str, ...]
    trials: int = 0


@dataclass(frozen=True)
class Picked:
    """The metrics that a report takes, those of the aspect first, and what it says of them."""

    taken: tuple[MetricColumn, ...]
    choice: MetricChoice


def pick(data: StudyData, question: Question, aspect: str) -> Picked:
    """Choose metrics for a measure: those named, else those of its family, else all that judge.

    Raises
    ------
    QuestionError
        If a metric is named that the study does not have.
    """
    measure = data.measure(aspect)
    every = metric_columns(data, question.but(aspect=""))
    columns = without_trials(every, question)
    related = [(column, relation(column.run, measure)) for column in columns]
    family = measure.family if measure else ""
    if question.metric:
        taken = tuple(_without_namesakes(columns, measure))
        return Picked(taken, MetricChoice("named", family, len(taken), (), ()))
    wanted = (*TAKEN, "other") if question.candidates == "all" else TAKEN
    ordered = sorted(related, key=lambda each: wanted_place(each[1]))
    taken = tuple(column for column, how in ordered if how in wanted)
    choice = MetricChoice(
        "all" if question.candidates == "all" else "family",
        family,
        len(taken),
        tuple(column.label for column, how in related if how == "other" and how not in wanted),
        tuple(column.label for column, how in related if how == "description"),
        len(every) - len(columns),
    )
    return Picked(taken, choice)


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
