"""Staged segments, and how some of them leave an import with their texts."""

from typing import NamedTuple

from corpus.imports.batch import Batch
from corpus.imports.options import OptionsError
from corpus.imports.statements import query


class StagedSegments(NamedTuple):
    """The segments of an import, in the order of their file.

    Attributes
    ----------
    ids
        Key to the id of the staged row.
    directions
        Source and target style to the keys.
    """

    ids: dict[str, int]
    directions: dict[tuple[str, str], list[str]]


def staged_segments(batch: Batch, purpose: str) -> StagedSegments:
    """Read the staged segments that no step before left out.

    Raises
    ------
    OptionsError
        If there are none; the message begins with the purpose.
    """
    found = StagedSegments({}, {})
    rows = query(
        """SELECT id, key, source_style, target_style FROM corpus_stagedsegment
           WHERE job_id = %(job)s ORDER BY id""",
        {"job": batch.job.pk},
    )
    for row, key, source_style, target_style in rows:
        found.ids[key] = row
        found.directions.setdefault((source_style, target_style), []).append(key)
    if not found.ids:
        raise OptionsError(f"{purpose}: this import has no table of segments to draw from")
    return found


def leave_out(batch: Batch, segments: StagedSegments, keys: set[str]) -> None:
    """Remove staged segments with their texts; later rows that refer to them are passed over."""
    batch.sampled_out |= keys
    batch.segment_keys.difference_update(keys)
    batch.delete("corpus_stagedsegment", [segments.ids[key] for key in keys])
    texts = query(
        "SELECT id, segment_key FROM corpus_stagedtext WHERE job_id = %(job)s",
        {"job": batch.job.pk},
    )
    batch.delete("corpus_stagedtext", [row for row, key in texts if key in keys])
