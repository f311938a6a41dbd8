"""Published values: what they may be, and the table that brings them in and out of a study."""

import json
from collections.abc import Iterator, Mapping
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
from analysis.models import PublishedValue
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec

WHATS: dict[str, tuple[str, ...]] = {
    "agreement": ("aspect", "agreement_statistic"),
    "system-mean": ("aspect", "system"),
    "correlation": ("aspect", "metric"),
    "margin-of-r": ("aspect", "metric"),
    "naturalness-agreement": ("metric", "protocol"),
    "mean-of-values": ("of", "of_decimals"),
}
"""Kinds of values and the conditions that they need in addition to those of the report filter."""
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


SPEC = TableSpec(
    name="published_values",
    title="Published values: a number as printed, and its conditions",
    fields=(
        Field("where", "text", required=True, help="table or figure, as in “Table 2”"),
        Field("what", "key", required=True, help="the statistic, as in “correlation”"),
        Field("conditions", "json", help="the filter of the report that gives it"),
        Field("value", "number", required=True),
        Field("decimals", "integer", required=True, help="digits after the point, as printed"),
        Field("note", "text"),
    ),
    recognised_by=(("where",), ("decimals",)),
    file_names=("published", "published_values"),
)


class PublishedValuesTable(TableHandler):
    """Handler of published values; they are few, so they wait in memory."""

    spec = SPEC
    order = 60
    inline_key = "published"

    def stage(self, batch: Batch, file: int, records: Records) -> int:
        """Keep the rows for the checks."""
        waiting = batch.memory.setdefault(SPEC.name, [])
        before = len(waiting)
        waiting.extend((file, line, *values) for line, values in records)
        return len(waiting) - before

    def problems(self, batch: Batch) -> Iterator[RowProblem]:
        """Conditions that no report understands, doubles, and changed values."""
        seen: dict[tuple[str, str, str], tuple[int, int]] = {}
        stored = {
            (value.where, value.what, value.conditions_text): value
            for value in PublishedValue.objects.filter(study=batch.study)
        }
        for file, line, where, what, conditions, value, decimals, _ in self._waiting(batch):
            if conditions is not None and not isinstance(conditions, dict):
                message = "Write conditions as an object in braces, or leave the cell empty."
                yield RowProblem(
                    file, line, "conditions", str(conditions), "an object", message, "conditions"
                )
                continue
            try:
                check_conditions(what, conditions or {})
            except ConditionsError as error:
                yield RowProblem(
                    file, line, error.field, error.found, error.expected, str(error), "conditions"
                )
            if decimals < 0:
                yield RowProblem(
                    file, line, "decimals", str(decimals), "0 or more", "Count the digits.", "range"
                )
            key = (where, what, canonical(conditions))
            if key in seen:
                first = f"{batch.file_names[seen[key][0]]}:{seen[key][1]}"
                message = f"the same value is already listed at {first}"
                yield RowProblem(file, line, "where", where, "each once", message, "duplicate")
            seen[key] = (file, line)
            known = stored.get(key)
            if known and (known.value, known.decimals) != (value, decimals):
                message = "what was printed does not change; name another place"
                expected = f"{known.value:.{known.decimals}f}, as stored"
                yield RowProblem(file, line, "value", str(value), expected, message, "differs")

    def publish(self, batch: Batch) -> Counts:
        """Insert the values that are not stored yet, in their order."""
        stored = set(
            PublishedValue.objects.filter(study=batch.study).values_list(
                "where", "what", "conditions_text"
            )
        )
        waiting = self._waiting(batch)
        fresh = [
            PublishedValue(
                study=batch.study,
                ordinal=len(stored) + number,
                where=where,
                what=what,
                conditions=conditions or {},
                conditions_text=canonical(conditions),
                value=value,
                decimals=decimals,
                note=note or "",
            )
            for number, (_, _, where, what, conditions, value, decimals, note) in enumerate(
                row for row in waiting if (row[2], row[3], canonical(row[4])) not in stored
            )
        ]
        PublishedValue.objects.bulk_create(fresh)
        return Counts(added=len(fresh), unchanged=len(waiting) - len(fresh))

    def export(self, study: Study) -> Iterator[ExportedTable]:
        """Give the values in their order."""
        values = PublishedValue.objects.filter(study=study)
        if not values.exists():
            return
        rows = (
            (v.where, v.what, v.conditions_text, repr(v.value), v.decimals, v.note) for v in values
        )
        yield ExportedTable.plain(SPEC.name, SPEC.names, rows)

    def _waiting(self, batch: Batch) -> list[tuple[Any, ...]]:
        return list(batch.memory.get(SPEC.name, []))


def canonical(conditions: Any) -> str:
    """Return conditions as JSON text that is equal whenever they are."""
    return json.dumps(conditions or {}, sort_keys=True, ensure_ascii=False)
