"""How many fields a row must have so that no field is missing which a record needs."""

from __future__ import annotations

from collections.abc import Iterator

from corpus.tabular.fields import TableSpec
from corpus.tabular.mapping import Mapping
from corpus.tabular.plan import Plan
from corpus.tabular.readers import Reader
from corpus.tabular.transforming.transformed import TransformedReader


def shortest_row(plan: Plan, mapping: Mapping, spec: TableSpec, reader: Reader) -> int:
    """Return the number of fields up to the last column from which every record needs a value.

    An empty text is a value, for a system may return nothing; a field that is not there is none.
    """
    needed = set(_needed(plan, mapping, spec))
    if isinstance(reader, TransformedReader):
        needed = {index for each in needed for index in reader.all_behind(each)}
    return max(needed, default=-1) + 1


def _needed(plan: Plan, mapping: Mapping, spec: TableSpec) -> Iterator[int]:
    """Yield the index of each column that may not be lacking."""
    width = len(plan.columns)
    for slot in plan.slots:
        if slot.is_digest or slot.field.required:
            yield from (cell for cell in slot.cells if cell < width)
    if mapping.wide and not mapping.wide.skip_empty and spec.field(mapping.wide.value).required:
        yield from (index for _, index in plan.wide or ())
