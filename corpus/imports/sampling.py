"""Drawing a part of a study's segments, the same for every system."""

import random

from corpus.imports.batch import Batch
from corpus.imports.options import OptionsError
from corpus.imports.statements import query


def draw_segments(batch: Batch) -> None:
    """Keep `sample` staged segments of each direction; the others leave, and their texts.

    The draw depends on the seed and the order of segments in their file only. Rows of later
    tables that refer to a segment left out are passed over.

    Raises
    ------
    OptionsError
        If the import has no segments to draw from.
    """
    if batch.options.sample is None:
        return
    directions: dict[tuple[str, str], list[str]] = {}
    ids: dict[str, int] = {}
    rows = query(
        """SELECT id, key, source_style, target_style FROM corpus_stagedsegment
           WHERE job_id = %(job)s ORDER BY id""",
        {"job": batch.job.pk},
    )
    for row, key, source_style, target_style in rows:
        ids[key] = row
        directions.setdefault((source_style, target_style), []).append(key)
    if not ids:
        raise OptionsError("sample: this import has no table of segments to draw from")
    generator = random.Random(batch.options.sample_seed)  # noqa: S311  (a sample, not a secret)
    for members in directions.values():
        kept = set(generator.sample(members, min(batch.options.sample, len(members))))
        batch.sampled_out |= set(members) - kept
    batch.segment_keys.difference_update(batch.sampled_out)
    batch.delete("corpus_stagedsegment", [ids[key] for key in batch.sampled_out])
    texts = query(
        "SELECT id, segment_key FROM corpus_stagedtext WHERE job_id = %(job)s",
        {"job": batch.job.pk},
    )
    batch.delete("corpus_stagedtext", [row for row, key in texts if key in batch.sampled_out])
