"""Drawing a part of a study's segments, the same for every system."""

import random

from corpus.imports.batch import Batch, execute, query


def draw_segments(batch: Batch) -> None:
    """Keep `sample` staged segments of each direction; the others leave, and their texts.

    The draw depends on the seed and the order of segments in their file only. Rows of later
    tables that speak of a segment left out are passed over.
    """
    if batch.options.sample is None:
        return
    directions: dict[tuple[str, str], list[str]] = {}
    rows = query(
        """SELECT key, source_style, target_style FROM corpus_stagedsegment
           WHERE job_id = %(job)s ORDER BY id""",
        {"job": batch.job.pk},
    )
    for key, source_style, target_style in rows:
        directions.setdefault((source_style, target_style), []).append(key)
    generator = random.Random(batch.options.sample_seed)  # noqa: S311  (a sample, not a secret)
    for members in directions.values():
        kept = set(generator.sample(members, min(batch.options.sample, len(members))))
        batch.sampled_out |= set(members) - kept
    batch.segment_keys.difference_update(batch.sampled_out)
    for key in batch.sampled_out:
        parameters = {"job": batch.job.pk, "key": key}
        execute(
            "DELETE FROM corpus_stagedsegment WHERE job_id = %(job)s AND key = %(key)s", parameters
        )
    execute(
        """DELETE FROM corpus_stagedtext WHERE job_id = %(job)s AND NOT EXISTS
               (SELECT 1 FROM corpus_stagedsegment s
                WHERE s.job_id = %(job)s AND s.key = corpus_stagedtext.segment_key)""",
        {"job": batch.job.pk},
    )
