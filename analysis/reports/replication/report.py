"""The replication report: each published value beside the recomputed one."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import evaluate, rounds_to
from analysis.filter.question import QuestionError
from analysis.models import PublishedValue
from analysis.published.values import ConditionsError, check_conditions, ignored_by_value
from analysis.reports.content import Asked, Content
from analysis.stats.results import Result, Undefined
from analysis.stats.signature import signature

REACHED = "reached"
MISSED = "differs"
UNDEFINED = "undefined"


@dataclass(frozen=True)
class Recomputed:
    """A published value, and what the study gives for it: `value` is set as the print is."""

    COLUMNS: ClassVar[Mapping[str, str]] = {"recomputed": "value", "outcome": "state"}
    where: str
    what: str
    conditions: Mapping[str, Any]
    printed: str
    published: float
    decimals: int
    value: float | None
    rounded: str | None
    state: str
    note: str
    result: Result


@dataclass(frozen=True)
class ReplicationReport(Content):
    """The published values of a study, and how many of them have each state."""

    rows: tuple[Recomputed, ...]
    counts: Mapping[str, int]


def replication_report(asked: Asked) -> ReplicationReport:
    """Recompute every published value and say whether it rounds to what is printed."""
    data = asked.data
    rows = tuple(_row(data, value) for value in asked.published)
    states = [row.state for row in rows]
    counts = {state: states.count(state) for state in (REACHED, MISSED, UNDEFINED)}
    return ReplicationReport(rows, counts)


def _row(data: StudyData, published: PublishedValue) -> Recomputed:
    conditions = published.conditions
    try:
        result = evaluate(data, published.what, conditions)
    except (ConditionsError, QuestionError) as error:
        result = Undefined(str(error), signature=signature(published.what))
    value = result.value
    if value is not None:
        value *= 100 if conditions.get("percent") else 1
        value = abs(value) if conditions.get("absolute") else value
    state = UNDEFINED
    if value is not None:
        reached = rounds_to(value, published.value, published.decimals)
        state = REACHED if reached else MISSED
    return Recomputed(
        where=published.where,
        what=published.what,
        conditions=conditions,
        printed=f"{published.value:.{published.decimals}f}",
        published=published.value,
        decimals=published.decimals,
        value=value,
        rounded=None if value is None else f"{value:.{published.decimals}f}",
        state=state,
        note=" ".join(filter(None, (published.note, _unused(published)))),
        result=result,
    )


def _unused(published: PublishedValue) -> str:
    """Say which of the conditions change nothing: stored values may have such."""
    try:
        question = check_conditions(published.what, published.conditions)
    except ConditionsError:
        return ""
    if not (names := ignored_by_value(published.what, question)):
        return ""
    return f"Computed without {', '.join(names)}, which this number does not use."
