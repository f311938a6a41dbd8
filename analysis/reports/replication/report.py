"""The replication report: each published value beside the recomputed one."""

from typing import Any

from analysis.data.study_data import StudyData
from analysis.estimates.evaluation import evaluate, rounds_to
from analysis.filter.question import QuestionError
from analysis.models import PublishedValue
from analysis.published.values import ConditionsError, check_conditions, ignored_by_value
from analysis.stats.results import Undefined
from analysis.stats.signature import signature

REACHED = "reached"
MISSED = "differs"
UNDEFINED = "undefined"


def replication_report(data: StudyData, published: list[PublishedValue]) -> dict[str, Any]:
    """Recompute every published value and say whether it rounds to what is printed."""
    rows = [_row(data, value) for value in published]
    return {
        "rows": rows,
        "counts": {
            state: sum(row["state"] == state for row in rows)
            for state in (REACHED, MISSED, UNDEFINED)
        },
    }


def _row(data: StudyData, published: PublishedValue) -> dict[str, Any]:
    conditions = published.conditions
    try:
        result = evaluate(data, published.what, conditions)
    except (ConditionsError, QuestionError) as error:
        result = Undefined(str(error), signature=signature(published.what))
    value = None if isinstance(result, Undefined) else result.value
    if value is not None:
        value *= 100 if conditions.get("percent") else 1
        value = abs(value) if conditions.get("absolute") else value
    state = UNDEFINED
    if value is not None:
        reached = rounds_to(value, published.value, published.decimals)
        state = REACHED if reached else MISSED
    return {
        "where": published.where,
        "what": published.what,
        "conditions": conditions,
        "printed": f"{published.value:.{published.decimals}f}",
        "published": published.value,
        "decimals": published.decimals,
        "value": value,
        "rounded": None if value is None else f"{value:.{published.decimals}f}",
        "state": state,
        "note": " ".join(filter(None, (published.note, _unused(published)))),
        "result": result.to_dict(),
    }


def _unused(published: PublishedValue) -> str:
    """Say which of the conditions change nothing: stored values may have such."""
    try:
        question = check_conditions(published.what, published.conditions)
    except ConditionsError:
        return ""
    if not (names := ignored_by_value(published.what, question)):
        return ""
    return f"Computed without {', '.join(names)}, which this number does not use."
