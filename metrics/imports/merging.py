"""Staged scores against stored ones: what differs is a problem, what is new goes into blocks."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import BYTES_PER_TRANSACTION, PROBLEMS_KEPT, Batch
from corpus.imports.checks import repeated
from corpus.imports.row_problem import RowProblem
from corpus.models import Output
from corpus.tables.register import Counts
from corpus.tabular.shaping.fields import TableSpec
from metrics.catalogue import declared_metric
from metrics.imports.staging import (
    STATISTIC,
    Numbers,
    RunKey,
    staged_numbers,
    staged_runs,
    statistic_fields,
)
from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, Undefined
from metrics.runs.packed_scores import load_scores, load_statistics, pack, unpack


def score_problems(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Find duplicates, and what differs from stored scores."""
    yield from _repeated_scores(batch, spec)
    yield from _changed_scores(batch)


def _repeated_scores(batch: Batch, spec: TableSpec) -> Iterator[RowProblem]:
    """Yield the first numbers that repeat an earlier one of their output; count the others."""
    total = 0
    found: list[tuple[tuple[int, int], tuple[int, int], int, int]] = []
    for place in range(len(staged_runs(batch).keys)):
        numbers = staged_numbers(batch).of(place)
        cells = numbers["ordinal"].astype(np.int64) << 16 | numbers["field"]
        order = np.argsort(cells, kind="stable")
        is_first = np.diff(cells[order], prepend=-1) != 0
        begin = np.maximum.accumulate(np.where(is_first, np.arange(len(order)), 0))
        again = np.flatnonzero(~is_first)
        total += len(again)
        for row in again[np.argsort(order[again])][:PROBLEMS_KEPT]:
            repeat, first = numbers[order[row]], numbers[order[begin[row]]]
            found.append((_at(repeat), _at(first), place, int(repeat["ordinal"])))
    found = sorted(found)[:PROBLEMS_KEPT]
    batch.problem_counts["duplicate"] += total - len(found)
    for where, first_where, place, ordinal in found:
        what = f"{staged_runs(batch).keys[place].signature} of {batch.places.describe(ordinal)}"
        yield repeated(batch, spec, "segment", what, where, first_where)


def _at(number: np.void) -> tuple[int, int]:
    return int(number["file"]), int(number["line"])


def _changed_scores(batch: Batch) -> Iterator[RowProblem]:
    """Find staged numbers that differ from stored ones, and distributions over other styles."""
    stored = {run.signature: run for run in batch.study.runs.select_related("metric")}
    runs = staged_runs(batch)
    outputs = Output.objects.filter(study=batch.study).count() if stored else 0
    for place, key in enumerate(runs.keys):
        run = stored.get(key.signature)
        if run is None or not run.fields:
            continue
        fields = [*run.fields, *statistic_fields(run.statistics)]
        staged = staged_numbers(batch).of(place)
        for name in runs.fields[place]:
            if name not in fields:
                yield _other_styles(staged, runs.field_place(place, name), run, name)
        columns = np.array([fields.index(n) if n in fields else -1 for n in runs.fields[place]])
        if (columns < 0).any():
            continue
        scores = np.hstack(
            [
                load_scores(run.pk, outputs=outputs, fields=len(run.fields)),
                load_statistics(run.pk, outputs=outputs, names=len(run.statistics)),
            ]
        )
        staged = staged[staged["ordinal"] < outputs]
        known = scores[staged["ordinal"], columns[staged["field"]]]
        differs = np.flatnonzero(~np.isnan(known) & (known != staged["value"]))
        batch.problem_counts["differs"] += max(len(differs) - PROBLEMS_KEPT, 0)
        for row in differs[:PROBLEMS_KEPT]:
            value = float(staged[row]["value"])
            yield RowProblem(
                *_at(staged[row]),
                "score",
                "no score" if np.isnan(value) else repr(value).removesuffix(".0"),
                f"{repr(float(known[row])).removesuffix('.0')}, as stored",
                f"{key.signature} is stored already with another value for this output; "
                "stored scores do not change: import under another metric name",
                "differs",
                {"metric": key.metric},
            )


def _other_styles(staged: Numbers, field: int, run: MetricRun, name: str) -> RowProblem:
    """Say where a style first stands that the stored distributions do not have."""
    first = staged[np.argmax(staged["field"] == field)]
    expected = f"{', '.join(run.fields)}, as stored"
    message = f"{run.metric.name} is stored with other styles; import under another name"
    labels = {"probabilities": name}
    return RowProblem(*_at(first), "probabilities", name, expected, message, "differs", labels)


def declaration_problems(batch: Batch) -> Iterator[RowProblem]:
    """Find facts of metrics in `study.json` that make no sense."""
    for name, declaration in batch.declarations.get("metrics", {}).items():
        try:
            declared_metric(declaration, name)
        except ValueError as error:
            yield RowProblem(-1, 1, "metrics", name, "a metric's facts", str(error), "declaration")


