"""What several columns of a file are, said once on the mapping page."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from django import forms

from corpus.pages.choices import offer
from corpus.tables.register import handler_for, handlers
from corpus.tabular.guesses.column_groups import grouped, groups_of, shared_pattern
from corpus.tabular.shaping.mapping import Mapping, Wide
from corpus.tabular.shaping.wide import WidePattern

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
        self.labels: str | None = None
        if pattern := values.get("pattern", "").strip():
            self.labels = pattern if is_several else _HOLE.sub("{name}", pattern)
            wide = Wide("" if is_several else "name", "", pattern=self.labels)
            if fault := _fault(pattern, is_several):
                self.add_error("pattern", fault)
            elif named := [name for name in self._columns if wide.meets(name)]:
                self.chosen = list(dict.fromkeys([*self.chosen, *named]))
            else:
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
        pattern = self.labels if group.value else None
        if group.value and pattern is None and group.name != "rater":
            pattern = shared_pattern(self.chosen)
        specs = [handler.spec for handler in handlers()]
        read = [each.resolved(self._columns, handler_for(each.table).spec) for each in mappings]
        return grouped(read, group, self.chosen, pattern, of_table, specs)


def _fault(pattern: str, is_several: bool) -> str:
    """Return what is wrong with a pattern; empty if nothing is."""
    if is_several:
        try:
            WidePattern.of(pattern)
        except ValueError:
            return "Write names of fields in braces, each once, with a text between two."
    elif len(_HOLE.findall(pattern)) != 1 or set("{}") & set(_HOLE.sub("", pattern)):
        return "Write one name in braces in the place of what differs."
    return ""
