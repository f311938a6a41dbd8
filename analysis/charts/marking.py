"""Marks that say which metric or system they show, so that a page finds it in all its charts."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.charts.chart import Spec, Value
from analysis.charts.table import compared

OF = "of"
_OTHERS = ("line", "row", "first", "system", "group", "name")
"""Keys that name one where a row has no metric: a line, a row of a matrix, one of a pair."""
_NOTES = (" (raw)", " (human)")
"""What charts say of a metric or system after its name; tables have a badge for it."""
_COMMON = {"aggregate", "datum"}
"""What is encoded so belongs to all: sums, and lines at a constant."""
_VIEWS = ("layer", "hconcat", "vconcat", "concat")
_DESCRIBED = {"field": OF, "type": "nominal"}


def thing_of(row: Mapping[str, Value]) -> str:
    """Return the metric of a row, with what it compares outputs to, or else its system.

    Examples
    --------
    >>> thing_of({"metric": "BLEU", "compared_to": "source"}), thing_of({"system": "BART"})
    ('BLEU · source', 'BART')
    """
    if isinstance(row.get("metric"), str):
        return compared({**row, "metric": _without_note(row["metric"])})
    return next((_without_note(row[key]) for key in _OTHERS if row.get(key)), "")


def other_thing_of(row: Mapping[str, Value]) -> str:
    """Return the second of the two that a row compares; empty where it is about one.

    Examples
    --------
    >>> other_thing_of({"first": "BLEU", "second": "TER"}), other_thing_of({"metric": "BLEU"})
    ('TER', '')
    """
    two = row.get("first") and thing_of(row) == _without_note(row["first"])
    return _without_note(row["second"]) if two and row.get("second") else ""


def _without_note(name: Value) -> str:
    found = str(name)
    for note in _NOTES:
        found = found.removesuffix(note)
    return found


def marked(spec: Spec) -> Spec:
    """Return a specification of which each mark is described by its metric or system alone.

    Marks that belong to several, and marks whose data name neither, are left as they are.
    The name is data, never part of an expression, see `analysis.charts.chart`.
    """
    return _view(spec, named=False)


def _view(view: Spec, *, named: bool) -> Spec:
    """Return a view and those in it; `named` where the data around it name metrics or systems."""
    changed = dict(view)
    rows: Sequence[Any] = view.get("data", {}).get("values", ())
    if rows:
        named = any(thing_of(row) for row in rows)
        if named:
            values = [{**row, OF: thing_of(row)} for row in rows]
            changed["data"] = {**view["data"], "values": values}
    for key in _VIEWS:
        if key in view:
            changed[key] = [_view(part, named=named) for part in view[key]]
    if "spec" in view:
        changed["spec"] = _view(view["spec"], named=named)
    channels = view.get("encoding", {}).values()
    common = any(_COMMON & set(channel) for channel in channels if isinstance(channel, Mapping))
    if named and "mark" in view and not common:
        mark = view["mark"]
        changed["mark"] = {**(mark if isinstance(mark, Mapping) else {"type": mark}), "aria": True}
        changed["encoding"] = {**view.get("encoding", {}), "description": _DESCRIBED}
    return changed
