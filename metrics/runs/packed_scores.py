"""Score arrays in and out of their packed blocks, and which blocks of a run are stored."""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

import numpy as np
from django.db.models.functions import Length
from numpy.typing import NDArray

from metrics.models import BLOCK_SIZE, MetricRun, ScoreBlock, Undefined


def pack(values: NDArray[np.float64]) -> bytes:
    """Return a block's bytes: little-endian float64, outputs × fields."""
    return np.ascontiguousarray(values, dtype="<f8").tobytes()


def unpack(block: bytes | memoryview, fields: int) -> NDArray[np.float64]:
    """Return a block as an array of outputs × fields that may be written to."""
    return np.frombuffer(block, dtype="<f8").reshape(-1, fields).copy()


def load_statistics(run: int, *, outputs: int, names: int) -> NDArray[np.float64]:
    """Return the sufficient statistics of a run, outputs × names, NaN where none is stored."""
    return _loaded(run, "statistics", outputs, names)


def load_scores(run: int, *, outputs: int, fields: int) -> NDArray[np.float64]:
    """Return all scores of a run, outputs × fields in corpus order, NaN where none is stored."""
    return _loaded(run, "values", outputs, fields)


def _loaded(run: int, column: str, outputs: int, width: int) -> NDArray[np.float64]:
    found = np.full((outputs, width), np.nan)
    blocks = ScoreBlock.objects.filter(run_id=run).exclude(**{column: None}).order_by("number")
    for number, packed in blocks.values_list("number", column):
        block = unpack(packed or b"", width)
        start = number * BLOCK_SIZE
        found[start : start + len(block)] = block[: max(0, outputs - start)]
    return found


LONGEST_REASON = 500
FLOAT_BYTES = 8


class Gap(NamedTuple):
    """Ordinals of one block that a run has no scores for."""

    block: int
    start: int
    stop: int

    @property
    def size(self) -> int:
        """How many they are."""
        return self.stop - self.start


def gaps(run: MetricRun, outputs: int) -> Iterator[Gap]:
    """Yield what a run lacks of a study's outputs, block by block.

    Texts that were imported after a run only lengthen its last block and add further ones. A run
    without numbers of outputs lacks nothing.
    """
    if not run.fields:
        return
    width = FLOAT_BYTES * len(run.fields)
    stored = dict(run.blocks.annotate(bytes=Length("values")).values_list("number", "bytes"))
    for number in range(-(-outputs // BLOCK_SIZE)):
        start = number * BLOCK_SIZE + stored.get(number, 0) // width
        stop = min(outputs, (number + 1) * BLOCK_SIZE)
        if start < stop:
            yield Gap(number, start, stop)


def store_block(
    run: MetricRun,
    gap: Gap,
    values: NDArray[np.float64],
    statistics: NDArray[np.float64],
    undefined: Mapping[int, str],
) -> None:
    """Store the scores of a gap with the reason for each that is missing.

    To be called in a transaction: a block is stored whole or not at all. What another worker
    stored meanwhile stays.

    Parameters
    ----------
    values, statistics : ndarray, shape (outputs of the gap, numbers)
    undefined
        Primary key of every output with a missing number to the reason, in the order of outputs.
    """
    # Held, so that of two workers one finds what the other has stored.
    MetricRun.objects.select_for_update(no_key=True).get(pk=run.pk)
    stored = ScoreBlock.objects.filter(run=run, number=gap.block).first()
    before = unpack(stored.values if stored else b"", values.shape[1])
    if len(before) > gap.start - gap.block * BLOCK_SIZE:
        return
    missing = np.isnan(values)
    rows = np.flatnonzero(missing.any(axis=1))
    reasons = [
        Undefined(run=run, output_id=output, field=name, reason=reason[:LONGEST_REASON])
        for row, (output, reason) in zip(rows, undefined.items(), strict=True)
        for name, lacks in zip(run.fields, missing[row], strict=True)
        if lacks
    ]
    if stored is not None:
        # Scores that came in a bundle have no statistics.
        kept = np.full((len(before), statistics.shape[1]), np.nan)
        if stored.statistics is not None:
            kept = unpack(stored.statistics, statistics.shape[1])
        values, statistics = np.vstack([before, values]), np.vstack([kept, statistics])
    packed = pack(statistics) if statistics.shape[1] else None
    ScoreBlock.objects.update_or_create(
        run=run, number=gap.block, defaults={"values": pack(values), "statistics": packed}
    )
    Undefined.objects.bulk_create(reasons)


def content_sha256(run: MetricRun) -> str:
    """Return the hash of a run's blocks in their order."""
    digest = sha256()
    for block in run.blocks.order_by("number").values_list("values", flat=True).iterator(16):
        digest.update(block)
    return digest.hexdigest()
