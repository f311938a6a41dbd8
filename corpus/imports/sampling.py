"""Drawing a part of a study's segments, the same for every system."""

import random

from corpus.imports.batch import Batch
from corpus.imports.leaving_out import leave_out, staged_segments


def draw_segments(batch: Batch) -> None:
    """Keep `sample` staged segments of each direction; the others leave, and their texts.

    The draw depends on the seed and the order of segments in their file only. Rows of later
    tables that refer to a segment left out are passed over.

    Raises
    ------
    OptionsError
        If the import has no segments to draw from.
    """
    size = batch.options.sample
    if size is None:
        return
    segments = staged_segments(batch, "sample")
    generator = random.Random(batch.options.sample_seed)  # noqa: S311  (a sample, not a secret)
    left: set[str] = set()
    for members in segments.directions.values():
        left |= set(members) - set(generator.sample(members, min(size, len(members))))
    leave_out(batch, segments, left)
