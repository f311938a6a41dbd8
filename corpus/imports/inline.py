"""Tables that stand inside `study.json` instead of a file of their own."""

from collections.abc import Iterator
from typing import Any

from corpus.imports.declarations import FILE
from corpus.tabular.problems import Problem, ProblemLog
from corpus.tabular.shaping.fields import TableSpec

_KINDS: dict[str, Any] = {"number": int | float, "integer": int, "json": dict | list}
"""Types in JSON of the kinds of fields; others are texts."""


def inline_records(entries: Any, spec: TableSpec, log: ProblemLog) -> Iterator[Any]:
    """Yield records of a list of objects, or of an object from key to object.

    The line of a record is its number in the list: JSON has no rows.
    """
    if isinstance(entries, dict):
        key = spec.fields[0].name
        entries = [{key: name} | dict(facts) for name, facts in entries.items()]
    for number, entry in enumerate(entries, start=1):
        if not isinstance(entry, dict):
            log.add(_problem(number, spec, str(entry), "an object"))
            continue
        values: list[Any] = []
        for field in spec.fields:
            value = entry.get(field.name)
            if value is None and field.required:
                log.add(_problem(number, spec, "", f"a value of {field.name}"))
                break
            if isinstance(value, bool):
                value = "true" if value else "false"
            if value is not None and not isinstance(value, _KINDS.get(field.kind, str)):
                log.add(_problem(number, spec, f"{field.name} = {value}", f"a {field.kind}"))
                break
            values.append(value)
        else:
            if spec.keep_other_columns_as_attributes:
                values.append({k: v for k, v in entry.items() if k not in spec.names})
            yield number, tuple(values)


def _problem(number: int, spec: TableSpec, found: str, expected: str) -> Problem:
    return Problem(
        FILE,
        column=f"{spec.name}, entry {number}",
        found=found,
        expected=expected,
        message="Correct the entry.",
        code="declaration",
    )
