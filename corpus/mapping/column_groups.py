"""Several columns of a file said to be one thing, once on the mapping page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms

from corpus.pages.choices import offer
from corpus.tables.register import handlers
from corpus.tabular.shaping.fields import TableSpec
from corpus.tabular.shaping.mapping import Columns, Mapping, Wide, columns_of
from corpus.tabular.shaping.wide import WidePattern, shared_pattern

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
    pattern: str,
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
    mapping: Mapping, group: ColumnGroup, columns: tuple[str, ...], pattern: str, text: bool
) -> Mapping:
    if group.name == ATTRIBUTES:
        return replace(mapping, attributes=(*mapping.attributes, *columns))
    if not group.value:
        used: Columns = columns[0] if len(columns) == 1 else columns
        return replace(mapping, columns={**mapping.columns, group.name: used})
    wide = Wide(group.value, pattern, columns, skip_empty=not text)
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
        wide=wide,
        attributes=columns_of(left(mapping.attributes)),
    )


_HOLE = re.compile(r"\{[^{}]*\}")


class ColumnGroupForm(forms.Form):
    """Columns that are ticked or named by a pattern, and what they are.

    Parameters
    ----------
    columns
        Of the file.
    prefix
        Of the file's inputs; the ticked columns come as ``…-pick``, by their places.
    data
        What was sent.
    """

    group = forms.ChoiceField(label="The ticked columns are", required=False)
    pattern = forms.CharField(
        label="or all columns that are named",
        required=False,
        max_length=1000,
        help_text="With a name in braces in the place of what differs, such as Answer.{aspect}.",
    )

    def __init__(self, columns: Sequence[str], prefix: str, data: Any = None) -> None:
        super().__init__(data, prefix=f"{prefix}-columns")
        self._columns = columns
        picked = data.getlist(f"{prefix}-pick") if data is not None else []
        places = [int(each) for each in picked if each.isdecimal() and len(each) < 6]
        self.picked = [place for place in places if place < len(columns)]
        self._groups = {each.key: each for each in groups_of(h.spec for h in handlers())}
        titles = ((key, each.title) for key, each in self._groups.items())
        offer(self, "group", [("", "choose what they are"), *titles])

    def clean(self) -> dict[str, Any]:
        """Find the columns that are meant."""
        values = self.cleaned_data
        group = self._groups.get(values.get("group", ""))
        is_several = group is not None and not group.name
        self.chosen = [self._columns[place] for place in self.picked]
        self.labels = values.get("pattern", "").strip()
        if self.labels:
            if group and group.name:
                self.labels = _HOLE.sub(f"{{{group.name}}}", self.labels)
            try:
                parts = WidePattern.of(self.labels)
            except ValueError:
                expected = "Write what differs in braces, each name once, with a text between two."
                self.add_error("pattern", expected)
            else:
                named = [name for name in self._columns if any(parts.ways(name))]
                self.chosen = list(dict.fromkeys([*self.chosen, *named]))
                if not named:
                    self.add_error("pattern", "No column is named so.")
        if self.errors:
            return values
        if self.chosen and group is None:
            self.add_error("group", "Choose what these columns hold.")
        elif is_several and not self.labels:
            self.add_error("pattern", "State how the columns are named.")
        elif group and not self.chosen:
            self.add_error("group", "Select the columns, or state how they are named.")
        return values

    @property
    def is_given(self) -> bool:
        """Whether several columns are said to be something."""
        return bool(self.is_valid() and self.cleaned_data["group"])

    def applied(
        self, mappings: Sequence[Mapping], propose: Callable[[str], Mapping]
    ) -> list[Mapping]:
        """Return the mappings of the file with the columns as they were said to be."""
        group = self._groups[self.cleaned_data["group"]]
        of_table = propose(group.table) if group.table else Mapping("")
        shared = "{rater}" if group.name == "rater" else shared_pattern(self.chosen, group.name)
        pattern = self.labels or shared
        specs = [handler.spec for handler in handlers()]
        read = [each.resolved(self._columns) for each in mappings]
        return grouped(read, group, self.chosen, pattern, of_table, specs)
