"""Fields that are spread over columns, such as a column for each rater, as a part of a form."""

from collections.abc import Callable

from django import forms

from corpus.tabular.fields import TableSpec
from corpus.tabular.mapping import Wide


class SpreadForm(forms.Form):
    """The part of a table's form that says which columns a field is spread over."""

    def add_spread(
        self, spec: TableSpec, wide: Wide | None, several: Callable[..., forms.Field]
    ) -> None:
        """Add the fields; `several` makes one that takes several columns."""
        pairs = [(spread.name, spread.value) for spread in spec.wide]
        if wide:
            pairs.append((wide.name, wide.value))
        if not pairs:
            return
        pairs += [("", spread.value) for spread in spec.wide]
        spread = [
            (
                f"{name}/{value}",
                f"one column per {name or 'several fields'}, with the {value} in it",
            )
            for name, value in dict.fromkeys(pairs)
        ]
        self.fields["wide"] = forms.ChoiceField(
            label="Spread over columns", choices=[("", "no"), *spread], required=False
        )
        self.fields["wide_columns"] = several(label="Columns that hold it", required=False)
        self.fields["wide_pattern"] = forms.CharField(
            label="Names of these columns",
            required=False,
            help_text="With {name} in the place of the label, such as score_{name}; empty if the "
            "whole name is the label. Without chosen columns, all that are named so.",
        )
        self.fields["wide_skip"] = forms.BooleanField(label="Skip empty cells", required=False)

    def spread_said(self, given: set[str]) -> Wide | None:
        """Return what was said, and what is wrong with it beside the fields that are given."""
        values = self.cleaned_data
        name, _, value = values.get("wide", "").partition("/")
        if not value:
            return None
        if twice := sorted({name, value} & given):
            self.add_error(
                "wide", f"{twice[0]} has a column or a constant of its own; choose one of the two."
            )
        columns, pattern = tuple(values["wide_columns"]), values["wide_pattern"].strip() or None
        if not columns and not pattern:
            self.add_error("wide_columns", "Choose the columns, or state how they are named.")
        wide = Wide(name, value, columns, pattern, values["wide_skip"])
        if not name:
            return wide
        if pattern and "{name}" not in wide.column:
            self.add_error("wide_pattern", "Write {name} in the place of the label.")
        elif unfit := [column for column in columns if wide.label(column) is None]:
            self.add_error("wide_pattern", f"{unfit[0]} does not fit this pattern.")
        return wide
