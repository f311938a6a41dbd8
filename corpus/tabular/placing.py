"""Which cell of a row a value came from, also where fields are spread over columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from corpus.tabular.json_paths import ABSENT
from corpus.tabular.mapping import Mapping
from corpus.tabular.plan import Plan
from corpus.tabular.readers import Reader
from corpus.tabular.transforming.transformed import TransformedReader

NOTHING = ("", None, ABSENT)


class CellPlace(NamedTuple):
    """The column of a cell, and the label that names a part of it (a key of a JSON object)."""

    column: int
    label: str | None


def cell_behind(
    plan: Plan, mapping: Mapping, field: str, index: int, label: str, row: list[Any]
) -> CellPlace | None:
    """Return the column from which a cell came; None for constants."""
    if mapping.wide and field in (mapping.wide.name, mapping.wide.value):
        label = str(row[slot_cell(plan, mapping.wide.name)])
        return cell_of_label(plan, label)
    return CellPlace(index, label or None) if index < len(plan.columns) else None


def cell_of_label(plan: Plan, label: str) -> CellPlace | None:
    """Return where the spread cell of a label stands; None if there is no such label."""
    if plan.family is not None:
        return CellPlace(plan.family, label)
    index = dict(plan.wide or ()).get(label)
    return None if index is None else CellPlace(index, None)


def traced(reader: Reader, place: CellPlace | None) -> CellPlace | None:
    """Return the place in the file from which a cell comes; None if it comes from none."""
    if place is None or not isinstance(reader, TransformedReader):
        return place
    behind = reader.behind(*place)
    return CellPlace(*behind) if behind else None


def column_shown(plan: Plan, place: CellPlace) -> str:
    return plan.column(place.column).replace("{name}", place.label or "{name}")


def spread_cells(row: list[Any], plan: Plan) -> Iterable[tuple[str, int, Any]]:
    """Yield label, index of the column and content of each spread cell of a row."""
    if plan.wide is not None:
        for label, index in plan.wide:
            yield label, index, row[index]
    elif plan.family is not None and isinstance(row[plan.family], dict):
        for label, cell in row[plan.family].items():
            yield label, plan.family, cell
    elif plan.family is not None and row[plan.family] not in NOTHING:
        yield "", plan.family, row[plan.family]


def slot_cell(plan: Plan, field: str) -> int:
    return next(slot.cells[0] for slot in plan.slots if slot.field.name == field)
