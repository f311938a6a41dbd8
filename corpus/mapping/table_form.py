"""How one table is read from a file, as a form: a column, constant or expression for each field.

The form is drawn from a mapping, which travels with it. What is sent back unchanged is that very
mapping, so that nothing that a form cannot show is lost. Several columns of one field are ticked
above the first rows of the file; whatever else is odd is said by an expression in SQL, or in the
query.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from django import forms

from corpus.tabular.guesses.columns import POSITION
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.mapping import Mapping, columns_of

CANNOT_SAY = "not given"
MANY_COLUMNS = 60
"""Of more columns a list for each field would make a page of megabytes."""
_MORE = ("where", "explode", "distinct")
EXPRESSION = "="
"""Begins an expression in the place of a constant."""
_SHOWN_APART = ("query", "remove")
Row = tuple[Field, forms.BoundField, forms.BoundField]


class ColumnName(forms.CharField):
    """One of very many columns by its name, or ``digest:`` and its name; cleaned like a choice.

    Parameters
    ----------
    columns
        What there is.
    listed
        The page's list of names.
    """

    def __init__(self, columns: Sequence[str], listed: str) -> None:
        super().__init__(required=False, strip=False, widget=forms.TextInput({"list": listed}))
        self._columns = set(columns)

    def prepare_value(self, value: Any) -> Any:
        """Show a column by its name alone."""
        return value.removeprefix("column:") if isinstance(value, str) else value

    def to_python(self, value: Any) -> str:
        """Return ``column:`` or ``digest:`` with the name, or nothing."""
        text = str(value or "")
        kind, _, name = text.partition(":")
        if not text.strip() or text in self._columns:
            return f"column:{text}" if text in self._columns else ""
        if kind in ("digest", "column") and name in self._columns:
            return text
        raise forms.ValidationError(f"There is no column {text[:100]!r}.")


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
        self._single = [field for field in spec.fields if field.many == "one"]
        family = mapping.wide.pattern if mapping.wide and not mapping.wide.columns else None
        used = [column for column in mapping.named() if column != family]
        self._columns = list(dict.fromkeys([*columns, *used]))
        super().__init__(data, prefix=prefix, initial=vars(mapping))
        for field in self._single:
            self._add(field)
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
        """Fields that are given or needed, each with its two inputs."""
        return [row for row in self._rows() if self._is_in_use(*row)]

    @property
    def further_fields(self) -> list[Row]:
        """The same of the other fields."""
        return [row for row in self._rows() if not self._is_in_use(*row)]

    def _rows(self) -> Iterator[Row]:
        for field in self._single:
            yield field, self[f"column_{field.name}"], self[f"constant_{field.name}"]

    def _is_in_use(
        self, field: Field, column: forms.BoundField, constant: forms.BoundField
    ) -> bool:
        is_needed = field.required or any(field.name in group for group in self.spec.one_of)
        is_given = field.name in self.mapping.given or column.errors or constant.errors
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
        for field in self._single:
            if column == field.name or column in columns_of(
                self.mapping.columns.get(field.name, ())
            ):
                self.fields[f"column_{field.name}"].widget.attrs["autofocus"] = True
                return True
        return False

    def _add(self, field: Field) -> None:
        name = field.name
        titles = {POSITION: "the number of the row", "": "(no name)"}
        labels = [(column, titles.get(column, column)) for column in self._columns]
        choices = [("", CANNOT_SAY), *((f"column:{each}", label) for each, label in labels)]
        if field.digest_of or name in self.original.digests:
            choices += [(f"digest:{each}", f"a key made from {label}") for each, label in labels]
        column: forms.Field = forms.ChoiceField(choices=choices, required=False)
        if len(self._columns) > MANY_COLUMNS:
            listed = f"{(self.prefix or '').rpartition('-')[0]}-names"
            column = ColumnName(self._columns, listed)
        column.widget.attrs["aria-label"] = f"{self.spec.name}: column of {name}"
        for kind in ("columns", "digests"):
            if isinstance(used := getattr(self.original, kind).get(name), str):
                column.initial = f"{kind.removesuffix('s')}:{used}"
        constant = forms.CharField(required=False, max_length=2000)
        constant.initial = _shown(self.original.constants.get(name))
        if expression := self.original.expressions.get(name):
            constant.initial = f"{EXPRESSION} {expression}"
        constant.widget.attrs["aria-label"] = f"{self.spec.name}: {name} in all rows"
        self.fields[f"column_{name}"] = column
        self.fields[f"constant_{name}"] = constant

    def clean(self) -> dict[str, Any]:
        """Build the mapping, where something was changed."""
        values = self.cleaned_data
        typed = _plain(values.get("query", ""))
        if typed != _plain(self.data.get(f"{self.prefix}-query_was", typed)):
            self.mapping = replace(self.original, query=typed)
        elif self.original.query or self.errors:
            pass  # The fields are not shown beside a query.
        elif changed := set(self.changed_data).difference(_SHOWN_APART):
            self.mapping = self._changed(values, changed)
        return values

    def _changed(self, values: dict[str, Any], changed: set[str]) -> Mapping:
        """Return the mapping as the inputs say; what they do not show stays."""
        original = self.original
        sources: dict[str, Any] = {
            kind: dict(getattr(original, kind))
            for kind in ("columns", "digests", "constants", "expressions")
        }
        for field in self._single:
            if {f"column_{field.name}", f"constant_{field.name}"} & changed:
                self._take_field(field.name, values, sources, changed)
        given = {name for found in sources.values() for name in found}
        wide = original.wide
        if wide and {*wide.names, wide.value} & given:
            wide = None
        used = {column for each in sources["columns"].values() for column in columns_of(each)}
        return replace(
            original,
            **sources,
            attributes=tuple(each for each in original.attributes if each not in used),
            wide=wide,
            where=values["where"],
            distinct=values["distinct"],
            explode=values.get("explode") or None,
        )

    def _take_field(
        self, name: str, values: dict[str, Any], sources: dict[str, Any], changed: set[str]
    ) -> None:
        """Note the source of a field of one value: of two, the one that was changed."""
        kind, _, column = values[f"column_{name}"].partition(":")
        text = values[f"constant_{name}"]
        if kind and text and changed >= {f"column_{name}", f"constant_{name}"}:
            self.add_error(f"constant_{name}", "Choose a column or a constant, not both.")
        if text and f"constant_{name}" in changed:
            kind = ""
        for found in sources.values():
            found.pop(name, None)
        if kind:
            sources[f"{kind}s"][name] = column
        elif text.startswith(EXPRESSION):
            sources["expressions"][name] = text.removeprefix(EXPRESSION).strip()
        elif text:
            known = self.original.constants.get(name)
            sources["constants"][name] = known if text == _shown(known) else text


def _plain(query: str) -> str:
    """Return a query as it was written; browsers send other line ends."""
    return query.replace("\r\n", "\n").strip().removesuffix(";").rstrip()


def _shown(constant: Any) -> str:
    """Return a constant as its input shows it."""
    return "" if constant is None else str(constant)


def _list_paths(columns: Sequence[str]) -> list[str]:
    """Return the lists that dotted names go through, each once."""
    paths: dict[str, None] = {}
    for column in columns:
        parts = column.split("[]")
        for count in range(1, len(parts)):
            paths["[]".join(parts[:count])] = None
    return [path for path in paths if path]
