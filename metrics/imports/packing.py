"""From staged numbers to packed blocks, before the publish."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import BYTES_PER_TRANSACTION, Batch
from corpus.tables.register import Counts
from metrics.imports.staged_numbers import Numbers, staged_numbers
from metrics.imports.staged_runs import STATISTIC, RunKey, staged_runs, statistic_fields
from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, Undefined
from metrics.runs.packed_scores import pack, unpack

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
