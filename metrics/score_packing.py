"""From staged numbers to packed blocks, before the publish."""

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.imports.batch import Batch
from corpus.imports.statements import query
from corpus.tables import Counts
from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, StagedBlock
from metrics.score_runs import STATISTIC, RunKey, staged_runs, statistic_fields
from metrics.scores import pack, unpack

_NUMBER = np.dtype([("ordinal", "i4"), ("field", "i2"), ("value", "f8")])
Numbers = NDArray[Any]


def pack_blocks(batch: Batch, *, is_distribution: bool) -> None:
    """Merge staged numbers with the stored blocks they touch, into staged blocks."""
    runs = staged_runs(batch)
    added = total = 0
    for place in runs.of(is_distribution=is_distribution):
        key = runs.keys[place]
        fields = _fields_of_run(batch, key, runs.fields[place])
        columns = np.array([fields.index(name) for name in runs.fields[place]])
        numbers = _numbers(batch, place)
        for block in np.unique(numbers["ordinal"] // BLOCK_SIZE):
            inside = numbers[numbers["ordinal"] // BLOCK_SIZE == block]
            added += _merge(batch, key, int(block), fields, columns, inside)
        total += len(np.unique(numbers["ordinal"]))
        batch.progress.report(f"packing {key.metric}", done=total)
    batch.memory["scores", is_distribution] = Counts(added=added, unchanged=total - added)


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
) -> int:
    """Stage one block if it changes; return for how many outputs it has something new."""
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
    is_new = np.isnan(block[cells]) & ~np.isnan(inside["value"])
    fresh = len(np.unique(rows[is_new]))
    block[cells] = inside["value"]
    if fresh or stored is None:
        with batch.writing():
            StagedBlock.objects.create(
                job=batch.job,
                signature=key.signature,
                number=number,
                values=pack(block[:, :width]),
                statistics=pack(block[:, width:]) if width < len(fields) else None,
            )
    return fresh


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
