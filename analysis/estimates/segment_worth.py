"""What rating a segment is worth: how far scores, texts or earlier ratings of it differ."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from analysis.data.arrays import Floats, Integers
from analysis.data.output_texts import texts_by_segment
from analysis.data.selection import Cells
from analysis.data.study_data import StudyData
from analysis.estimates.correlations import Pairing
from analysis.stats.saving.segment_choice import (
    diversity_of_texts,
    diversity_of_vectors,
    mean_rank,
    variance,
)

METRICS = "all metrics together"
DIVERSITY = "diversity of outputs"
MEANING = "diversity of outputs by stored sentence embeddings"
RATINGS = "spread of earlier ratings"
TOGETHER = "all together"


def spread(scores: Floats) -> Floats:
    """Return the standard deviation of each segment's scores over systems; NaN under two."""
    return np.sqrt(variance(scores))


def diversity(data: StudyData, cells: Cells, rows: Integers) -> Floats:
    """Return how far the selected systems' outputs of some selected segments differ."""
    asked = ("diversity", cells.segments[rows].tobytes(), cells.systems.tobytes())
    return data.recent.get(asked, lambda: diversity_of_texts(texts_by_segment(data, cells, rows)))


def diversity_of_meaning(
    data: StudyData, cells: Cells, rows: Integers, vectors: Mapping[str, NDArray[np.float32]]
) -> Floats:
    """Return how far outputs differ by their embeddings; NaN of a segment where one is lacking."""
    segments = list(texts_by_segment(data, cells, rows))
    whole = [all(text in vectors for text in texts) for texts in segments]
    known = (
        [vectors[text] for text in texts]
        for texts, there in zip(segments, whole, strict=True)
        if there
    )
    found = np.full(len(segments), np.nan)
    found[np.array(whole, dtype=bool)] = diversity_of_vectors(known)
    return found


def metric_worths(pairings: Iterable[Pairing], rows: Integers) -> dict[str, Floats]:
    """Return what rating some segments is worth by each metric, and by all of them."""
    found = {pairing.column.label: spread(pairing.metric[rows]) for pairing in pairings}
    if len(found) > 1:
        found[METRICS] = mean_rank(list(found.values()))
    return found


def together(worths: Mapping[str, Floats]) -> Floats | None:
    """Return the mean rank by metrics, texts and earlier ratings; None where only one is known.

    All metrics together count as much as texts or ratings.
    """
    metrics = [name for name in worths if name not in (METRICS, DIVERSITY, RATINGS, TOGETHER)]
    of_metrics = METRICS if METRICS in worths else metrics[0] if metrics else ""
    known = [worths[name] for name in (of_metrics, DIVERSITY, RATINGS) if name in worths]
    known = [each for each in known if np.isfinite(each).any()]
    return mean_rank(known) if len(known) > 1 else None
