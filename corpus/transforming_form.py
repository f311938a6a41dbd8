"""How cells are changed before they are stored: keys, chosen rows, parts, and what words mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django import forms

from corpus.mapping_lines import (
    LineError,
    lines_of_conditions,
    lines_of_keys,
    lines_of_parts,
    lines_of_splits,
    read_conditions_in,
    read_keys,
    read_parts,
    read_splits,
)
from corpus.tabular.mapping import Mapping as TableMapping
from corpus.tabular.transforming.splitting import ELEMENT, POSITION

LINES = {
    "keys": (
        "Keys of several columns",
        lines_of_keys,
        "One per line, such as segment = doc + line, or segment = row number.",
    ),
    "where": (
        "Rows that are read",
        lambda mapping: lines_of_conditions(mapping.where),
        "One condition per line; all must hold: split is test | dev, score at least 3, comment is "
        "not empty. Other rows are left out and counted.",
    ),
    "split": (
        "Cells that are split",
        lines_of_splits,
        "One column per line with its separator, such as scores = | (or tab, json).",
    ),
    "take": (
        "Parts of cells",
        lines_of_parts,
        "One field per line with a pattern in which {} marks the part to read, such as "
        "score = grammaticality={}.",
    ),
}
"""Field of the form to its label, what it shows of a mapping, and its help."""


class TransformingForm(forms.Form):
    """The part of a table's form that says how cells are changed."""

    _words: Mapping[str, Sequence[str]]

    def add_transforming(
        self, mapping: TableMapping, words: Mapping[str, Sequence[str]]
    ) -> dict[str, Any]:
        """Add the fields for a mapping and the words in its cells; return what they show."""
        self._words = words
        initial: dict[str, Any] = {}
        for name, (label, shown, advice) in LINES.items():
            widget = forms.Textarea({"rows": 2, "spellcheck": "false"})
            self.fields[name] = forms.CharField(
                label=label, required=False, help_text=advice, widget=widget
            )
            initial[name] = shown(mapping)
        for field, found in words.items():
            for place, word in enumerate(found):
                name = f"value_{field}_{place}"
                label = f"{field} “{word}” means"
                self.fields[name] = forms.CharField(label=label, required=False, max_length=200)
                initial[name] = mapping.values.get(field, {}).get(word, "")
        return initial

    @property
    def meanings(self) -> list[forms.BoundField]:
        """The inputs of what words mean."""
        return [self[name] for name in self.fields if name.startswith("value_")]

    @property
    def lines(self) -> list[forms.BoundField]:
        """The inputs of keys, rows and cells."""
        return [self[name] for name in LINES]

    @property
    def has_lines(self) -> bool:
        """Whether anything is said there."""
        return any(self.initial.get(name) or self[name].errors for name in LINES)

    def transformed(self, mapping: TableMapping, columns: Sequence[str]) -> TableMapping:
        """Return a mapping with what was changed here."""
        said = self.cleaned_data
        readers: dict[str, Callable[[str], dict[str, Any]]] = {
            "keys": lambda text: dict(zip(("joined", "numbered"), read_keys(text), strict=True)),
            "where": lambda text: {"where": read_conditions_in(text, columns)},
            "split": lambda text: {"split": read_splits(text)},
            "take": lambda text: {"take": read_parts(text)},
        }
        for name in LINES:
            if name in self.changed_data:
                try:
                    mapping = replace(mapping, **readers[name](said[name]))
                except LineError as error:
                    self.add_error(name, str(error))
        if "split" in self.changed_data:
            mapping = _exploded(mapping)
        if "keys" in self.changed_data:
            mapping = _without_other_sources(mapping)
        values = {field: dict(table) for field, table in mapping.values.items()}
        for field, found in self._words.items():
            table = values.setdefault(field, {})
            for place, word in enumerate(found):
                means = said[f"value_{field}_{place}"].strip()
                if means:
                    table[word] = means
                else:
                    table.pop(word, None)
        return replace(mapping, values={field: table for field, table in values.items() if table})


def _without_other_sources(mapping: TableMapping) -> TableMapping:
    """Give fields whose key was just said to be made of columns no other source."""
    made = {*mapping.joined, *mapping.numbered}
    return replace(
        mapping,
        columns={name: each for name, each in mapping.columns.items() if name not in made},
        constants={name: each for name, each in mapping.constants.items() if name not in made},
        digests={name: each for name, each in mapping.digests.items() if name not in made},
    )


def _exploded(mapping: TableMapping) -> TableMapping:
    """Let each element of a cell that is split make a record, if the cell was a score.

    Its position is the rater, unless a rater is given. It is shown before it is imported.
    """
    column = mapping.columns.get("score")
    if mapping.explode or not isinstance(column, str) or column not in mapping.split:
        return mapping
    columns = {**mapping.columns, "score": f"{column}{ELEMENT}"}
    if "rater" not in mapping.given:
        columns["rater"] = f"{column}{POSITION}"
    return replace(mapping, columns=columns, explode=column)
