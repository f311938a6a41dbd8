"""Several columns of a file said to be one thing, once on the mapping page."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django import forms

from corpus.pages.choices import offer
from corpus.tables.register import handler_for, handlers
from corpus.tabular.shaping.mapping import Mapping, Wide, columns_in, list_of
from corpus.tabular.shaping.wide import WidePattern, shared_pattern

ATTRIBUTES = "attributes"
_HOLE = re.compile(r"\{[^{}]*\}")


def groups() -> dict[str, str]:
    """Return what columns may be together, with words for it: ``table:field/value``.

    The value is the field of the cells, where labels are in the names of the columns.
    """
    found = {":nothing/": "not read"}
    for spec in (handler.spec for handler in handlers()):
        table, key = spec.name.replace("_", " "), spec.name
        for spread in spec.wide:
            words = f"{table}: a {spread.name} each, with the {spread.value} in it"
            found[f"{key}:{spread.name}/{spread.value}"] = words
        for value in dict.fromkeys(spread.value for spread in spec.wide):
            words = f"{table}: several things in their names, with the {value} in it"
            found[f"{key}:/{value}"] = words
        for field in spec.fields:
            if field.many == "list":
                found[f"{key}:{field.name}/"] = f"{table}: {field.name}s"
        if spec.keep_other_columns_as_attributes:
            found[f"{key}:{ATTRIBUTES}/"] = f"{table}: attributes"
    return found


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
        offer(self, "group", [("", "choose what they are"), *groups().items()])

    def clean(self) -> dict[str, Any]:
        """Find the columns that are meant."""
        values = self.cleaned_data
        group = values.get("group", "")
        name = group.partition(":")[2].partition("/")[0]
        chosen = [self._columns[place] for place in self.picked]
        self.labels = values.get("pattern", "").strip()
        if self.labels:
            self.labels = _HOLE.sub(f"{{{name}}}", self.labels) if name else self.labels
            try:
                parts = WidePattern.of(self.labels)
            except ValueError:
                expected = "Write what differs in braces, each name once, with a text between two."
                self.add_error("pattern", expected)
            else:
                named = [each for each in self._columns if any(parts.ways(each))]
                chosen += named
                if not named:
                    self.add_error("pattern", "No column is named so.")
        self.chosen = list(dict.fromkeys(chosen))
        if not self.errors and self.chosen and not group:
            self.add_error("group", "Choose what these columns hold.")
        elif not self.errors and group and not (name or self.labels):
            self.add_error("pattern", "State how the columns are named.")
        elif not self.errors and group and not self.chosen:
            self.add_error("group", "Select the columns, or state how they are named.")
        return values

    @property
    def is_given(self) -> bool:
        """Whether several columns are said to be something."""
        return bool(self.is_valid() and self.cleaned_data["group"])

    def applied(
        self, mappings: Sequence[Mapping], propose: Callable[[str], Mapping]
    ) -> list[Mapping]:
        """Return the mappings of the file with the columns as they were said to be.

        A table that lacks something without these columns is read no more, unless it gets them.
        `propose` says how a table that is not read yet may be read.
        """
        table = self.cleaned_data["group"].partition(":")[0]
        kept = []
        for before in (each.resolved(self._columns) for each in mappings):
            after = _without(before, self.chosen)
            spec = handler_for(before.table).spec
            if table == after.table or after == before or not after.missing_fields(spec):
                kept.append(after)
        if table and all(mapping.table != table for mapping in kept):
            kept.append(_without(propose(table), self.chosen))
        first = next((each for each in kept if each.table == table), None)
        return [self._with_columns(each) if each is first else each for each in kept]

    def _with_columns(self, mapping: Mapping) -> Mapping:
        what = self.cleaned_data["group"].partition(":")[2]
        name, _, value = what.partition("/")
        if name == ATTRIBUTES:
            return replace(mapping, attributes=(*mapping.attributes, *self.chosen))
        if not value:
            return replace(mapping, columns={**mapping.columns, name: list_of(self.chosen)})
        shared = "{rater}" if name == "rater" else shared_pattern(self.chosen, name)
        wide = Wide(value, self.labels or shared, tuple(self.chosen))
        spread = {*wide.names, value}
        columns = {name: each for name, each in mapping.columns.items() if name not in spread}
        return replace(mapping, columns=columns, wide=wide)


def _without(mapping: Mapping, columns: Sequence[str]) -> Mapping:
    """Return a mapping that reads none of some columns."""
    read, wide = {}, mapping.wide
    for name, source in mapping.columns.items():
        used = columns_in(source)
        left = [column for column in used if column not in columns]
        if left == used:
            read[name] = source
        elif left and handler_for(mapping.table).spec.field(name).many == "list":
            read[name] = list_of(left)
    if wide and wide.columns:
        spread = tuple(column for column in wide.columns if column not in columns)
        wide = replace(wide, columns=spread) if spread else None
    kept = tuple(column for column in mapping.attributes if column not in columns)
    return replace(mapping, columns=read, wide=wide, attributes=kept)
