"""The texts of selected outputs, by segment: what segments are chosen by, and nothing else."""

from collections.abc import Iterator

import numpy as np

from analysis.data.arrays import Integers
from analysis.data.selection import Cells
from analysis.data.study_data import StudyData
from corpus.models import Output

ROWS_AT_ONCE = 20_000


def texts_by_segment(data: StudyData, cells: Cells, rows: Integers) -> Iterator[list[str]]:
    """Yield the selected systems' outputs of some of the selected segments, in their order.

    Parameters
    ----------
    data, cells
    rows
        Places among the selected segments.
    """
    place_of = np.full(len(data.segment_keys), -1, dtype=np.int64)
    place_of[cells.segments[rows]] = np.arange(len(rows))
    wanted = data.system_outputs & np.isin(data.column_of_output, cells.systems)
    wanted &= place_of[data.segment_of_output] >= 0
    ordinals = data.stored_ordinals
    place_of_ordinal = np.full(len(ordinals), -1, dtype=np.int64)
    place_of_ordinal[ordinals[wanted]] = place_of[data.segment_of_output[wanted]]
    found: list[list[str]] = [[] for _ in rows]
    stored = Output.objects.filter(study__slug=data.study_slug).order_by()
    for ordinal, text in stored.values_list("ordinal", "text").iterator(ROWS_AT_ONCE):
        if ordinal < len(place_of_ordinal) and (place := int(place_of_ordinal[ordinal])) >= 0:
            found[place].append(text)
    yield from found
