"""From the records of a table to staged numbers of outputs by their ordinals."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import Batch
from corpus.imports.places import UNKNOWN
from corpus.imports.row_problem import RowProblem
from corpus.tabular.shaping.blocks import LEFT_OUT, Block
from corpus.tabular.shaping.fields import TableSpec
from metrics.imports.staging import (
    RunKey,
    StagedRuns,
    described_runs,
    metric_aspect,
    numbered,
    staged_numbers,
    staged_runs,
)

SUM_TOLERANCE = 0.02
MOST_NAMED = 5
SKIP_UNKNOWN = (
    "Import the outputs too, or leave such scores out (--skip-unknown-scores; skip_unknown_scores "
    "on the page and by the API)"
)
STAGED_COLUMNS = ("file", "line", "run", "field", "ordinal", "value", "reason")


class ScoreReader:
    """Puts the scores of one file aside, by the ordinals of their outputs."""

    def __init__(self, batch: Batch, file: int, spec: TableSpec) -> None:
        self.batch = batch
        self.file = file
        self._index = {name: number for number, name in enumerate(spec.names)}
        self._known: dict[tuple[Any, ...], tuple[int, int]] = {}

    def read(self, block: Block) -> list[tuple[Any, ...]]:
        """Keep the numbers of a block; return the staging rows of those that are missing.

        Rows of unknown outputs become problems.
        """
        lines = np.array(block.lines)
        ordinals = _ordinals(self.batch, self.file, block, self._index)
        values, is_given = _numbers(block.cells or [[v] for v in self._column(block, "score")])
        is_given &= (ordinals >= 0)[:, None]
        row, label = np.nonzero(is_given)
        places = self._places_of(block, row, label)
        is_known = places[:, 0] >= 0
        row, places, values = row[is_known], places[is_known], values[is_given][is_known]
        numbers = numbered(self.file, lines[row], places[:, 1], ordinals[row], values)
        staged_numbers(self.batch).add(places[:, 0], numbers)
        reasons = self._column(block, "missing_because")
        return [
            (self.file, block.lines[row[n]], *places[n].tolist(), int(ordinals[row[n]]), None,
             reasons[row[n]] or "")
            for n in np.flatnonzero(np.isnan(values))
        ]  # fmt: skip

    def _column(self, block: Block, name: str) -> list[Any]:
        return block.columns[self._index[name]]

    def _places_of(
        self, block: Block, row: NDArray[np.intp], label: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Return run and field of some cells of a block, in the order in which they come."""
        named = zip(*(self._column(block, name) for name in _NAMING), strict=True)
        if not block.labels:
            named = zip(self._column(block, "metric"), *zip(*named, strict=True), strict=True)
        keys: dict[tuple[Any, ...], int] = {}
        codes = np.array([keys.setdefault(key, len(keys)) for key in named])
        width = max(len(block.labels), 1)
        kinds, first, of_kind = np.unique(
            codes[row] * width + label, return_index=True, return_inverse=True
        )
        named_by = list(keys)
        places = np.empty((len(kinds), 2), dtype=np.intp)
        for kind in np.argsort(first):
            code, column = divmod(int(kinds[kind]), width)
            key = named_by[code]
            key = (block.labels[column], *key) if block.labels else key
            places[kind] = self._place(key, block.lines[row[first[kind]]])
        return places[of_kind]

    def _place(self, key: tuple[Any, ...], line: int) -> tuple[int, int]:
        """Return the place of a run and of one of its numbers; below zero if there is none."""
        if key not in self._known:
            *named, run, field = key
            found = (
                _computed_place(self.batch, self.file, line, run, field)
                if run
                else _imported_place(self.batch, staged_runs(self.batch), *named)
            )
            self._known[key] = found or (-1, -1)
        return self._known[key]


_NAMING = ("aspect", "compared_to", "text_setting", "metric_run", "metric_field")
"""With the metric, what names a run and one of its numbers."""


def _ordinals(batch: Batch, file: int, block: Block, index: Mapping[str, int]) -> NDArray[np.int32]:
    """Return the ordinals of a block's outputs, below zero where there is none.

    Each row of an unknown output is a problem, unless such rows are to be left out.
    """
    segments, systems = block.columns[index["segment"]], block.columns[index["system"]]
    variants = [variant or 1 for variant in block.columns[index["variant"]]]
    make = batch.options.without_texts
    ordinals = batch.places.find_all(segments, systems, variants, make=make)
    for row in np.flatnonzero(ordinals == UNKNOWN):
        line, segment, system = block.lines[row], segments[row], systems[row]
        if batch.options.skip_unknown_scores:
            skipped_rows(batch).add(f"{system} for {segment}")
        else:
            problem = batch.places.why_unknown(file, line, segment, system)
            batch.problem(replace(problem, message=f"{problem.message}. {SKIP_UNKNOWN}"))
    return ordinals


