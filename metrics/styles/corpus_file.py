"""A labelled corpus from a file: texts with styles or grades, or pairs of texts."""

from __future__ import annotations

from collections.abc import Mapping as Row
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpus.progress import ProgressCallback, unreported
from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.opening.files import SourceFile
from corpus.tabular.opening.sources import Wanted
from corpus.tabular.problems import Problem, ProblemLog, TableError
from corpus.tabular.shaping.fields import Field, TableSpec
from corpus.tabular.shaping.mapping import USUAL, Mapping
from corpus.tabular.sql import literal, quoted
from corpus.vocabulary.split_names import split_name
from metrics.styles.labelled import LabelledTexts, TrainingError

MISSING = ("None", "none", "NA", "N/A", "nan", "NaN", "null", "")
"""What stands where a text has no label."""


@dataclass(frozen=True)
class CorpusColumns:
    """Which columns of a file hold what.

    Attributes
    ----------
    text, label
        Names of the columns.
    graded
        The one style that labels grade; empty where they are names of styles.
    target, styles
        For a file of pairs: the column of target texts, where `text` has the sources, and the
        styles of sources and targets, which it has instead of labels.
    split
        Column that says what each row is for (train, valid, test); empty if there is none.
    """

    text: str = "text"
    label: str = "style"
    graded: str = ""
    target: str = ""
    styles: tuple[str, str] = ("source", "target")
    split: str = ""

    @classmethod
    def from_dict(cls, data: Row[str, Any]) -> CorpusColumns:
        """Read what JSON has of columns, which may be from before there were pairs."""
        found = cls(**data)
        return replace(found, styles=(found.styles[0], found.styles[1]))

    def check(self) -> None:
        """Raise `TrainingError` for what cannot go together."""
        if self.target and self.graded:
            raise TrainingError("pairs have no grades: give a column of targets or a graded style")
        if self.target and (not all(self.styles) or self.styles[0] == self.styles[1]):
            raise TrainingError("pairs: name two different styles, of sources and of targets")

    @property
    def wanted(self) -> dict[str, str]:
        """Fields of a row and the columns that have them."""
        second = {"target": self.target} if self.target else {"label": self.label}
        return {"text": self.text} | second | ({"split": self.split} if self.split else {})


def read_corpus(
    path: Path,
    columns: CorpusColumns,
    limits: Limits = DEFAULT_LIMITS,
    progress: ProgressCallback = unreported,
) -> tuple[LabelledTexts, int]:
    """Return the labelled texts of a file, and how many rows have no label or no split.

    Parameters
    ----------
    path
        A CSV, TSV, JSON, JSON Lines or Parquet file, also gzipped, or a zip or folder with one.
    columns
        Where texts and labels stand.
    limits
        What the file may hold, and what reading it may take.
    progress
        Is called each second of reading.

    Raises
    ------
    TableError
        If the file cannot be read or lacks a column, or a grade is no number: with the place.
    TrainingError
        If there are no two styles, or the columns cannot go together.
    """
    columns.check()
    with TemporaryDirectory() as workdir, ConfinedReading(limits, progress) as reading:
        source = _one_file(reading, path, Path(workdir))
        _check_columns(reading, source, columns)
        fields = {
            "text": Field("text", required=True),
            "label": Field(
                "label", "number" if columns.graded else "text", required=not columns.graded
            ),
            "target": Field("target", required=True),
            "split": Field("split"),
        }
        spec = TableSpec(
            "labelled", "Labelled texts", tuple(fields[name] for name in columns.wanted)
        )
        mapping = Mapping("labelled", {**columns.wanted})
        if columns.graded:
            words = ", ".join(map(literal, MISSING))
            mapping.columns["label"] = f"= missing({quoted(columns.label)}, [{words}])"
        log = ProblemLog()
        rows = [row for _, row in reading.records(source, mapping, spec, log)]
        log.raise_if_any()
    return _labelled([dict(zip(columns.wanted, row, strict=True)) for row in rows], columns)


def _labelled(rows: Sequence[Row[str, Any]], columns: CorpusColumns) -> tuple[LabelledTexts, int]:
    """Return the labelled texts of rows, and how many have no label, or no split."""
    is_labelled = [_is_labelled(row, columns) for row in rows]
    labelled = [row for row, is_it in zip(rows, is_labelled, strict=True) if is_it]
    texts = [row["text"] for row in labelled]
    splits = tuple(split_name(row["split"]) for row in labelled) if columns.split else ()
    unlabelled = len(rows) - len(labelled)
    if columns.target:
        # Each pair gives two rows: its source in one style, its target in the other.
        both = [text for row in labelled for text in (row["text"], row["target"])]
        found = LabelledTexts.of(both, list(columns.styles) * len(labelled))
        pairs = tuple(number for number in range(len(labelled)) for _ in columns.styles)
        twice = tuple(split for split in splits for _ in columns.styles)
        return replace(found, splits=twice, pairs=pairs), unlabelled
    if columns.graded:
        found = LabelledTexts.graded(
            texts, [float(row["label"]) for row in labelled], columns.graded
        )
    else:
        found = LabelledTexts.of(texts, [str(row["label"]).strip() for row in labelled])
    return replace(found, splits=splits), unlabelled


def _is_labelled(row: Row[str, Any], columns: CorpusColumns) -> bool:
    if columns.split and not split_name(row["split"]):
        return False
    if columns.target:
        return bool(str(row["target"]).strip()) and row["target"] not in MISSING
    if columns.graded:
        return row["label"] is not None
    return str(row["label"]).strip() not in MISSING


def _one_file(reading: ConfinedReading, path: Path, workdir: Path) -> SourceFile:
    files = reading.discover(path, workdir, Wanted("tables")).files.files
    tables = [source for source in files if source.format != "lines"]
    if len(tables) != 1:
        raise TableError(
            Problem(
                path.name,
                found=", ".join(source.name for source in tables) or "no table",
                expected="one CSV, TSV, JSON, JSON Lines or Parquet file",
                message="Give the one file that holds the labelled texts.",
                code="no-files",
            )
        )
    return tables[0]


def _check_columns(reading: ConfinedReading, source: SourceFile, columns: CorpusColumns) -> None:
    names = reading.preview(source, 1, dialect=USUAL).columns
    for name in columns.wanted.values():
        if name not in names:
            raise TableError(
                Problem(
                    source.name,
                    line=1,
                    column=name,
                    found=", ".join(names),
                    expected=f"a column {name!r}",
                    message="Say which columns hold the texts and their labels.",
                    code="missing-column",
                )
            )
