"""Appraise: the scores that `manage.py ExportSystemScoresToCSV` writes, a CSV without header."""

from __future__ import annotations

import csv
from pathlib import Path

from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.tabular.column_contents import is_number
from corpus.tabular.mapping import Columns, Mapping
from corpus.tabular.transforming.conditions import Condition

COLUMNS = (
    *("user", "system", "item", "item type", "source language", "target language", "score"),
    *("document", "whole document"),
)
TYPES = frozenset({"TGT", "REF", "BAD", "CHK"})
"""Of items: outputs, and three kinds of controls."""


class Appraise(Format):
    """Appraise CSV."""

    name = "appraise"
    title = "Appraise scores (CSV)"

    def recognises(self, files: Offered) -> bool:
        """Whether the fourth column of a table without header is a kind of item."""
        return bool(_files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read the files as they are; there are no texts in them."""
        read = ReadAs(study={"without_texts": True})
        for name, width in _files_in(files).items():
            read.tables.append((files.source(name), [_mapping(width)]))
        read.notes.append(
            "Scores of control items (REF, BAD, CHK) and of whole documents are left out."
        )
        return read


def _files_in(files: Offered) -> dict[str, int]:
    """Return the number of columns of each file."""
    found = {}
    for name in files.ending_with(".csv"):
        lines = files.head(name).decode("utf-8", "replace").splitlines()[:3]
        rows = [row for row in csv.reader(lines) if row]
        if rows and all(len(row) >= 7 and row[3] in TYPES and is_number(row[6]) for row in rows):
            found[name] = len(rows[0])
    return found


def _mapping(width: int) -> Mapping:
    names = [*COLUMNS, *(f"further {n}" for n in range(1, width - len(COLUMNS) + 1))][:width]
    has_documents = width >= len(COLUMNS)
    columns: dict[str, Columns] = {"system": "system", "rater": "user", "score": "score"}
    where = [Condition("item type", allowed=("TGT",))]
    if has_documents:
        where.append(Condition("whole document", refused=("True",)))
    else:
        columns["segment"] = "item"
    return Mapping(
        "ratings",
        columns,
        {"aspect": "overall"},
        joined={"segment": ("document", "item")} if has_documents else {},
        where=tuple(where),
        header=tuple(names),
        delimiter=",",
    )


FORMAT = Appraise()
