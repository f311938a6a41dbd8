"""What several columns of a file are, said once on the mapping page."""

from collections.abc import Callable, Sequence
from typing import Any

from django import forms

from corpus.choices import offer
from corpus.tables import handler_for, handlers
from corpus.tabular.column_groups import ColumnGroup, grouped, groups_of, shared_pattern
from corpus.tabular.mapping import Mapping, Wide

_ONE = ColumnGroup("", "name", "", "")


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
        self.chosen = [self._columns[place] for place in self.picked]
        self.labels = None
        if pattern := values.get("pattern", "").strip():
            is_several = not self._groups.get(values.get("group", ""), _ONE).name
            self.labels = pattern if is_several else self._with_name(pattern)
            wide = Wide("" if is_several else "name", "", pattern=self.labels or "")
            named = [name for name in self._columns if self.labels and wide.meets(name)]
            if self.labels and not named:
                self.add_error("pattern", "No column is named so.")
            self.chosen = list(dict.fromkeys([*self.chosen, *named]))
        if self.chosen and not values.get("group") and not self.errors:
            self.add_error("group", "Choose what these columns hold.")
        group = self._groups.get(values.get("group", ""))
        if group and not group.name and not self.labels and not self.errors:
            self.add_error("pattern", "State how the columns are named.")
        if group and not self.chosen and not self.errors:
            self.add_error("group", "Select the columns, or state how they are named.")
        return values

    def _with_name(self, pattern: str) -> str | None:
        """Return a pattern with ``{name}`` in the place of the name in braces."""
        start, opened, rest = pattern.partition("{")
        _, closed, end = rest.partition("}")
        if not (opened and closed) or "{" in end or "}" in end:
            self.add_error("pattern", "Write one name in braces in the place of what differs.")
            return None
        return f"{start}{{name}}{end}"

    @property
    def is_said(self) -> bool:
        """Whether several columns are said to be something."""
        return bool(self.is_valid() and self.cleaned_data["group"])

    def applied(
        self, mappings: Sequence[Mapping], propose: Callable[[str], Mapping]
    ) -> list[Mapping]:
        """Return the mappings of the file with the columns as they were said to be."""
        group: ColumnGroup = self._groups[self.cleaned_data["group"]]
        of_table = propose(group.table) if group.table else Mapping("")
        pattern = None
        if group.value:
            pattern = self.labels
            if pattern is None and group.name not in ("rater", ""):
                pattern = shared_pattern(self.chosen)
        specs = [handler.spec for handler in handlers()]
        mappings = [
            mapping.resolved(self._columns, handler_for(mapping.table).spec) for mapping in mappings
        ]
        return grouped(mappings, group, self.chosen, pattern, of_table, specs)