_BLOCK_COLUMNS = ("signature", "number", '"values"', "statistics")


def pack_blocks(batch: Batch, *, is_distribution: bool) -> None:
    """Merge staged numbers with the stored blocks they touch, into staged blocks.

    What is counted are the rows of the tables: a score each, or a whole distribution. A row that
    says why a score is missing is new unless that is stored already.
    """
    runs = staged_runs(batch)
    added = total = 0
    for place in runs.of(is_distribution=is_distribution):
        key = runs.keys[place]
        fields = _fields_of_run(batch, key, runs.fields[place])
        columns = np.array([fields.index(name) for name in runs.fields[place]])
        numbers = staged_numbers(batch).of(place)
        is_new = _missing_anew(batch, key, fields, columns, numbers)
        is_new |= _merge(batch, key, fields, columns, numbers)
        added += len(np.unique(numbers["ordinal"][is_new])) if is_distribution else is_new.sum()
        total += len(np.unique(numbers["ordinal"])) if is_distribution else len(numbers)
        batch.progress.report(f"packing {key.metric}", done=total)
    batch.memory["scores", is_distribution] = Counts(added=int(added), unchanged=int(total - added))


def _missing_anew(
    batch: Batch, key: RunKey, fields: list[str], columns: NDArray[np.int64], numbers: Numbers
) -> NDArray[np.bool_]:
    """Tell which staged numbers are missing without being stored as missing."""
    is_missing: NDArray[np.bool_] = np.isnan(numbers["value"])
    if not is_missing.any():
        return is_missing
    stored = Undefined.objects.filter(run__study=batch.study, run__signature=key.signature)
    known = [
        ordinal * len(fields) + fields.index(name)
        for ordinal, name in stored.values_list("output__ordinal", "field")
    ]
    cells = numbers["ordinal"].astype(np.int64) * len(fields) + columns[numbers["field"]]
    is_new: NDArray[np.bool_] = is_missing & ~np.isin(cells, known)
    return is_new


def _merge(
    batch: Batch, key: RunKey, fields: list[str], columns: NDArray[np.int64], numbers: Numbers
) -> NDArray[np.bool_]:
    """Stage the blocks of a run that change; return which numbers they did not have."""
    stored = ScoreBlock.objects.filter(run__study=batch.study, run__signature=key.signature)
    known = set(stored.values_list("number", flat=True))
    # Sufficient statistics come behind the numbers of a run.
    width = sum(not name.startswith(STATISTIC) for name in fields)
    is_new = np.zeros(len(numbers), dtype=bool)
    order = np.argsort(numbers["ordinal"], kind="stable")
    names, starts = np.unique(numbers["ordinal"][order] // BLOCK_SIZE, return_index=True)
    changed: list[tuple[Any, ...]] = []
    for number, rows in zip(names.tolist(), np.split(order, starts[1:]), strict=True):
        before = stored.get(number=number) if number in known else None
        inside = numbers[rows]
        cells = (inside["ordinal"] % BLOCK_SIZE, columns[inside["field"]])
        block = _lengthened(_stored_numbers(before, width, len(fields)), 1 + int(cells[0].max()))
        is_new[rows] = np.isnan(block[cells]) & ~np.isnan(inside["value"])
        block[cells] = inside["value"]
        if is_new[rows].any() or before is None:
            statistics = pack(block[:, width:]) if width < len(fields) else None
            changed.append((key.signature, number, pack(block[:, :width]), statistics))
        if len(changed) * BLOCK_SIZE * len(fields) * 8 > BYTES_PER_TRANSACTION:
            batch.write("metrics_stagedblock", _BLOCK_COLUMNS, changed)
            changed = []
    if changed:
        batch.write("metrics_stagedblock", _BLOCK_COLUMNS, changed)
    return is_new


def _lengthened(block: NDArray[np.float64], length: int) -> NDArray[np.float64]:
    """Return a block of at least so many rows, the further ones missing."""
    further = np.full((max(length - len(block), 0), block.shape[1]), np.nan)
    return np.concatenate([block, further])


def _stored_numbers(stored: ScoreBlock | None, width: int, columns: int) -> NDArray[np.float64]:
    """Return a stored block with its statistics beside; those that it lacks are NaN."""
    if stored is None:
        return np.empty((0, columns))
    values = unpack(stored.values, width)
    statistics = np.full((len(values), columns - width), np.nan)
    if stored.statistics is not None and columns > width:
        statistics = unpack(stored.statistics, columns - width)
    return np.hstack([values, statistics])


def _fields_of_run(batch: Batch, key: RunKey, staged: list[str]) -> list[str]:
    run = MetricRun.objects.filter(study=batch.study, signature=key.signature).first()
    return [*run.fields, *statistic_fields(run.statistics)] if run and run.fields else staged
