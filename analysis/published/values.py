"""What a published value may be, and its conditions in the words of the report filter."""

from collections.abc import Mapping
from typing import Any

from analysis.filter.question import (
    AGREEMENT_STATISTICS,
    METRICS,
    OF_RATINGS,
    OUTPUTS,
    TAU_LIKE,
    Question,
    QuestionError,
)

WHATS: dict[str, tuple[str, ...]] = {
    "agreement": ("aspect", "agreement_statistic"),
    "system-mean": ("aspect", "system"),
    "correlation": ("aspect", "metric"),
    "margin-of-r": ("aspect", "metric"),
    "naturalness-agreement": ("metric", "protocol"),
    "mean-of-values": ("of", "of_decimals"),
}
"""Kinds of values and the conditions that they need beside those of the report filter."""
OWN = frozenset(
    {"agreement_statistic", "system", "protocol", "ties", "of", "of_decimals", "absolute"}
    | {"side", "size", "percent"}
)
_OF_PAIRING = frozenset(
    {"aspect", "humans", *OF_RATINGS, *OUTPUTS, *METRICS, "scores", "ddof"}
    | {"level", "statistic", "grouping", "orientation", *TAU_LIKE}
)
FIELDS_OF_VALUES: Mapping[str, frozenset[str]] = {
    "agreement": frozenset(
        {"aspect", "humans", *OF_RATINGS, *OUTPUTS, "scores", "ddof", "resample", "interval"}
    ),
    "system-mean": frozenset({"aspect", *OF_RATINGS, "scores", "ddof"}),
    "correlation": _OF_PAIRING | {"resample", "interval"},
    "margin-of-r": _OF_PAIRING,
    "naturalness-agreement": frozenset({"aspect", "humans", *OF_RATINGS, *OUTPUTS, *METRICS}),
    "mean-of-values": frozenset(OF_RATINGS),
}
"""Of every kind of published value the fields that change it."""


class ConditionsError(ValueError):
    """Conditions that no report understands."""

    def __init__(self, message: str, field: str, found: str, expected: str) -> None:
        super().__init__(message)
        self.field = field
        self.found = found
        self.expected = expected


def check_conditions(what: str, conditions: Mapping[str, Any]) -> Question:
    """Return the report filter in the conditions.

    Raises
    ------
    ConditionsError
        If the statistic is unknown, a condition is missing, unknown or impossible.
    """
    if what not in WHATS:
        expected = ", ".join(WHATS)
        raise ConditionsError(f"no statistic {what!r}", "what", what, f"one of {expected}")
    for needed in WHATS[what]:
        if needed not in conditions:
            raise ConditionsError(
                f"{what} needs the condition {needed!r}",
                "conditions",
                str(dict(conditions)),
                needed,
            )
    statistic = conditions.get("agreement_statistic")
    if statistic is not None and statistic not in AGREEMENT_STATISTICS:
        raise ConditionsError(
            "no such statistic of agreement",
            "conditions",
            str(statistic),
            f"one of {', '.join(AGREEMENT_STATISTICS)}",
        )
    for part in conditions.get("of", ()):
        check_conditions(conditions.get("of_what", "correlation"), part)
    try:
        return Question.parse(
            {name: value for name, value in conditions.items() if name not in OWN | {"of_what"}}
        )
    except QuestionError as error:
        raise ConditionsError(str(error), "conditions", str(dict(conditions)), "a filter") from None


def ignored_by_value(what: str, question: Question) -> list[str]:
    """Return the fields of a published value's conditions that have no part in it, as given."""
    unused = [
        name
        for name in question.given()
        if name not in FIELDS_OF_VALUES[what] or question.is_named_over(name)
    ]
    return [f"{name}={question.text_of(name)}" for name in unused]
