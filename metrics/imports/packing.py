"""From staged numbers to packed blocks, before the publish."""

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import Batch
from corpus.imports.statements import query
from corpus.tables import Counts
from metrics.imports.staged_runs import STATISTIC, RunKey, staged_runs, statistic_fields
from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, StagedBlock, Undefined
from metrics.runs.packed_scores import pack, unpack

_NUMBER = np.dtype([("ordinal", "i4"), ("field", "i2"), ("value", "f8")])
Numbers = NDArray[Any]


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
        numbers = _numbers(batch, place)
        is_new = _missing_anew(batch, key, fields, columns, numbers)
        for block in np.unique(numbers["ordinal"] // BLOCK_SIZE):
            inside = numbers["ordinal"] // BLOCK_SIZE == block
            is_new[inside] |= _merge(batch, key, int(block), fields, columns, numbers[inside])
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


def _numbers(batch: Batch, run: int) -> Numbers:
    """Read a run's staged numbers to the end before anything is written.

    An open cursor would hold a snapshot that another connection's write makes stale.
    """
    rows = query(
        """SELECT ordinal, field, value FROM metrics_stagedscore
           WHERE job_id = %(job)s AND run = %(run)s""",
        {"job": batch.job.pk, "run": run},
    )
    chunks = []
    while chunk := list(islice(rows, 50_000)):
        filled = [(o, f, np.nan if value is None else value) for o, f, value in chunk]
        chunks.append(np.array(filled, dtype=_NUMBER))
    return np.concatenate(chunks) if chunks else np.empty(0, dtype=_NUMBER)


def _merge(
    batch: Batch,
    key: RunKey,
    number: int,
    fields: list[str],
    columns: NDArray[np.int64],
    inside: Numbers,
) -> NDArray[np.bool_]:
    """Stage one block if it changes; return which numbers it did not have."""
    stored = ScoreBlock.objects.filter(
        run__study=batch.study, run__signature=key.signature, number=number
    ).first()
    # Sufficient statistics come behind the numbers of a run.
    width = sum(not name.startswith(STATISTIC) for name in fields)
    known = _stored_numbers(stored, width, len(fields))
    rows = inside["ordinal"] % BLOCK_SIZE
    length = max(len(known), 1 + int(rows.max()))
    block = np.full((length, len(fields)), np.nan)
    block[: len(known)] = known
    cells = (rows, columns[inside["field"]])
    is_new: NDArray[np.bool_] = np.isnan(block[cells]) & ~np.isnan(inside["value"])
    block[cells] = inside["value"]
    if is_new.any() or stored is None:
        with batch.writing():
            StagedBlock.objects.create(
                job=batch.job,
                signature=key.signature,
                number=number,
                values=pack(block[:, :width]),
                statistics=pack(block[:, width:]) if width < len(fields) else None,
            )
    return is_new


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
    return [*run.fields, *statistic_fields(run.statistics)] if run else staged
