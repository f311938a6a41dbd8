"""How one table is read from a file, as a form: a column or a constant for each field.

The form is drawn from a mapping, which travels with it. What is sent back unchanged is that very
mapping, so that nothing that a form cannot show is lost.
"""

import json
from collections.abc import Iterator, Sequence
from collections.abc import Mapping as AnyMapping
from dataclasses import replace
from typing import Any

from django import forms

from corpus.column_fields import MANY_COLUMNS, ColumnName, ColumnNames
from corpus.mapping_shown import EMPTY_CELL, initial_of, list_paths, shown_constant, words_in
from corpus.spread_form import SpreadForm
from corpus.tabular.fields import Field, TableSpec
from corpus.tabular.mapping import Columns, Mapping, Wide, columns_of
from corpus.tabular.problems import TableError
from corpus.transforming_form import LINES, TransformingForm

_ELSEWHERE = {"remove", *LINES}
CANNOT_SAY = "not given"
_Choices = list[tuple[str, str]]


class TableForm(SpreadForm, TransformingForm):
    """A mapping to be corrected.

    Parameters
    ----------
    spec
        The table.
    columns
        What the file has.
    mapping
        How it is read so far.
    data
        What was sent.
    prefix
        Of the names of all inputs.
    words
        Field of numbers to the words in its cells.
    """

    def __init__(
        self,
        spec: TableSpec,
        columns: Sequence[str],
        mapping: Mapping,
        data: Any = None,
        prefix: str = "",
        words: AnyMapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.spec = spec
        self.original = mapping
        self.mapping = mapping
        self.is_pointed_at = False
        family = mapping.wide.column if mapping.wide and not mapping.wide.columns else None
        used = [column for column in mapping.named() if column != family]
        elements = [f"{column}[{part}]" for column in mapping.split for part in ("", "#")]
        self._columns = list(dict.fromkeys([*columns, *elements, *used]))
        super().__init__(data, prefix=prefix, initial=initial_of(spec, mapping))
        for field in spec.fields:
            self._add(field)
        self.add_spread(spec, mapping.wide, self._several_columns)
        self._add_reading(columns)
        self.initial.update(self.add_transforming(mapping, words or {}))

    @property
    def was(self) -> str:
        """The mapping that the form was drawn from, which is sent back with it."""
        return json.dumps(self.original.to_dict())

    @property
    def called(self) -> str:
        """What the table is called in sentences."""
        return self.spec.name.replace("_", " ")

    @property
    def lacking(self) -> tuple[str, ...]:
        """What the table needs and the mapping does not give."""
        return self.mapping.missing_fields(self.spec)

    def single_fields(self) -> Iterator[tuple[Field, forms.BoundField, forms.BoundField]]:
        """Yield each field of one value with its two inputs."""
        for field in self.spec.fields:
            if field.many == "one":
                yield field, self[f"column_{field.name}"], self[f"constant_{field.name}"]

    def other_fields(self) -> Iterator[forms.BoundField]:
        """Yield the inputs of several columns, and of how records are made."""
        for name in self.fields:
            if not name.startswith(("column_", "constant_", "value_")) and name not in _ELSEWHERE:
                yield self[name]

    @property
    def spread(self) -> set[str]:
        """The fields that are spread over columns."""
        wide = self.mapping.wide
        return {wide.name, wide.value} if wide else set()

    @property
    def says_more(self) -> bool:
        """Whether there is more to show than a column for each field."""
        if self.is_pointed_at:
            return True
        names = ("wide", "many_", "attributes", "explode", "missing")
        return any(self.initial.get(name) for name in self.initial if name.startswith(names))

    def point_at(self, column: str) -> bool:
        """Give the focus to what reads a column or takes a field; return whether there is one."""
        wide = self.mapping.resolved(self._columns, self.spec).wide
        for field in self.spec.fields:
            several = columns_of(self.mapping.columns.get(field.name, ()))
            if column == field.name or column in several:
                name = ("column_" if field.many == "one" else "many_") + field.name
                break
        else:
            name = "wide" if wide and column in wide.columns else ""
        if name:
            self.fields[name].widget.attrs["autofocus"] = True
            self.is_pointed_at = not name.startswith("column_")
        return bool(name)

    @property
    def translations(self) -> list[str]:
        """What words in cells mean, in words."""
        values = self.mapping.values.values()
        return [f"“{word}” means {means}" for table in values for word, means in table.items()]

    def _choices(self) -> _Choices:
        return [(column, column or "(no name)") for column in self._columns]

    @property
    def has_many_columns(self) -> bool:
        """Whether columns are chosen by writing their names."""
        return len(self._columns) > MANY_COLUMNS

    @property
    def names_listed(self) -> str:
        """What the page calls the list of the file's columns."""
        return f"{(self.prefix or '').rpartition('-')[0]}-names"

    def _several_columns(self, **options: Any) -> forms.Field:
        if self.has_many_columns:
            return ColumnNames(self._columns, **options)
        return forms.MultipleChoiceField(
            choices=self._choices(), widget=forms.CheckboxSelectMultiple, **options
        )

    def _add(self, field: Field) -> None:
        name = field.name
        if field.many == "one":
            choices = [("", CANNOT_SAY)]
            choices += [(f"column:{value}", label) for value, label in self._choices()]
            if field.digest_of or name in self.original.digests:
                choices += [
                    (f"digest:{value}", f"a key made from {label}")
                    for value, label in self._choices()
                ]
            column: forms.Field = forms.ChoiceField(choices=choices, required=False)
            if self.has_many_columns:
                column = ColumnName(self._columns, self.names_listed)
            column.widget.attrs["aria-label"] = f"{self.spec.name}: column of {name}"
            constant = forms.CharField(required=False, max_length=200)
            constant.widget.attrs["aria-label"] = f"{self.spec.name}: {name} in all rows"
            self.fields[f"column_{name}"] = column
            self.fields[f"constant_{name}"] = constant
            return
        self.fields[f"many_{name}"] = self._several_columns(
            label=f"Columns of {name}",
            required=field.required and name not in self.original.constants,
            help_text=field.help,
        )
        if field.many == "map":
            self.fields[f"pattern_{name}"] = forms.CharField(
                label=f"Names of the columns of {name}",
                required=False,
                help_text="With {name} in place of the label, such as p_{name}. Leave it empty if "
                "the whole name is the label.",
            )

    def _add_reading(self, columns: Sequence[str]) -> None:
        if self.spec.keep_other_columns_as_attributes or self.original.attributes:
            self.fields["attributes"] = self._several_columns(
                label="Further columns to keep as attributes", required=False
            )
        split = [f"{column}[]" for column in self.original.split]
        paths = list_paths([*columns, *split, f"{self.original.explode or ''}[]"])
        if paths:
            self.fields["explode"] = forms.ChoiceField(
                label="One record per",
                choices=[("", "line of the file"), *((path, f"entry of {path}") for path in paths)],
                required=False,
            )
        self.fields["missing"] = forms.CharField(
            label="Words that mean “no value”",
            required=False,
            help_text=f"In numbers and choices; separated by commas, such as NA, {EMPTY_CELL}.",
        )
        self.fields["distinct"] = forms.BooleanField(
            label="Pass over records that repeat an earlier one", required=False
        )
        self.fields["remove"] = forms.BooleanField(label="Do not read this table", required=False)

    def clean(self) -> dict[str, Any]:
        """Build the mapping, where something was changed."""
        values = self.cleaned_data
        if not self.errors and set(self.changed_data) - {"remove"}:
            self.mapping = self.transformed(self._changed(values), self._columns)
            try:
                Mapping.from_dict(self.mapping.to_dict(), name=self.spec.name)
            except TableError as error:
                for problem in error.problems:
                    self.add_error(None, str(problem))
        return values

    def _changed(self, values: dict[str, Any]) -> Mapping:
        columns: dict[str, Columns] = {}
        constants: dict[str, Any] = {}
        digests: dict[str, str | tuple[str, ...]] = {
            name: each for name, each in self.original.digests.items() if not isinstance(each, str)
        }
        for field in self.spec.fields:
            if field.many != "one":
                if chosen := values[f"many_{field.name}"]:
                    columns[field.name] = self._several(field, chosen, values)
                continue
            kind, _, column = values[f"column_{field.name}"].partition(":")
            if kind:
                digests.pop(field.name, None)
            if kind == "digest":
                digests[field.name] = column
            elif kind:
                columns[field.name] = column
            if (text := values[f"constant_{field.name}"]) != "":
                known = self.original.constants.get(field.name)
                if kind and f"constant_{field.name}" not in self.changed_data:
                    continue  # The column was chosen in place of what was proposed.
                constants[field.name] = known if text == shown_constant(known) else text
                if kind:
                    self.add_error(
                        f"constant_{field.name}", "Choose a column or a constant, not both."
                    )
        wide = self.spread_said({*columns, *constants, *digests})
        given = {*columns, *digests}
        return replace(
            self.original,
            joined={name: each for name, each in self.original.joined.items() if name not in given},
            numbered=tuple(name for name in self.original.numbered if name not in given),
            columns=columns,
            constants=constants,
            digests=digests,
            wide=wide,
            attributes=tuple(values.get("attributes", ())),
            explode=values.get("explode") or None,
            missing=words_in(values["missing"]),
            distinct=values["distinct"],
        )

    def _several(self, field: Field, chosen: list[str], values: dict[str, Any]) -> Columns:
        if field.many == "list":
            return chosen[0] if len(chosen) == 1 else tuple(chosen)
        known = self.original.columns.get(field.name)
        if isinstance(known, str) and chosen == [known]:
            return known
        labelling = Wide("", "", pattern=values[f"pattern_{field.name}"] or None)
        labels = {column: labelling.label(column) for column in chosen}
        if unfit := [column for column, label in labels.items() if label is None]:
            self.add_error(f"pattern_{field.name}", f"{unfit[0]} does not fit this pattern.")
        return {label: column for column, label in labels.items() if label is not None}
