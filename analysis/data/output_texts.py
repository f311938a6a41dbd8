"""The texts of outputs: what segments are chosen by, how long outputs are, and nothing else.

Texts are found by the segment and the system, not by their place in the database: what a frozen
report was computed from has no such places.
"""

from collections.abc import Iterator

import numpy as np

from analysis.data.arrays import Floats, Integers
from analysis.data.selection import Cells
from analysis.data.study_data import StudyData
from corpus.models import Output, Segment, System

ROWS_AT_ONCE = 20_000


def texts_by_segment(data: StudyData, cells: Cells, rows: Integers) -> Iterator[list[str]]:
    """Yield the selected systems' outputs of some of the selected segments, in their order.

    Parameters
    ----------
    data, cells
    rows
        Places among the selected segments.
    """
    place_of = {int(segment): place for place, segment in enumerate(cells.segments[rows])}
    systems = set(cells.systems.tolist())
    found: list[dict[int, str]] = [{} for _ in rows]
    for segment, system, text in _texts(data):
        if segment in place_of and system in systems:
            found[place_of[segment]][system] = text
    for texts in found:
        yield [texts[system] for system in sorted(texts)]


def words_of_outputs(data: StudyData) -> Floats:
    """Return how many words the systems' outputs have, segments × systems; NaN where none is."""
    words = np.full(data.shape, np.nan)
    for segment, system, text in _texts(data):
        words[segment, system] = len(text.split())
    return words


def _texts(data: StudyData) -> Iterator[tuple[int, int, str]]:
    """Yield segment, system and text of each system's output in the arrays, in any order."""
    there = np.isfinite(data.matrix(np.ones(len(data.segment_of_output)))).tolist()
    places = {key: place for place, key in enumerate(data.segment_keys)}
    columns = {system.name: column for column, system in enumerate(data.systems)}
    of_study = {"study__slug": data.study_slug}
    keys = Segment.objects.filter(**of_study).values_list("pk", "key")
    segments = {pk: places[key] for pk, key in keys if key in places}
    names = System.objects.filter(**of_study, kind=System.Kind.SYSTEM).values_list("pk", "name")
    systems = {pk: columns[name] for pk, name in names if name in columns}
    stored = Output.objects.filter(**of_study, variant=1, system__in=list(systems)).order_by()
    rows = stored.values_list("segment_id", "system_id", "text")
    for of_segment, of_system, text in rows.iterator(ROWS_AT_ONCE):
        segment, system = segments.get(of_segment, -1), systems[of_system]
        if segment >= 0 and there[segment][system]:
            yield segment, system, text
