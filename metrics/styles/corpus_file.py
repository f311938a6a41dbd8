"""A labelled corpus from a file: a column of texts and one of styles or grades."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.tabular.confined.session import ConfinedReading
from corpus.tabular.fields import Field, TableSpec
from corpus.tabular.files import SourceFile
from corpus.tabular.limits import DEFAULT_LIMITS, Limits
from corpus.tabular.mapping import Mapping
from corpus.tabular.problems import Problem, ProblemLog, TableError
from metrics.styles.labelled import LabelledTexts

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
    """

    text: str = "text"
    label: str = "style"
    graded: str = ""


def read_corpus(
    path: Path, columns: CorpusColumns, limits: Limits = DEFAULT_LIMITS
) -> tuple[LabelledTexts, int]:
    """Return the labelled texts of a file, and how many rows have no label.

    Parameters
    ----------
    path
        A CSV, TSV, JSON, JSON Lines or Parquet file, also gzipped, or a zip or folder with one.
    columns
        Where texts and labels stand.
    limits
        What the file may hold, and what reading it may take.

    Raises
    ------
    TableError
        If the file cannot be read or lacks a column, or a grade is no number: with the place.
    TrainingError
        If there are no two styles.
    """
    with TemporaryDirectory() as workdir, ConfinedReading(limits) as reading:
        source = _one_file(reading, path, Path(workdir))
        _check_columns(reading, source, columns)
        spec = TableSpec(
            "labelled",
            "Labelled texts",
            (
                Field("text", required=True),
                Field("label", "number" if columns.graded else "text", required=not columns.graded),
            ),
        )
        mapping = Mapping(
            "labelled", {"text": columns.text, "label": columns.label}, missing=MISSING
        )
        log = ProblemLog()
        rows = [row for _, row in reading.records(source, mapping, spec, log)]
        log.raise_if_any()
    if columns.graded:
        graded = [(text, float(grade)) for text, grade in rows if grade is not None]
        texts, grades = [text for text, _ in graded], [grade for _, grade in graded]
        return LabelledTexts.graded(texts, grades, columns.graded), len(rows) - len(graded)
    named = [(text, str(label).strip()) for text, label in rows]
    said = [pair for pair in named if pair[1] not in MISSING]
    found = LabelledTexts.of([text for text, _ in said], [label for _, label in said])
    return found, len(rows) - len(said)


def _one_file(reading: ConfinedReading, path: Path, workdir: Path) -> SourceFile:
    files = reading.discover(path, workdir, layout="tables").files
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
    names = reading.preview(source, 1).columns
    for name in (columns.text, columns.label):
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
