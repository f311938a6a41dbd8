"""COMET: what `comet-score --to_json` writes, a list of segments with scores for each system."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.formats.format import Format, ReadAs
from corpus.formats.offered import Offered
from corpus.formats.writing import write_table
from corpus.tabular.files import stem_of
from corpus.tabular.mapping import Columns, Mapping, Wide
from corpus.tabular.problems import Problem, TableError

_BEGINNING = re.compile(rb'\s*\{\s*"[^"]*"\s*:\s*\[\s*\{')
"""An object of lists of objects."""
_TEXTS = ("src", "mt", "ref")
_NO_SCORES = (*_TEXTS, "errors", "variance")


class Comet(Format):
    """COMET scores as JSON."""

    name = "comet"
    title = "COMET scores (JSON)"

    def recognises(self, files: Offered) -> bool:
        """Whether a JSON file begins with a system's first segment."""
        return bool(_files_in(files))

    def read(self, files: Offered, folder: Path, chosen: str) -> ReadAs:
        """Read texts and scores; segments are numbered as the lines of the scored files."""
        read = ReadAs()
        for name in _files_in(files):
            content = files.document(name)
            _check(name, content)
            _read(name, content, folder, read)
        return read


def _files_in(files: Offered) -> list[str]:
    found = []
    for name in files.ending_with(".json"):
        head = files.head(name)
        if _BEGINNING.match(head) and b'"mt"' in head and b'"src"' in head:
            found.append(name)
    return found


def _check(name: str, content: Any) -> None:
    """Refuse what is not a list of segments for each system, of the same sources."""
    lists = list(content.values()) if isinstance(content, dict) else []
    good = bool(lists) and all(
        isinstance(each, list)
        and all(isinstance(row, dict) and {"src", "mt"} <= row.keys() for row in each)
        for each in lists
    )
    if (
        good
        and [row["src"] for row in lists[0]]
        and all([row["src"] for row in each] == [row["src"] for row in lists[0]] for each in lists)
    ):
        return
    expected = "for each system a list of segments with src and mt, of the same sources"
    message = "Score all systems in one call of comet-score, or import one file at a time."
    raise TableError(Problem(name, expected=expected, message=message, code="json"))


def _read(name: str, content: dict[str, list[dict[str, Any]]], folder: Path, read: ReadAs) -> None:
    first = next(iter(content.values()))
    has_reference = all("ref" in row for row in first)
    metrics = [
        key
        for key, value in first[0].items()
        if key not in _NO_SCORES and isinstance(value, int | float)
    ]
    columns = ["segment", "system", "source", "reference", "output", *metrics]

    def rows() -> Iterator[list[Any]]:
        for file, segments in content.items():
            for number, row in enumerate(segments, start=1):
                texts = [row["src"], row.get("ref", ""), row["mt"]]
                scores = [row.get(metric, "") for metric in metrics]
                yield [number, stem_of(file), *texts, *scores]

    segment: dict[str, Columns] = {"segment": "segment", "source": "source"}
    if has_reference:
        segment["reference"] = ("reference",)
    output: dict[str, Columns] = {"segment": "segment", "system": "system"}
    scores = Mapping(
        "metric_scores",
        output,
        {"compared_to": "reference" if has_reference else "source"},
        wide=Wide("metric", "score", tuple(metrics), skip_empty=True),
    )
    mappings = [
        Mapping("segments", segment, distinct=True),
        Mapping("outputs", {**output, "output": "output"}),
        *([scores] if metrics else []),
    ]
    file = write_table(folder, f"{stem_of(name)}.csv", columns, rows())
    read.tables.append((file, mappings))
    if any("errors" in row for rows_of_system in content.values() for row in rows_of_system):
        read.notes.append(f"{name}: error spans are passed over; only the scores are read.")


FORMAT = Comet()
