"""What each metric gives each system in each direction of style transfer."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from analysis.data.selection import Cells
from analysis.data.study_data import StudyData
from analysis.reports.metric_means.system_tests import Column
from analysis.stats.resampling.bootstrap import Bootstrap
from analysis.stats.results import Result, Undefined
from analysis.stats.systems.system_scores import SummedScores, system_scores

MOST_DIRECTIONS = 6
"""Directions that are told apart in one report; of a study with more, one is chosen at a time."""


@dataclass(frozen=True)
class DirectionMeans:
    """The scores of every system in one direction, metric by metric in the order of the columns."""

    direction: str
    segments: int
    results: tuple[tuple[Result, ...], ...]


def directions_of(data: StudyData, segments: Sequence[int]) -> list[str]:
    """Return the directions of segments, or none where there are fewer than two or too many."""
    found = sorted({data.directions[segment] for segment in segments} - {""})
    return found if 1 < len(found) <= MOST_DIRECTIONS else []


def by_direction(
    data: StudyData, cells: Cells, columns: Sequence[Column], bootstrap: Bootstrap
) -> tuple[DirectionMeans, ...]:
    """Score every system by every metric within each direction, resampling its segments."""
    directions = [data.directions[segment] for segment in cells.segments]
    made = []
    for direction in directions_of(data, cells.segments.tolist()):
        kept = [place for place, found in enumerate(directions) if found == direction]
        cut = [
            replace(each.shown, rows=each.shown.rows[kept], present=each.shown.present[kept])
            if isinstance(each.shown, SummedScores)
            else each.shown
            for each in columns
        ]
        results = results_of(cut, bootstrap, len(cells.systems))
        made.append(DirectionMeans(direction, len(kept), results))
    return tuple(made)


def results_of(
    shown: Sequence[SummedScores | Undefined], bootstrap: Bootstrap, systems: int
) -> tuple[tuple[Result, ...], ...]:
    """Return the scores of systems by each metric, with the reason where it has none at all."""
    scored = iter(
        system_scores([each for each in shown if isinstance(each, SummedScores)], bootstrap)
    )
    return tuple(
        (each,) * systems if isinstance(each, Undefined) else tuple(next(scored)) for each in shown
    )
