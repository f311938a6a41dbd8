"""Tables that a format writes for the import, as CSV."""

from __future__ import annotations

import csv
from pathlib import Path

from corpus.formats.format import Rows
from corpus.tabular.files import SourceFile


def write_table(folder: Path, name: str, columns: list[str], rows: Rows) -> SourceFile:
    """Write a table; return it as the import reads it.

    Rows are written as they come, so that a table may be longer than memory.
    """
    place = folder / name
    with place.open("x", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow(columns)
        writer.writerows(rows)
    return SourceFile(place, name, "csv")
