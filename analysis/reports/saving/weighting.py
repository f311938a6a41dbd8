"""Means over chosen segments, weighted by how they were chosen."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.data.study_data import StudyData
from analysis.estimates.correlations import HumanSide, system_names
from analysis.stats.results import Result, Undefined
from analysis.stats.saving.segment_sample import weighted_mean
from annotation.chosen_segments import ChosenSegments


@dataclass(frozen=True)
class WeightedSystem:
    """A system's mean over chosen segments, plain and weighted by how they were chosen."""

    system: str
    plain: float | None
    hajek: Result
    horvitz_thompson: Result


def weighted_systems(
    data: StudyData, people: HumanSide, how: ChosenSegments
) -> Iterator[WeightedSystem]:
    """Yield each system's means over the segments that were chosen with known probabilities."""
    keys = [data.segment_keys[place] for place in people.cells.segments.tolist()]
    rows = [row for row, key in enumerate(keys) if key in how.inclusion]
    inclusion = [how.inclusion[keys[row]] for row in rows]
    strata = [how.segments[keys[row]] for row in rows]
    for column, system in enumerate(system_names(data, people.cells)):
        values = people.scores[rows, column]
        known = values[np.isfinite(values)]
        if not known.size:
            continue
        # That of Horvitz and Thompson takes what is not there for nothing.
        whole = known.size == len(how.segments)
        yield WeightedSystem(
            system,
            float(known.mean()),
            weighted_mean(values, inclusion, strata=strata),
            weighted_mean(
                *(values, inclusion),
                strata=strata,
                estimator="horvitz-thompson",
                population=how.among,
            )
            if whole
            else Undefined("not all chosen segments are selected and rated", known.size),
        )
