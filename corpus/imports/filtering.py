"""Leaving segments out: by the length of their source, by changed words, or by chance."""

import random
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from corpus.imports.batch import Batch
from corpus.imports.options import OptionsError
from corpus.imports.statements import query
from corpus.models.text import REFERENCE_SYSTEM, SOURCE_SYSTEM
from corpus.texts.sequences import longest_common_subsequence

_TEXTS = {
    "reference": f"system_name = '{REFERENCE_SYSTEM}'",
    "output": f"system_name NOT IN ('{SOURCE_SYSTEM}', '{REFERENCE_SYSTEM}')",
}


def filter_segments(batch: Batch) -> None:
    """Keep the staged segments that meet the bounds of the import; the others leave.

    Percentiles are those of all staged sources of a direction (source style → target style), and
    both bounds are kept. A segment without a text to compare its source with stays, and a note
    says how many there are.

    Raises
    ------
    OptionsError
        If the import has no segments, or nothing that their sources could be compared with.
    """
    options = batch.options
    if not (options.filters_length or options.filters_changes):
        return
    name = "length percentiles" if options.filters_length else "changed words"
    segments = staged_segments(batch, name)
    sources = {key: text.split() for key, text in _texts(batch, f"system_name = '{SOURCE_SYSTEM}'")}
    reasons = []
    out: set[str] = set()
    if options.filters_length:
        for keys in segments.directions.values():
            out |= _outside(batch, {key: len(sources[key]) for key in keys if key in sources})
        reasons.append(f"{len(out):,} by length")
    if options.filters_changes:
        changed = _changed_more(batch, sources)
        reasons.append(f"{len(changed - out):,} by changed words")
        out |= changed
    leave_out(batch, segments, out)
    batch.note(
        f"{len(out):,} of {len(segments.ids):,} segments were left out: {' and '.join(reasons)}."
    )


def changed_words(source: list[str], other: list[str]) -> tuple[int, float]:
    """Return how many words were removed or added, and as a share of the words of both texts.

    Words that stay are those of a longest common subsequence.

    Examples
    --------
    >>> changed_words("the food was cold".split(), "the food is cold".split())
    (2, 0.25)
    """
    total = len(source) + len(other)
    changed = total - 2 * longest_common_subsequence(source, other)
    return changed, changed / total if total else 0.0


def _outside(batch: Batch, lengths: dict[str, int]) -> set[str]:
    """Return the segments whose source is shorter or longer than the percentiles."""
    if not lengths:
        return set()
    options = batch.options
    low = options.min_length_percentile or 0.0
    high = 100.0 if options.max_length_percentile is None else options.max_length_percentile
    least, most = np.percentile(list(lengths.values()), [low, high])
    return {key for key, length in lengths.items() if not least <= length <= most}


def _changed_more(batch: Batch, sources: dict[str, list[str]]) -> set[str]:
    """Return the segments in which more words were changed than the import allows."""
    options = batch.options
    compared, out = set(), set()
    for key, text in _texts(batch, _TEXTS[options.changed_in]):
        if key not in sources:
            continue
        compared.add(key)
        words, share = changed_words(sources[key], text.split())
        too_many = options.max_changed_words is not None and words > options.max_changed_words
        if too_many or (
            options.max_changed_share is not None and share > options.max_changed_share
        ):
            out.add(key)
    if not compared:
        raise OptionsError(
            f"changed words: no source of this import has a {options.changed_in} to compare it with"
        )
    if left := len(sources) - len(compared):
        batch.note(
            f"{left:,} segments have no {options.changed_in}: their changed words are unknown."
        )
    return out


def _texts(batch: Batch, condition: str) -> Iterator[tuple[str, str]]:
    """Yield segment and text of staged texts."""
    yield from query(
        f"""SELECT segment_key, text FROM corpus_stagedtext
            WHERE job_id = %(job)s AND {condition} ORDER BY id""",  # noqa: S608  (constants)
        {"job": batch.job.pk},
    )


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
