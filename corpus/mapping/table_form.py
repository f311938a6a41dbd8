"""How one table is read from a file, as a form: a column or a constant for each field.

The form is drawn from a mapping, which travels with it. What is sent back unchanged is that very
mapping, so that nothing that a form cannot show is lost. Several columns of one field are ticked
above the first rows of the file; whatever else is odd is said in the query.
"""

from collections.abc import Iterator, Sequence
from collections.abc import Mapping as AnyMapping
from dataclasses import replace
from typing import Any

from django import forms

from corpus.mapping.file_form import (
    EMPTY_CELL,
    Written,
    lines_of_conditions,
    lines_of_keys,
    listed_words,
    read_conditions_in,
    read_keys,
    read_words,
)
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.mapping import Mapping, columns_of

CANNOT_SAY = "not given"
MANY_COLUMNS = 60
"""Of more columns a list for each field would make a page of megabytes."""
_MORE = ("keys", "where", "explode", "missing", "distinct")
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
    words
        Field of numbers to the words in its cells.
    """

    query = forms.CharField(required=False, strip=False)
    keys = Written(
        lines_of_keys,
        read_keys,
        label="Keys of several columns",
        help_text="One per line, such as segment = doc + line, or segment = row number.",
        widget=forms.Textarea({"rows": 2, "spellcheck": "false"}),
    )
    where = Written(
        lines_of_conditions,
        str,
        label="Rows that are read",
        help_text="One condition per line; all must hold: split is test | dev, score at least 3, "
        "comment is not empty. Other rows are left out and counted.",
        widget=forms.Textarea({"rows": 2, "spellcheck": "false"}),
    )
    missing = Written(
        listed_words,
        read_words,
        label="Words that mean “no value”",
        help_text=f"In numbers and choices; separated by commas, such as NA, {EMPTY_CELL}.",
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
        words: AnyMapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.spec = spec
        self.original = mapping
        self.mapping = mapping
        self.shown_query = mapping.query
        self._words = words or {}
        self._single = [field for field in spec.fields if field.many == "one"]
        family = mapping.wide.column if mapping.wide and not mapping.wide.columns else None
        used = [column for column in mapping.named() if column != family]
        self._columns = list(dict.fromkeys([*columns, *used]))
        keys = (mapping.joined, mapping.numbered)
        super().__init__(data, prefix=prefix, initial={**vars(mapping), "keys": keys})
        where = self.fields["where"]
        where.read = lambda text: read_conditions_in(text, self._columns)  # type: ignore[attr-defined]
        for field in self._single:
            self._add(field)
        for field_name, found in self._words.items():
            meanings = mapping.values.get(field_name, {})
            for place, word in enumerate(found):
                label = f"{field_name} “{word}” means"
                said = forms.CharField(label=label, required=False, max_length=200)
                said.initial = meanings.get(word, "")
                self.fields[f"value_{field_name}_{place}"] = said
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
    def meanings(self) -> list[forms.BoundField]:
        """The inputs of what words mean."""
        return [self[name] for name in self.fields if name.startswith("value_")]

    @property
    def more(self) -> list[forms.BoundField]:
        """The inputs of how records are made."""
        return [self[name] for name in _MORE if name in self.fields]

    @property
    def says_more(self) -> bool:
        """Whether anything is said there."""
        mapping = self.original
        said = (mapping.joined, mapping.numbered, mapping.where, mapping.explode, mapping.missing)
        return any(said) or any(each.errors for each in self.more)

    @property
    def translations(self) -> list[str]:
        """What words in cells mean, in words."""
        values = self.mapping.values.values()
        return [f"“{word}” means {means}" for table in values for word, means in table.items()]

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
        labels = [(column, column or "(no name)") for column in self._columns]
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
        constant = forms.CharField(required=False, max_length=200)
        constant.initial = _shown(self.original.constants.get(name))
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
        sources: dict[str, dict[str, Any]] = {
            kind: dict(getattr(original, kind))
            for kind in ("columns", "digests", "constants", "joined")
        }
        numbered = original.numbered
        if "keys" in changed:  # Such a key has no other source.
            joined, numbered = values["keys"]
            for name in {*joined, *numbered}:
                _take_out(name, sources)
            sources["joined"] = joined
        for field in self._single:
            if {f"column_{field.name}", f"constant_{field.name}"} & changed:
                self._take_field(field.name, values, sources)
        given = {name for found in sources.values() for name in found}
        wide = original.wide
        if wide and {*wide.names, wide.value} & (given - set(sources["joined"])):
            wide = None
        used = {column for each in sources["columns"].values() for column in columns_of(each)}
        direct: dict[str, Any] = {
            name: values[name] for name in ("where", "missing", "distinct") if name in changed
        }
        return replace(
            original,
            **sources | direct,
            attributes=tuple(each for each in original.attributes if each not in used),
            numbered=tuple(name for name in numbered if name not in given),
            values=self._meanings(values),
            wide=wide,
            explode=values.get("explode") or None,
        )

    def _take_field(
        self, name: str, values: dict[str, Any], sources: dict[str, dict[str, Any]]
    ) -> None:
        """Note the source of a field of one value."""
        kind, _, column = values[f"column_{name}"].partition(":")
        text = values[f"constant_{name}"]
        _take_out(name, sources)
        if kind:
            sources[f"{kind}s"][name] = column
        elif text:
            known = self.original.constants.get(name)
            sources["constants"][name] = known if text == _shown(known) else text
        if kind and text and f"constant_{name}" in self.changed_data:
            self.add_error(f"constant_{name}", "Choose a column or a constant, not both.")

    def _meanings(self, values: dict[str, Any]) -> dict[str, dict[str, str]]:
        """Return what words in cells mean."""
        meanings = dict(self.original.values)
        for name, found in self._words.items():
            said = {word: values[f"value_{name}_{n}"].strip() for n, word in enumerate(found)}
            table = meanings.get(name, {}) | said
            meanings[name] = {word: means for word, means in table.items() if means}
        return {name: table for name, table in meanings.items() if table}


def _take_out(name: str, sources: dict[str, dict[str, Any]]) -> None:
    for found in sources.values():
        found.pop(name, None)


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
