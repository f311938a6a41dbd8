"""Several columns said to be one thing: raters, aspects, metrics, systems, attributes, nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Columns, Mapping, Wide, columns_of

NOTHING = "nothing"
ATTRIBUTES = "attributes"


@dataclass(frozen=True)
class ColumnGroup:
    """What several columns may be together.

    Attributes
    ----------
    table
        The table that reads them; empty if none does.
    name
        Field of the labels, list field, `ATTRIBUTES` or `NOTHING`.
    value
        Field of the cells; empty if nothing is spread.
    title
        For people.
    """

    table: str
    name: str
    value: str
    title: str

    @property
    def key(self) -> str:
        """What a form sends."""
        return f"{self.table}:{self.name}/{self.value}"


def groups_of(specs: Iterable[TableSpec]) -> list[ColumnGroup]:
    """Return what columns may be: all pairs that may be spread, lists, attributes, nothing."""
    found = [ColumnGroup("", NOTHING, "", "not read")]
    for spec in specs:
        table = spec.name.replace("_", " ")
        for spread in spec.wide:
            title = f"{table}: a {spread.name} each, with the {spread.value} in it"
            found.append(ColumnGroup(spec.name, spread.name, spread.value, title))
        for value in dict.fromkeys(spread.value for spread in spec.wide):
            title = f"{table}: several things in their names, with the {value} in it"
            found.append(ColumnGroup(spec.name, "", value, title))
        for field in spec.fields:
            if field.many == "list":
                title = f"{table}: {field.name}s"
                found.append(ColumnGroup(spec.name, field.name, "", title))
        if spec.keep_other_columns_as_attributes:
            found.append(ColumnGroup(spec.name, ATTRIBUTES, "", f"{table}: attributes"))
    return found


def grouped(
    mappings: Sequence[Mapping],
    group: ColumnGroup,
    columns: Sequence[str],
    pattern: str | None,
    of_table: Mapping,
    specs: Sequence[TableSpec],
) -> list[Mapping]:
    """Return mappings in which some columns are what a group says, and nothing else.

    Parameters
    ----------
    mappings
        How the file is read so far.
    group, columns, pattern
        What the columns are; their names, and where the label is in them.
    of_table
        How the group's table is read if it is not read yet.
    specs
        The tables that there are. One that lacks something without these columns is read no more.
    """
    known = {spec.name: spec for spec in specs}
    kept = []
    for before in mappings:
        after = _without(before, set(columns))
        is_whole = after == before or not after.missing_fields(known[after.table])
        if is_whole or after.table == group.table:
            kept.append(after)
    if group.name == NOTHING:
        return kept
    if all(mapping.table != group.table for mapping in kept):
        kept.append(_without(of_table, set(columns)))
    place = next(n for n, mapping in enumerate(kept) if mapping.table == group.table)
    # An empty cell is an empty text, but no number.
    is_text = bool(group.value) and known[group.table].field(group.value).kind == "text"
    kept[place] = _with(kept[place], group, tuple(columns), pattern, is_text)
    return kept


def _with(
    mapping: Mapping, group: ColumnGroup, columns: tuple[str, ...], pattern: str | None, text: bool
) -> Mapping:
    if group.name == ATTRIBUTES:
        return replace(mapping, attributes=(*mapping.attributes, *columns))
    if not group.value:
        used: Columns = columns[0] if len(columns) == 1 else columns
        return replace(mapping, columns={**mapping.columns, group.name: used})
    wide = Wide(group.name, group.value, columns, pattern, skip_empty=not text)
    spread = {*wide.names, group.value}
    return replace(
        mapping,
        columns={name: each for name, each in mapping.columns.items() if name not in spread},
        constants={name: each for name, each in mapping.constants.items() if name not in spread},
        wide=wide,
    )


def _without(mapping: Mapping, columns: set[str]) -> Mapping:
    """Return a mapping that reads none of some columns."""

    def left(used: Columns) -> Columns:
        if isinstance(used, dict):
            return {label: each for label, each in used.items() if each not in columns}
        if isinstance(used, tuple):
            return tuple(each for each in used if each not in columns)
        return "" if used in columns else used

    wide = mapping.wide
    if wide and wide.columns:
        spread = columns_of(left(wide.columns))
        wide = replace(wide, columns=spread) if spread else None
    return replace(
        mapping,
        columns={name: rest for name, used in mapping.columns.items() if (rest := left(used))},
        digests={n: c for n, c in mapping.digests.items() if columns.isdisjoint(columns_of(c))},
        joined={n: each for n, each in mapping.joined.items() if columns.isdisjoint(each)},
        wide=wide,
        attributes=columns_of(left(mapping.attributes)),
    )


def shared_pattern(names: Sequence[str]) -> str | None:
    """Return what names of columns share before their labels: ``q_{name}``; None if nothing."""
    first, last = min(names), max(names)
    shared = ""
    for place, (one, other) in enumerate(zip(first, last, strict=False), 1):
        if one != other:
            break
        if one in "_.: -":
            shared = first[:place]
    return f"{shared}{{name}}" if shared and all(len(n) > len(shared) for n in names) else None
