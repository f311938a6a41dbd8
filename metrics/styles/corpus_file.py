"""A labelled corpus from a file: texts with styles or grades, or pairs of texts."""

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
    text_column, label_column
        Names of the columns.
    graded
        The one style that labels grade; empty where they are names of styles.
    target_column
        For a file of pairs: the column of target texts; the other has the sources.
    source_style, target_style
        Of a file of pairs, which it has instead of labels.
    split_column
        Column that says what each row is for (train, valid, test); empty if there is none.
    """

    text_column: str = "text"
    label_column: str = "style"
    graded: str = ""
    target_column: str = ""
    source_style: str = "source"
    target_style: str = "target"
    split_column: str = ""

    def check(self) -> None:
        """Raise `TrainingError` for what cannot go together."""
        if self.target_column and self.graded:
            raise TrainingError("pairs have no grades: give a column of targets or a graded style")
        if self.target_column and (not all(self.styles) or len(set(self.styles)) == 1):
            raise TrainingError("pairs: name two different styles, of sources and of targets")

    @property
    def styles(self) -> tuple[str, str]:
        """The styles of pairs."""
        return self.source_style, self.target_style

    @property
    def wanted(self) -> dict[str, str]:
        """Fields of a row and the columns that have them."""
        wanted = {"text": self.text_column, "split": self.split_column}
        second = "target" if self.target_column else "label"
        wanted[second] = self.target_column or self.label_column
        return {name: wanted[name] for name in ("text", second, "split") if wanted[name]}


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
            mapping.columns["label"] = f"= missing({quoted(columns.label_column)}, [{words}])"
        log = ProblemLog()
        rows = [row for _, row in reading.records(source, mapping, spec, log)]
        log.raise_if_any()
    return _labelled([dict(zip(columns.wanted, row, strict=True)) for row in rows], columns)


def _labelled(rows: Sequence[Row[str, Any]], columns: CorpusColumns) -> tuple[LabelledTexts, int]:
    """Return the labelled texts of rows, and how many have no label, or no split."""
    is_labelled = [_is_labelled(row, columns) for row in rows]
    labelled = [row for row, is_it in zip(rows, is_labelled, strict=True) if is_it]
    texts = [row["text"] for row in labelled]
    splits = tuple(split_name(row["split"]) for row in labelled) if columns.split_column else ()
    unlabelled = len(rows) - len(labelled)
    if columns.target_column:
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
    if columns.split_column and not split_name(row["split"]):
        return False
    if columns.target_column:
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
