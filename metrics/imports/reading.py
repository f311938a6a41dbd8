"""From the records of a table to staged numbers of outputs by their ordinals."""

from collections.abc import Iterator
from typing import Any

from corpus.handlers.keys import counted
from corpus.imports.batch import Batch
from corpus.imports.places import LEFT_OUT
from corpus.imports.row_problem import RowProblem
from metrics.imports.staged_runs import (
    RunKey,
    StagedRuns,
    described_runs,
    metric_aspect,
    staged_runs,
)

SUM_TOLERANCE = 0.02
STAGED_COLUMNS = ("file", "line", "run", "field", "ordinal", "value", "reason")


def score_rows(batch: Batch, file: int, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield staging rows of metric scores; rows of unknown outputs become problems."""
    find, runs = batch.places.find, staged_runs(batch)
    known: dict[tuple[Any, ...], tuple[int, int] | None] = {}
    for line, (segment, system, metric, score, *named, variant, run, field, reason) in records:
        number = counted(batch, file, line, "variant", variant)
        ordinal = find(segment, system, number)
        if ordinal < 0:
            if number:
                _not_found(batch, file, line, segment, system, ordinal)
            continue
        if (key := (metric, *named, run, field)) not in known:
            known[key] = (
                _computed_place(batch, file, line, run, field)
                if run
                else _imported_place(batch, runs, metric, *named)
            )
        if place := known[key]:
            yield file, line, *place, ordinal, score, reason or ""


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


def probability_rows(batch: Batch, file: int, records: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield a staging row for each probability; what is no distribution becomes a problem."""
    find, runs = batch.places.find, staged_runs(batch)
    for line, (segment, system, classifier, probabilities, variant) in records:
        number = counted(batch, file, line, "variant", variant)
        ordinal = find(segment, system, number)
        if ordinal < 0:
            if number:
                _not_found(batch, file, line, segment, system, ordinal)
            continue
        run = runs.place(RunKey(classifier, "", "", "", is_distribution=True))
        if not _is_distribution(probabilities):
            _not_a_distribution(batch, file, line, probabilities)
            continue
        for style, probability in probabilities.items():
            yield file, line, run, runs.field_place(run, style), ordinal, probability, ""


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


def _not_found(batch: Batch, file: int, line: int, segment: str, system: str, ordinal: int) -> None:
    if ordinal != LEFT_OUT:
        batch.problem(batch.places.why_unknown(file, line, segment, system))
