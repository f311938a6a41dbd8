"""Tables that a format writes for the import, as CSV."""

from __future__ import annotations

import csv
from itertools import islice
from pathlib import Path

from corpus.formats.format import Rows
from corpus.tabular.files import SourceFile
from corpus.tabular.limits import DEFAULT_LIMITS
from corpus.tabular.problems import Problem, TableError

ROWS_AT_ONCE = 200


def write_table(folder: Path, name: str, columns: list[str], rows: Rows) -> SourceFile:
    """Write a table; return it as the import reads it.

    Rows are written as they come, so that a table may be longer than memory; one that grows
    beyond what an archive may unpack to is refused.
    """
    place, most = folder / name, DEFAULT_LIMITS.total_bytes
    left = iter(rows)
    with place.open("x", encoding="utf-8", errors="surrogatepass", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\r\n")
        writer.writerow(columns)
        while some := list(islice(left, ROWS_AT_ONCE)):
            writer.writerows(some)
            if stream.tell() > most:
                found, expected = f"more than {most >> 20} MiB of rows", "fewer"
                raise TableError(
                    Problem(name, None, None, None, found, expected, "Split the files.", "too-much")
                )
    return SourceFile(place, name, "csv")
