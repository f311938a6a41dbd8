"""How one table is read from a file, as a form: a column or an expression for each field.

The form is drawn from a mapping, which travels with it. What is sent back unchanged is that very
mapping, so that nothing that a form cannot show is lost. Columns that are spread are ticked above
the first rows of the file; whatever else is odd is said by an expression in SQL, or in the query.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django import forms

from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.mapping import EXPRESSION, Mapping, columns_in

_MORE = ("where", "explode", "distinct")
_SHOWN_APART = ("query", "remove")
Row = tuple[Field, forms.BoundField]


class TableForm(forms.Form):
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
    """

    query = forms.CharField(required=False, strip=False)
    where = forms.CharField(
        label="Rows that are read",
        required=False,
        max_length=5000,
        help_text="A condition in SQL, such as split = 'test' AND score <> ''. Other rows are left "
        "out and counted.",
    )
    distinct = forms.BooleanField(
        label="Pass over records that repeat an earlier one", required=False
    )
    remove = forms.BooleanField(label="Do not read this table", required=False)

    def __init__(
        self,
        spec: TableSpec,
        columns: Sequence[str],
        mapping: Mapping,
        data: Any = None,
        prefix: str = "",
    ) -> None:
        self.spec = spec
        self.original = mapping
        self.mapping = mapping
        self.shown_query = mapping.query
        self._known = {*columns, *mapping.sources()}
        super().__init__(data, prefix=prefix, initial=vars(mapping))
        for field in spec.fields:
            attributes = {
                "list": f"{prefix.rpartition('-')[0]}-names",
                "aria-label": f"{spec.name}: {field.name}",
            }
            self.fields[f"column_{field.name}"] = forms.CharField(
                required=False,
                max_length=5000,
                initial=mapping.columns.get(field.name, ""),
                widget=forms.TextInput(attributes),
            )
        if paths := _list_paths([*columns, f"{mapping.explode or ''}[]"]):
            choices = [("", "line of the file"), *((path, f"entry of {path}") for path in paths)]
            self.fields["explode"] = forms.ChoiceField(
                label="One record per", choices=choices, required=False
            )

    @property
    def called(self) -> str:
        """What the table is called in sentences."""
        return self.spec.name.replace("_", " ")

    @property
    def lacking(self) -> tuple[str, ...]:
        """What the table needs and the mapping does not give."""
        return self.mapping.missing_fields(self.spec)

    @property
    def spread(self) -> set[str]:
        """The fields that are spread over columns."""
        wide = self.mapping.wide
        return {*wide.names, wide.value} if wide else set()

    @property
    def fields_in_use(self) -> list[Row]:
        """Fields that are given or needed, each with its input."""
        return [row for row in self._rows() if self._is_in_use(*row)]

    @property
    def further_fields(self) -> list[Row]:
        """The same of the other fields."""
        return [row for row in self._rows() if not self._is_in_use(*row)]

    def _rows(self) -> list[Row]:
        return [(field, self[f"column_{field.name}"]) for field in self.spec.fields]

    def _is_in_use(self, field: Field, column: forms.BoundField) -> bool:
        is_needed = field.required or any(field.name in group for group in self.spec.one_of)
        is_given = field.name in self.mapping.given or column.errors
        return bool(is_needed or is_given or "autofocus" in column.field.widget.attrs)

    @property
    def more(self) -> list[forms.BoundField]:
        """The inputs of how records are made."""
        return [self[name] for name in _MORE if name in self.fields]

    @property
    def says_more(self) -> bool:
        """Whether anything is said there."""
        mapping = self.original
        return bool(mapping.where or mapping.explode) or any(each.errors for each in self.more)

    def point_at(self, column: str) -> bool:
        """Give the focus to what reads a column or takes a field; return whether there is one."""
        for name in self.spec.names:
            if column == name or column in columns_in(self.mapping.columns.get(name, "")):
                self.fields[f"column_{name}"].widget.attrs["autofocus"] = True
                return True
        return False

    def clean(self) -> dict[str, Any]:
        """Build the mapping, where something was changed."""
        values = self.cleaned_data
        typed = _plain(values.get("query", ""))
        if typed != _plain(self.data.get(f"{self.prefix}-query_was", typed)):
            self.mapping = replace(self.original, query=typed)
        elif self.original.query:
            pass  # The fields are not shown beside a query.
        elif set(self.changed_data).difference(_SHOWN_APART):
            self.mapping = self._changed(values)
        return values

    def _changed(self, values: dict[str, Any]) -> Mapping:
        """Return the mapping as the inputs say; what they do not show stays."""
        columns = {}
        for name in self.spec.names:
            source = values.get(f"column_{name}", "")
            if source.startswith(EXPRESSION) or source in self._known:
                columns[name] = source
            elif source:
                advice = f"For the same text in all rows, write = '{source[:40]}'."
                self.add_error(f"column_{name}", f"There is no such column. {advice}")
        wide = self.original.wide
        used = {column for source in columns.values() for column in columns_in(source)}
        return replace(
            self.original,
            columns=columns,
            attributes=tuple(each for each in self.original.attributes if each not in used),
            wide=None if wide and {*wide.names, wide.value} & columns.keys() else wide,
            where=values.get("where", ""),
            distinct=values["distinct"],
            explode=values.get("explode") or None,
        )


def _plain(query: str) -> str:
    """Return a query as it was written; browsers send other line ends."""
    return query.replace("\r\n", "\n").strip().removesuffix(";").rstrip()


def _list_paths(columns: Sequence[str]) -> list[str]:
    """Return the lists that dotted names go through, each once."""
    paths: dict[str, None] = {}
    for column in columns:
        parts = column.split("[]")
        for count in range(1, len(parts)):
            paths["[]".join(parts[:count])] = None
    return [path for path in paths if path]
