"""Published values, in and out: numbers as printed, with what it takes to compute them again."""

import json
from collections.abc import Iterator
from typing import Any

from analysis.models import PublishedValue
from corpus.imports.batch import Batch
from corpus.imports.row_problem import RowProblem
from corpus.models import Study
from corpus.tables.register import Counts, ExportedTable, TableHandler
from corpus.tabular.shaping.blocks import Records
from corpus.tabular.shaping.fields import Field, TableSpec

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
        # A start of the site registers this table, and needs no filter of reports.
        from analysis.published.values import ConditionsError, check_conditions

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
                message = f"the same value stands already at {first}"
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
