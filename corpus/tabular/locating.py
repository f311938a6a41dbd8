"""The exact places of fields of records, found by reading a file a second time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from corpus.tabular.conversion import UnconvertibleError
from corpus.tabular.fields import TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.json_paths import ABSENT
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.opening import open_records
from corpus.tabular.placing import CellPlace, cell_of_label, column_shown, spread_cells, traced
from corpus.tabular.plan import Plan, Slot
from corpus.tabular.problems import ProblemLog, shorten
from corpus.tabular.readers import Reader

Wanted = tuple[int, str, *tuple[str, ...]]


class Place(NamedTuple):
    """Where a field stands: physical line and character (both from 1), column, raw value."""

    line: int
    position: int | None
    column: str
    found: str


def locate(
    source: SourceFile,
    mapping: Mapping,
    spec: TableSpec,
    wanted: Iterable[Wanted],
    *,
    limits: Limits = DEFAULT_LIMITS,
) -> dict[Wanted, Place]:
    """Find where fields of some records stand, by reading the file a second time.

    Parameters
    ----------
    source, mapping, spec, limits
        As for `records`.
    wanted
        The line that `records` gave and the name of a field; of fields spread over columns also
        the labels (such as the rater), which say which cell. An empty label may be any.

    Returns
    -------
    dict
        A place for each item of `wanted` that comes from a column. Where one line makes several
        records and no label says which, the place is that of the first.
    """
    by_line: dict[int, list[Wanted]] = {}
    for item in wanted:
        by_line.setdefault(item[0], []).append(item)
    found: dict[Wanted, Place] = {}
    if not by_line:
        return found
    last = max(by_line)
    with open_records(source, mapping, spec, ProblemLog(limit=0), limits) as opened:
        reader, plan, left, _ = opened
        several = mapping.wide.names if mapping.wide and left.wide is None else ()
        for line, row in reader:
            if line > last:
                break
            for item in by_line.get(line, ()):
                if item in found:
                    continue
                if several and not _is_labelled(plan, several, item[2:], row):
                    continue
                label = item[2] if len(item) > 2 else None
                place = traced(reader, _place_of_field(plan, left, item[1], label, row))
                if place is not None:
                    found[item] = _described(reader, plan, place, row)
    return found


def _place_of_field(
    plan: Plan, mapping: Mapping, field: str, label: str | None, row: list[Any]
) -> CellPlace | None:
    if mapping.wide and field in (mapping.wide.name, mapping.wide.value):
        labels = [name for name, _, _ in spread_cells(row, plan)]
        slot = next(slot for slot in plan.slots if slot.field.name == mapping.wide.name)
        meant = [name for name in labels if _stored(slot, name) == label]
        return cell_of_label(plan, (meant or labels)[0]) if labels else None
    slot = next(slot for slot in plan.slots if slot.field.name == field)
    index = slot.cells[0]
    if label in slot.labels:
        index = slot.cells[slot.labels.index(label)]
    return CellPlace(index, None) if index < len(plan.columns) else None


def _is_labelled(plan: Plan, names: Sequence[str], labels: Sequence[str], row: list[Any]) -> bool:
    """Return whether a row of a cell whose column says several things has certain labels."""
    slots = {slot.field.name: slot for slot in plan.slots}
    asked = [(slots[name], label) for name, label in zip(names, labels, strict=False) if label]
    return all(_stored(slot, row[slot.cells[0]]) == label for slot, label in asked)


def _stored(slot: Slot, label: str) -> Any:
    """Return what is stored of a label; None if nothing is."""
    try:
        return slot.convert(label) if slot.convert else label
    except UnconvertibleError:
        return None


def _described(reader: Reader, plan: Plan, place: CellPlace, row: list[Any]) -> Place:
    spot = reader.spot(*place)
    value = row[place.column]
    if isinstance(value, dict) and place.label is not None:
        value = value.get(place.label, ABSENT)
    raw = "" if value is None or value is ABSENT else str(value)
    return Place(spot.line, spot.position, column_shown(plan, place), shorten(raw, 500))
