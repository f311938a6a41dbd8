"""Reading an exported study and writing a table of scores that can be imported.

Needs the standard library of Python 3.10 only, so that it runs in the environment of any metric.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import os
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

HEADER = ("segment", "system", "variant", "metric", "aspect", "compared_to", "score")
TOGETHER = 512
"""Texts that a metric is given at once, between two lines of progress."""


class StudyError(Exception):
    """A study that cannot be scored; the message says what to do."""


class Row(NamedTuple):
    """An output with what it is compared with; empty texts where there is nothing."""

    segment: str
    system: str
    variant: str
    output: str
    source: str
    reference: str


Score = Callable[[Sequence[Row]], Sequence[float]]
"""A metric: rows to one number each."""


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with what all commands take."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("study", type=Path, help="exported zip, or a folder with its tables")
    parser.add_argument("table", type=Path, help="CSV to write; import it into the study")
    parser.add_argument("--model", required=True, help="name or path of the model")
    parser.add_argument("--metric", help="name in the table; default: the model's last name")
    parser.add_argument("--reference", type=int, default=1, help="which reference; default 1")
    parser.add_argument("--aspect", default="content", help="default: content")
    return parser


def read_rows(study: Path, reference: int = 1) -> list[Row]:
    """Return all outputs of an exported study, or of a folder with its tables.

    Parameters
    ----------
    study
        A zip that `manage.py export_study` wrote, or a folder with segments.csv and outputs.csv.
    reference
        Which reference is given with each output, from 1; 0 for none.

    Raises
    ------
    StudyError
        If a table or column is missing, or an output's segment is unknown.
    """
    texts, wanted = {}, f"reference.{reference}"
    for line in _table(study, "segments.csv", ("segment", "source")):
        texts[line["segment"]] = (line["source"], line.get(wanted) or "")
    rows = []
    for line in _table(study, "outputs.csv", ("segment", "system", "output")):
        key = line["segment"]
        if key not in texts:
            raise StudyError(f"outputs.csv: segment {key!r} is not in segments.csv")
        rows.append(
            Row(key, line["system"], line.get("variant") or "1", line["output"], *texts[key])
        )
    if reference and not any(row.reference for row in rows):
        raise StudyError(f"no segment has a reference {reference}")
    return rows


def score_table(
    rows: Sequence[Row],
    score: Score,
    table: Path,
    *,
    metric: str,
    compared_to: str,
    aspect: str = "content",
    needs_reference: bool = True,
) -> int:
    """Score rows and write a table that Touchstone imports, whole or not at all.

    Outputs that are empty or have nothing to be compared with are left out: in the study their
    scores are missing.

    Returns
    -------
    int
        How many outputs were left out.

    Raises
    ------
    StudyError
        If the metric gives another number of scores, or one that is no number.
    """
    chosen = [
        row
        for row in rows
        if row.output.strip() and (row.reference if needs_reference else row.source).strip()
    ]
    scores: list[float] = []
    for start in range(0, len(chosen), TOGETHER):
        part = chosen[start : start + TOGETHER]
        found = [float(value) for value in score(part)]
        if len(found) != len(part) or not all(map(math.isfinite, found)):
            raise StudyError(f"{metric} gave no number for some of {len(part)} outputs")
        scores += found
        print(f"{len(scores):,} of {len(chosen):,}", file=sys.stderr)  # noqa: T201
    unfinished = table.with_name(table.name + ".part")
    with unfinished.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(HEADER)
        for row, value in zip(chosen, scores, strict=True):
            place = (row.segment, row.system, row.variant)
            writer.writerow((*place, metric, aspect, compared_to, repr(value)))
    os.replace(unfinished, table)
    return len(rows) - len(chosen)


def _table(study: Path, name: str, fields: Sequence[str]) -> Iterator[dict[str, str]]:
    """Yield the lines of a table by field; of references, ``reference.1`` is the first."""
    lines = csv.DictReader(io.StringIO(_content(study, name), newline=""))
    header = lines.fieldnames or []
    column_of = _columns(study, name, header)
    for field in fields:
        if column_of.get(field) not in header:
            raise StudyError(f"{name}: no column {field!r}; it has {', '.join(header)}")
    for line in lines:
        yield {field: line[column] for field, column in column_of.items() if column in line}


def _columns(study: Path, name: str, header: Sequence[str]) -> dict[str, str]:
    """Return fields to columns: as study.json maps them, else those of the same name."""
    try:
        mapping = json.loads(_content(study, "study.json"))["mappings"][name][0]["columns"]
    except (StudyError, KeyError):
        mapping = {column.removesuffix("_id"): column for column in header}
        mapping["reference"] = sorted(each for each in header if each.startswith("reference"))
    found: dict[str, str] = {}
    for field, column in mapping.items():
        if field == "reference":
            columns = [column] if isinstance(column, str) else column
            found.update((f"reference.{n}", each) for n, each in enumerate(columns, start=1))
        else:
            found[field] = column
    return found


def _content(study: Path, name: str) -> str:
    try:
        if study.is_dir():
            return (study / name).read_bytes().decode("utf-8-sig")
        with zipfile.ZipFile(study) as archive:
            return archive.read(name).decode("utf-8-sig")
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise StudyError(f"{study}: {name} cannot be read ({error})") from error


def run(parser: argparse.ArgumentParser, work: Callable[[argparse.Namespace], int]) -> None:
    """Run a command; an error in the study is told in one line."""
    options = parser.parse_args()
    options.metric = options.metric or Path(options.model).name.lower()
    csv.field_size_limit(2**30)
    try:
        left_out = work(options)
    except StudyError as error:
        sys.exit(str(error))
    print(f"{options.table}: written; outputs left out: {left_out:,}")  # noqa: T201