@dataclass
class SkippedRows:
    """Rows of scores that an import leaves out because the study lacks what they score."""

    count: int = 0
    first: dict[str, None] = field(default_factory=dict)

    def add(self, name: str) -> None:
        """Count a row, and keep the first names."""
        self.count += 1
        if len(self.first) <= MOST_NAMED:
            self.first[name] = None

    def note(self, batch: Batch) -> None:
        """Say how many rows were left out, and which first."""
        if self.count:
            named = ", ".join(list(self.first)[:MOST_NAMED])
            more = " and others" if len(self.first) > MOST_NAMED else ""
            rows = f"{self.count:,} row{'' if self.count == 1 else 's'} of metric scores"
            why = "because the study has no such output"
            batch.note(f"Left out, {why}: {rows}, for {named}{more}.")


def skipped_rows(batch: Batch) -> SkippedRows:
    """Return the rows that this import leaves out, as far as it has read."""
    found: SkippedRows = batch.memory.setdefault("skipped scores", SkippedRows())
    return found


def _numbers(cells: list[list[Any]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return cells as numbers, missing ones as NaN, and which of them are there."""
    try:
        values = np.array(cells, dtype=np.float64)
        return values, np.ones(values.shape, dtype=bool)
    except ValueError:  # Some are left out.
        is_given = np.array([[cell != LEFT_OUT for cell in row] for row in cells])
        filled = [[None if cell == LEFT_OUT else cell for cell in row] for row in cells]
        return np.array(filled, dtype=np.float64), is_given


def _imported_place(
    batch: Batch,
    runs: StagedRuns,
    metric: str,
    aspect: str | None,
    compared_to: str | None,
    setting: str | None,
) -> tuple[int, int]:
    about = aspect or metric_aspect(batch, metric)
    key = RunKey(metric, about, compared_to or "", setting or "", is_distribution=False)
    place = runs.place(key)
    return place, runs.field_place(place, "score")


def _computed_place(
    batch: Batch, file: int, line: int, run: str, field: str | None
) -> tuple[int, int] | None:
    """Return the place of a run that was computed elsewhere, and of one of its numbers."""
    described = described_runs(batch).get(run)
    if described is None:
        message = "Give the table of metric runs (metric_runs.csv) too, or leave the column out."
        problem = RowProblem(
            file, line, "metric_run", run, "a described run", message, "unknown-run"
        )
        batch.problem(problem)
        return None
    runs = staged_runs(batch)
    place = runs.place(described.key)
    for name in described.columns:
        runs.field_place(place, name)
    wanted = field or "score"
    if wanted not in described.columns:
        expected = f"one of {', '.join(described.columns)}"
        message = "The run is described with other numbers."
        batch.problem(
            RowProblem(file, line, "metric_field", wanted, expected, message, "unknown-run")
        )
        return None
    return place, runs.field_place(place, wanted)


def read_probabilities(
    batch: Batch, file: int, block: Block, spec: TableSpec
) -> list[tuple[Any, ...]]:
    """Keep the probabilities of a block; return the staging rows of those that are missing.

    What is no distribution becomes a problem.
    """
    runs = staged_runs(batch)
    index = {name: number for number, name in enumerate(spec.names)}
    ordinals = _ordinals(batch, file, block, index).tolist()
    classifiers, given = (block.columns[index[name]] for name in ("classifier", "probabilities"))
    rows = []
    for line, ordinal, classifier, probabilities in zip(
        block.lines, ordinals, classifiers, given, strict=True
    ):
        if ordinal < 0:
            continue
        run = runs.place(RunKey(classifier, "", "", "", is_distribution=True))
        if not _is_distribution(probabilities):
            _not_a_distribution(batch, file, line, probabilities)
            continue
        for style, probability in probabilities.items():
            rows.append((line, run, runs.field_place(run, style), ordinal, probability))
    if not rows:
        return []
    lines, places, fields, found, values = zip(*rows, strict=True)
    numbers = numbered(file, lines, fields, found, values)
    staged_numbers(batch).add(np.array(places), numbers)
    return [(file, *row, "") for row in rows if row[-1] is None]


def _is_distribution(probabilities: dict[str, float | None]) -> bool:
    values = [value for value in probabilities.values() if value is not None]
    if len(values) < len(probabilities):
        return not values
    return min(values) >= 0 and abs(sum(values) - 1) <= SUM_TOLERANCE


def _not_a_distribution(
    batch: Batch, file: int, line: int, probabilities: dict[str, float | None]
) -> None:
    found = ", ".join(f"{style} {value}" for style, value in probabilities.items())
    expected = f"probabilities of 0 or more that sum to 1 (± {SUM_TOLERANCE:g})"
    message = (
        "These are no probabilities of all styles. Choose the columns of all styles of the "
        "classifier; numbers that are no probabilities are metric scores, spread over columns."
    )
    batch.problem(RowProblem(file, line, "probabilities", found, expected, message, "range"))
